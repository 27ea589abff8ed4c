#!/usr/bin/env bats
# The job files in cases/ once made fio lose data, print what no script can read, or report wrong numbers. Each says in
# its comment what went wrong; the test says what is right.
# also: asan

load lib

CASES=$TOP/tests/cli/cases

# run_case NAME [ARGUMENT...]: as JSON, in this test's folder
run_case() {
	local job=$1
	shift
	fathom --output-format=json "$@" "$CASES/$job.fio"
}

# Refused by name before anything is touched: status 1, no file made.
refused() {
	local made
	ended 1 "option '$1'"
	made=$(find . -type f ! -name out ! -name err)
	[ -z "$made" ] || fail "left behind: $made"
}

# offsets of the I/Os in an iolog
offsets() {
	awk '$3 ~ /read|write|trim/ { print $4 }' "$1"
}

@test "01 a remark about the depth does not get into the JSON document" {
	run_case 01-json-note-on-stdout
	ended 0 'iodepth=32.*the queue depth is 1'
	holds '.jobs[0].error == 0 and (.fathom.messages | length) == 1'
}

@test "02 an I/O error leaves one valid document on standard output" {
	run_case 02-json-io-error-prefix
	ended 3 'No space left on device'
	holds '.jobs[0].error == 28 and .jobs[0].write.io_bytes == 0'
}

@test "02 an I/O error leaves one valid document in --output" {
	run_case 02-json-io-error-prefix --output=o.json
	ended 3 'No space left on device'
	[ ! -s out ]
	holds '.jobs[0].error == 28 and .jobs[0].write.io_bytes == 0' o.json
}

@test "05 with --status-interval JSON is still one document" {
	run_case 05-status-interval-json --status-interval=250ms
	ended 0
	holds '.jobs[0].read.total_ios > 400 and (.snapshots | length) >= 2'
}

@test "05 JSON lines are one document a line" {
	fathom --output-format=jsonl --status-interval=250ms "$CASES/05-status-interval-json.fio"
	ended 0
	[ "$(wc -l <out)" -ge 3 ] || { show; fail "fewer than three lines"; }
	[ "$(jq -c '.jobs[0].read.total_ios' out | wc -l)" -eq "$(wc -l <out)" ]
}

@test "06 SIGINT leaves a valid document that says the run was cut short" {
	start --output-format=json --output=o.json "$CASES/06-sigint-keeps-json-valid.fio"
	await has_threads "$pid" 2
	sleep 0.4
	kill -INT "$pid"
	finish
	[ "$rc" -eq 128 ]
	holds '.jobs[0].read.total_ios > 0 and .fathom.interrupted and .jobs[0].fathom.end == "signal"' o.json
}

@test "07 a read job keeps what is in a file that is too short" {
	keep 600k keep
	local before
	before=$(sum keep)
	run_case 07-read-job-keeps-existing-data
	ended 0
	[ "$(head -c 600k keep | md5sum | cut -d' ' -f1)" = "$before" ]
	holds '.jobs[0].read.total_ios == 256'
}

@test "08 allow_file_create=0 refuses a short file and names both sizes" {
	keep 600k keep
	local before
	before=$(sum keep)
	run_case 08-no-create-keeps-existing-file
	ended 2 'keep has 614400 bytes, the job needs 1048576'
	[ "$(sum keep)" = "$before" ]
}

@test "09 a fraction of a second is a fraction of a second" {
	run_case 09-fractional-time
	ended 0
	holds '.jobs[0].job_runtime >= 1450 and .jobs[0].job_runtime <= 1550'
}

@test "10 what follows a number is no longer ignored" {
	local bad
	run_case 10-number-with-trailing-garbage
	ended 1 "option 'size'" 16mfoo
	for bad in 4kk -4k 1.2.3m 4k,; do
		fathom --name=j --ioengine=null --bs=4k --size="$bad"
		ended 1 "'size'"
	done
	fathom_json --name=j --ioengine=null --bs=4k --size=1.5m
	ended 0
	holds '.jobs[0].read.io_bytes == 1572864'
}

@test "12 Ki is 1024 under kb_base=1000" {
	run_case 12-ki-suffix
	ended 0
	holds '.jobs[0].read.total_ios == 16 and .jobs[0].read.io_bytes == 65536'
}

@test "12 the default base warns of KiB, which fio takes for 1000" {
	fathom_json --name=j --ioengine=null --bs=4KiB --number_ios=16 --size=1m
	ended 0 'KiB|kib'
	holds '.jobs[0].read.io_bytes == 64000'
}

