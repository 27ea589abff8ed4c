#!/usr/bin/env bats
# also: asan
# Binary logs: the text made from one is the text that would have been written.

load lib

job=(--name=j --ioengine=sim --size=64m --rw=randrw --number_ios=3000 --iodepth=4 --bsrange=4k-16k)
logs=(--write_lat_log=L --write_bw_log=L --write_iops_log=L)

@test "a binary log holds what all the text logs say" {
	for more in "" "--log_offset=1" "--log_offset=1 --log_prio=1" "--log_offset=1 --log_issue_time=1"; do
		fathom "${job[@]}" "${logs[@]}" $more
		fathom "${job[@]}" "${logs[@]}" $more --log_format=binary
		[ -s L_io.1.binlog ]
		for kind in lat clat slat bw iops; do
			"$FATHOM" log --text=$kind L_io.1.binlog | cmp - L_$kind.1.log
		done
		rm L_*
	done
}

@test "binary logs leave no text logs, and one file a job" {
	fathom "${job[@]}" "${logs[@]}" --log_format=binary --numjobs=2
	[ "$(ls L_*)" = "$(printf '%s\n' L_io.1.binlog L_io.2.binlog)" ]
}

@test "percentiles of a binary log" {
	fathom "${job[@]}" --write_lat_log=L --log_format=binary
	run "$FATHOM" log L_io.1.binlog
	[ "$status" -eq 0 ]
	[[ "$output" == *"j: read: "*"slat"*"clat"*"lat"*"99.9"*"j: write: "* ]]
}

@test "log_format=binary is refused where it has no meaning" {
	run "$FATHOM" "${job[@]}" --log_format=binary
	[ "$status" -eq 1 ]
	[[ "$output" == *"without a log"* ]]
	run "$FATHOM" "${job[@]}" --write_lat_log=L --log_format=binary --log_avg_msec=10
	[ "$status" -eq 1 ]
	run "$FATHOM" "${job[@]}" --write_lat_log=L --log_format=binary --per_job_logs=0
	[ "$status" -eq 1 ]
	[ -z "$(ls L_* 2>/dev/null)" ]
}

@test "fathom log refuses other files and reads a log that was cut off" {
	run "$FATHOM" log
	[ "$status" -eq 1 ]
	run "$FATHOM" log nothing
	[ "$status" -eq 1 ]
	head -c 4096 /dev/urandom >noise
	run "$FATHOM" log noise
	[ "$status" -eq 1 ]
	[[ "$output" == *"no binary log"* ]]
	fathom "${job[@]}" --write_lat_log=L --log_format=binary
	head -c $((64 + 40 + 24 * 10 + 7)) L_io.1.binlog >cut
	[ "$("$FATHOM" log --text=lat cut | wc -l)" -eq 10 ]
}

@test "fathom log says that a log is damaged" {
	fathom "${job[@]}" --write_lat_log=L --log_format=binary
	dd if=/dev/zero of=L_io.1.binlog bs=1 seek=$((64 + 4096)) count=40 conv=notrunc status=none
	run "$FATHOM" log --text=lat L_io.1.binlog
	[ "$status" -eq 1 ]
	[[ "$output" == *"L_io.1.binlog: is damaged"* ]]
}

# The null engine is faster than text is made: most of it is put off until the run is over.
@test "text logs have every I/O, in order, though workers do not wait for them" {
	fathom --name=j --ioengine=null --size=8g --rw=randread --iodepth=2 --number_ios=1000000 --numjobs=2 \
		--write_lat_log=L --write_iops_log=L --log_offset=1
	for log in L_lat.1.log L_clat.2.log L_slat.1.log L_iops.2.log; do
		awk -F, '$1 < last { exit 1 } { last = $1 } END { if (NR != 1000000) exit 1 }' $log
	done
	[ "$(ls | grep -c fathom-)" -eq 0 ]
}
