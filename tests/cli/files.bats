#!/usr/bin/env bats
# Options about files and logs, on real files.

load lib

w=(--name=w --rw=write --bs=4k)

# The regular files below here, without those of the test itself.
files() {
	find . -type f ! -name out ! -name err | sort | tr '\n' ' '
}

holding() {
	[ "$(files)" = "$1" ] || { show; fail "files: $(files)"; }
}

@test "generated names are NAME.JOB.FILE" {
	fathom "${w[@]}" --size=64k --nrfiles=2 --numjobs=2
	ended 0
	holding './w.0.0 ./w.0.1 ./w.1.0 ./w.1.1 '
	[ "$(stat -c %s w.0.1)" -eq 32768 ]
}

@test "filename_format replaces its words" {
	fathom "${w[@]}" --size=16k --nrfiles=2 --numjobs=2 '--filename_format=a-$jobname-$filenum-$jobnum.x'
	ended 0
	holding './a-w-0-0.x ./a-w-0-1.x ./a-w-1-0.x ./a-w-1-1.x '
}

@test "directory is put in front, and folders of a name are made" {
	mkdir d e
	fathom "${w[@]}" --size=16k --directory=d
	ended 0
	fathom "${w[@]}" --size=16k --directory=d --filename=deep/er/f
	ended 0
	fathom "${w[@]}" --size=16k --directory=d:e --numjobs=2 --filename_format='x$jobnum'
	ended 0
	holding './d/deep/er/f ./d/w.0.0 ./d/x0 ./e/x1 '
	fathom "${w[@]}" --size=16k --directory=none
	[ "$rc" -ne 0 ]
	grep -q none err
	[ ! -e none ]
}

@test "filename takes a list, with escaped colons" {
	fathom "${w[@]}" --size=32k --filename='a\:b:c'
	ended 0
	holding './a:b ./c '
}

@test "what is not there yet is refused by name" {
	local option
	for option in opendir=d lockfile=exclusive log_store_compressed=1 read_iolog=f zonemode=zbd; do
		fathom "${w[@]}" --size=64k "--$option"
		ended 1 "option '${option%=*}' is not supported yet"
		holding ''
	done
}

@test "unlink removes what the run made; a read job removes nothing else" {
	fathom "${w[@]}" --size=16k --nrfiles=3 --unlink=1
	ended 0
	holding ''
	fathom --name=r --rw=read --bs=4k --size=16k --unlink=1
	ended 0
	holding ''
	keep 16k mine
	fathom --name=r --rw=read --bs=4k --filename=mine --unlink=1
	[ -e mine ] || fail "a read job removed a file that was there"
}

@test "unlink removes the files of an interrupted run" {
	start "${w[@]}" --size=64k --unlink=1 --time_based --runtime=20 --rate_iops=100
	await has_threads "$pid" 2
	await test -e w.0.0
	sleep 0.1
	kill -INT "$pid"
	finish
	[ "$rc" -eq 128 ]
	holding ''
}

@test "create_only makes the files and does no I/O" {
	fathom_json "${w[@]}" --size=64k --nrfiles=2 --create_only=1
	ended 0
	holds '.jobs[0].write.total_ios == 0 and .jobs[0].error == 0'
	holding './w.0.0 ./w.0.1 '
	[ "$(stat -c %s w.0.0)" -eq 32768 ]
}

@test "create_on_open makes files as the job opens them" {
	fathom_json "${w[@]}" --size=64k --create_on_open=1
	ended 0
	holds '.jobs[0].write.total_ios == 16 and .jobs[0].fathom.phases.layout.duration_ns == 0'
	[ "$(stat -c %s w.0.0)" -eq 65536 ]
}

@test "file_append goes on at the end" {
	keep 8k f
	cp f old
	fathom "${w[@]}" --filename=f --size=16k --file_append=1
	ended 0
	[ "$(stat -c %s f)" -eq 24576 ]
	head -c 8k f | cmp - old
}

@test "fallocate: none leaves holes, truncate sets the size, native takes the blocks" {
	local kind
	for kind in none truncate native posix keep; do
		fathom "${w[@]}" --filename="$kind" --size=1m --io_size=4k --fallocate=$kind
		ended 0
	done
	[ "$(stat -c %s none)" -eq 4096 ]
	[ "$(stat -c %s truncate)" -eq 1048576 ]
	[ "$(stat -c %b truncate)" -lt 100 ]
	[ "$(stat -c %s native)" -eq 1048576 ]
	[ "$(stat -c %b native)" -ge 2048 ] || skip "this file system reserves nothing"
	[ "$(stat -c %s keep)" -eq 4096 ]
	[ "$(stat -c %b keep)" -ge 2048 ]
}

@test "a region with offset and size is what is written" {
	head -c 64k /dev/zero >f
	fathom "${w[@]}" --filename=f --offset=16k --size=16k --buffer_pattern=0xff
	ended 0
	[ "$(tr -d '\377' <f | wc -c)" -eq 49152 ]
	head -c 16k f | cmp - <(head -c 16k /dev/zero)
	tail -c 32k f | cmp - <(head -c 32k /dev/zero)
}