@test "13 a ramp lasts as long as it was asked to" {
	run_case 13-ramp-time-length
	ended 0
	holds '.jobs[0].write.total_ios >= 980 and .jobs[0].write.total_ios <= 1020'
	holds '.jobs[0].write.runtime >= 980 and .jobs[0].write.runtime <= 1020'
	local last
	last=$(awk '$3 == "write" { t = $1 } END { print t }' io.log)
	[ "$last" -ge 1240000 ] && [ "$last" -le 1360000 ] || fail "the last write started at $last us"
}

@test "15 I/O of the ramp is not reported as measured" {
	run_case 15-workload-ends-inside-ramp
	ended 0
	holds '.jobs[0].read.total_ios == 100 and .fathom.elapsed_ns >= 1000000000'
}

@test "17 latency from the intended start shows a stall to everyone who waited" {
	need strace
	[ -z "$FATHOM_SANITIZER" ] || skip "the sanitizer and strace both trace"
	truncate -s 1m f
	rc=0
	strace -f -o /dev/null -e trace=pread64 -e inject=pread64:delay_exit=300000:when=100 \
		"$FATHOM" --output-format=json "$CASES/17-schedule-latency-after-stall.fio" >out 2>err || rc=$?
	[ "$rc" -eq 0 ] || { show; skip "strace may not trace here"; }
	holds '.jobs[0].read.total_ios >= 480'
	holds '.jobs[0].fathom.sched_lat_ns.read.percentile | .["90.000000"] >= 150e6 and .["90.000000"] <= 330e6'
	holds '.jobs[0].fathom.sched_lat_ns.read.percentile | .["99.000000"] >= 250e6 and .["99.000000"] <= 400e6'
}

@test "18 sizes that are no multiples of the smallest one are issued" {
	run_case 18-bssplit-non-multiple-sizes
	ended 0
	awk '/ read /{ n[$5]++; t++ } END { s = n[10240] / t; print s; exit s < 0.45 || s > 0.55 }' io.log
}

@test "21 the logs hold every I/O of the run" {
	local ios
	run_case 21-log-covers-whole-run
	ended 0
	ios=$(value '.jobs[0].read.total_ios')
	[ "$ios" -ge 1070 ] && [ "$ios" -le 1095 ] || fail "$ios I/Os at 1000 a second for 1.09 s"
	awk -F, -v n="$ios" '{ s += $2 * ($1 - p) / 1000; p = $1 } END { print s; exit s < n * 0.99 || s > n * 1.01 }' \
		l_iops.1.log
	head -n 1 l_iops.1.log | awk -F, '{ exit $1 < 95 || $1 > 105 }'
	tail -n 1 l_iops.1.log | awk -F, '{ exit $1 < 1085 || $1 > 1095 }'
	awk -F, -v n="$ios" '{ for (i = 4; i <= NF; i++) s += $i } END { print s; exit s != n }' l_clat_hist.1.log
}

@test "22 percentiles lie between minimum and maximum" {
	run_case 22-percentile-within-min-max
	ended 0
	holds '.jobs[0].write.clat_ns | .percentile["100.000000"] == .max and .percentile["0.000100"] <= .min * 1.02'
	holds '.jobs[0].write.clat_ns | . as $l | all(.percentile[]; . >= $l.min and . <= $l.max)'
}

@test "23 a run of microseconds has its true rate" {
	one() {
		run_case 23-sub-millisecond-run
		ended 0 && holds '.jobs[0].write | ((1e9 / .iops) / .lat_ns.mean) as $q | $q >= 0.9 and $q <= 3'
	}
	on_a_quiet_moment one
}

@test "25 depth shares with fdatasync add up to 100" {
	run_case 25-depth-share-with-fdatasync
	ended 0
	holds '.jobs[0].iodepth_level | add | . > 99.5 and . < 100.5'
}

@test "26 verify is refused by name" {
	run_case 26-verify-reads-not-in-read-stats
	refused verify
}

@test "28 verify with an offset modifier is refused by name" {
	run_case 28-verify-with-rw-sequencer
	refused verify
}

@test "29 the state of a verify run is refused by name" {
	run_case 29-verify-state-load
	refused verify
	run_case 29-verify-state-load --set io_size=400k --set do_verify=0
	refused do_verify
	run_case 29-verify-state-load --set verify_only=1 --set verify_state_load=1
	refused verify_state_load
}

@test "31 a short tail does not end a random job early" {
	run_case 31-tail-ends-random-job-early
	ended 0
	holds '.jobs[0].write.total_ios | . == 4096 or . == 4097'
}

@test "33 the second pass has another order, and both repeat" {
	run_case 33-second-pass-same-order
	ended 0
	offsets io.log >first
	[ "$(wc -l <first)" -eq 512 ]
	local same
	same=$(paste <(head -n 256 first) <(tail -n 256 first) | awk '$1 == $2' | wc -l)
	[ "$same" -lt 26 ] || fail "$same of 256 positions are equal"
	[ "$(sort -u first | wc -l)" -eq 256 ]
	rm io.log
	run_case 33-second-pass-same-order
	offsets io.log | cmp - first
}

@test "34 a worker that dies is a failure of its job" {
	[ -z "$FATHOM_SANITIZER" ] || skip "the sanitizer takes the signal"
	start --output-format=json "$CASES/34-killed-worker-is-failure.fio"
	await has_threads "$pid" 2
	sleep 0.4
	kill_worker "$pid" ABRT
	finish
	[ "$rc" -eq 3 ]
	holds '.jobs[0].error != 0 and .jobs[0].fathom.end == "crash" and .jobs[0].read.total_ios > 0'
	ended 3 'j: the worker crashed'
}

@test "35 four jobs on one set of files all work" {
	one() {
		run_case 35-shared-file-set-idle-jobs
		ended 0 && holds '(.jobs | length) == 4 and ([.jobs[].read.total_ios] | min) >= 270'
	}
	on_a_quiet_moment one
}

@test "36 holes and preallocated parts under a read are named" {
	truncate -s 4m f
	run_case 36-read-of-unwritten-extents
	ended 0 'hole|sparse|unwritten'
	holds '.jobs[0].fathom.unwritten_bytes == 4194304'
}

@test "36 so is the rest of a file that was written in part" {
	fathom --name=w --filename=f --rw=write --bs=64k --size=4m --io_size=64k
	ended 0
	run_case 36-read-of-unwritten-extents
	ended 0 'hole|sparse|unwritten'
	holds '.jobs[0].fathom.unwritten_bytes == 4194304 - 65536'
}

@test "38 zipf has the shape of zipf" {
	run_case 38-zipf-shape
	ended 0
	offsets io.log | sort | uniq -c | sort -rn | awk '
		{ t += $1; if (NR == 1) one = $1; if (NR <= 10) ten += $1 }
		END { print one / t, ten / t; exit one / t < 0.2243 || one / t > 0.2363 || ten / t < 0.5604 || ten / t > 0.5764 }'
}

@test "39 what --showcmd prints can be pasted back" {
	fathom --showcmd "$CASES/39-showcmd-round-trip.fio"
	ended 0
	sh -c "$(cat out) --output-format=json" >again
	holds '(.jobs | length) == 1 and .jobs[0].jobname == "my job" and .jobs[0].read.total_ios == 16' again
	holds '.jobs[0].desc == "two words"' again
}

@test "40 steady state is refused by name" {
	run_case 40-steady-state-one-second
	refused ss
	grep -q "option 'ss_dur'" err
}

@test "41 unlink_each_loop of a read job is refused before any I/O" {
	run_case 41-unlink-each-loop-read
	ended 1 unlink_each_loop
	[ "$(ls)" = "$(printf 'err\nout')" ]
}

@test "44 randseed decides the offsets" {
	local seed
	for seed in 1 2 3; do
		mkdir "$seed"
		(cd "$seed" && "$FATHOM" --set randseed=$((seed % 2 + 1)) "$CASES/44-randseed-takes-effect.fio" >/dev/null)
		offsets "$seed/io.log" >"$seed/offsets"
	done
	! cmp -s 1/offsets 2/offsets || fail "seeds 1 and 2 give the same order"
	cmp 1/offsets 3/offsets
	[ "$(wc -l <1/offsets)" -eq 256 ]
}

@test "45 replay is refused by name" {
	truncate -s 1m f
	run_case 45-replay-latency-at-depth
	ended 1 "option 'read_iolog'"
}

@test "46 an option without its value is an error that names it" {
	local option
	run_case 46-option-without-value
	ended 1 "option 'cpus_allowed'"
	for option in verify_pattern buffer_pattern fdp_pli bssplit filename; do
		sed "s/cpus_allowed/$option/" "$CASES/46-option-without-value.fio" >j.fio
		fathom j.fio
		ended 1 "option '$option'"
	done
}

@test "47 no worker outlives the main process" {
	local tasks
	start "$CASES/47-orphaned-workers.fio"
	await has_threads "$pid" 2
	tasks=$(ls "/proc/$pid/task")
	kill -KILL "$pid"
	finish
	for task in $tasks; do
		[ ! -e "/proc/$task" ] || [ "$(cut -d' ' -f3 "/proc/$task/stat")" = Z ] || fail "thread $task is still there"
	done
}