@test "what is read is what is in the file, by every engine" {
	local engine
	keep 256k f
	cp f old
	for engine in sync psync vsync pvsync pvsync2 libaio io_uring mmap posixaio; do
		fathom --enghelp=$engine
		[ "$rc" -eq 0 ] || continue
		fathom_json --name=r --filename=f --ioengine=$engine --rw=randread --bs=4k --iodepth=4
		ended 0
		holds '.jobs[0].read.total_ios == 64 and .jobs[0].error == 0'
		holds '.jobs[0] | [.iodepth_level, .iodepth_submit, .iodepth_complete] | all(add | . > 99 and . < 101)'
		fathom_json --name=w --filename=g.$engine --ioengine=$engine --rw=randwrite --bs=4k --size=64k --iodepth=4 \
			--buffer_pattern=0x5a
		ended 0
		[ "$(tr -d Z <"g.$engine" | wc -c)" -eq 0 ] || fail "$engine did not write the pattern everywhere"
	done
	cmp f old
}

@test "a mapped file is laid out in full however its space is reserved" {
	local how
	for how in none keep truncate posix native; do
		fathom_json --name=m --filename=m.$how --ioengine=mmap --rw=write --bs=4k --size=64k --number_ios=2 --fallocate=$how
		ended 0
		holds '.jobs[0].write.total_ios == 2'
		[ "$(stat -c %s m.$how)" -eq 65536 ] || fail "$how: $(stat -c %s m.$how) bytes"
	done
}

@test "logs have the names and lines of fio" {
	fathom "${w[@]}" --filename=f --size=64k --numjobs=2 --write_bw_log=l --write_iops_log=l --write_lat_log=l
	ended 0
	local kind n
	for n in 1 2; do
		for kind in bw iops lat clat slat; do
			[ -e "l_$kind.$n.log" ] || { ls; fail "l_$kind.$n.log"; }
		done
		[ ! -s "l_slat.$n.log" ]
		for kind in bw iops lat clat; do
			[ "$(grep -cE '^[0-9]+, [0-9]+, 1, 4096, 0$' "l_$kind.$n.log")" -eq 16 ] || { cat "l_$kind.$n.log"; fail "$kind"; }
		done
	done
}

@test "log_offset, log_prio and log_window_value change the columns" {
	fathom "${w[@]}" --filename=f --size=64k --write_lat_log=l --log_offset=1
	ended 0
	[ "$(grep -cE '^[0-9]+, [0-9]+, 1, 4096, [0-9]+, 0$' l_lat.1.log)" -eq 16 ]
	fathom "${w[@]}" --filename=f --size=64k --write_lat_log=p --log_prio=1
	[ "$(grep -cE '^[0-9]+, [0-9]+, 1, 4096, 0x[0-9a-f]{4}$' p_lat.1.log)" -eq 16 ]
	fathom --name=j --ioengine=null --size=1m --time_based --runtime=350ms --rate_iops=1000 --write_lat_log=b \
		--log_avg_msec=100 --log_window_value=both
	ended 0
	[ "$(grep -cE '^[0-9]+, [0-9]+, [0-9]+, 0, 0, 0$' b_lat.1.log)" -eq 4 ] || { cat b_lat.1.log; fail columns; }
}

@test "per_job_logs=0 drops the number and keeps all jobs" {
	fathom "${w[@]}" --filename=f --size=64k --numjobs=2 --write_lat_log=l --per_job_logs=0
	ended 0
	[ ! -e l_lat.1.log ]
	[ "$(wc -l <l_lat.log)" -eq 32 ]
}

@test "an iolog names the files and each I/O" {
	fathom "${w[@]}" --filename=f --size=16k --fsync=2 --write_iolog=io.log
	ended 0
	[ "$(head -n 1 io.log)" = 'fio version 3 iolog' ]
	grep -Eq '^[0-9]+ f add$' io.log
	grep -Eq '^[0-9]+ f open$' io.log
	[ "$(grep -cE '^[0-9]+ f write [0-9]+ 4096$' io.log)" -eq 4 ]
	[ "$(grep -cE '^[0-9]+ f sync [0-9]+ 0$' io.log)" -ge 1 ]
	grep -Eq '^[0-9]+ f close$' io.log
}

@test "exec_prerun and exec_postrun run and are saved; a failing prerun fails the job" {
	fathom --name=j --ioengine=null --size=64k --exec_prerun='echo before; echo two' --exec_postrun='echo after'
	ended 0
	[ "$(cat j.prerun.txt)" = "$(printf 'before\ntwo')" ]
	[ "$(cat j.postrun.txt)" = after ]
	fathom_json --name=j --ioengine=null --size=64k --exec_prerun='exit 3'
	[ "$rc" -ne 0 ] || { show; fail "status 0"; }
	holds '.jobs[0].error != 0 and .jobs[0].read.total_ios == 0'
}

@test "ioengine=ftruncate sets the size of the file to each offset, and only writes" {
	fathom "${w[@]}" --ioengine=ftruncate --filename=f --size=16k
	ended 0
	[ "$(stat -c %s f)" -eq 12288 ]
	fathom --name=r --rw=read --bs=4k --ioengine=ftruncate --filename=f --size=8k
	ended 1
	grep -q 'ioengine=ftruncate can only write' err
}
