#!/usr/bin/env bats
# Full disks, files pulled away, missing rights: a clear message, the right status, nothing else broken.

load lib
load devices

# A file system of $1 in the folder small.
small_disk() {
	need_devices
	mkdir small
	mount -t tmpfs -o "size=$1" tmpfs small || skip "nothing can be mounted here"
	points=("$PWD/small")
}

# Run as an ordinary user, in a folder that belongs to it.
as_nobody() {
	need_root
	need setpriv
	setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$FATHOM" || skip "the program lies where others may not go"
	rc=0
	chmod 755 "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/test" "$BATS_TEST_TMPDIR" 2>/dev/null
	timeout -k 1 50 setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$FATHOM" "$@" \
		>out 2>err </dev/null || rc=$?
}

@test "a disk that fills up during the run ends the job with its number and a remedy" {
	small_disk 2m
	fathom_json --name=w --filename=small/f --rw=write --bs=4k --size=8m --fallocate=none
	ended 3 'w: write of 4096 bytes at offset 2097152 of small/f failed: No space left' fill_device=1
	holds '.jobs[0].error == 28 and .jobs[0].write.total_ios == 512 and .jobs[0].fathom.end == "error"'
}

@test "a device without a size is called empty, not its offset wrong" {
	local loop size
	need_devices
	loop=$(losetup -f) || skip "no loop device is free"
	for size in "" --size=1m; do
		# shellcheck disable=SC2086
		fathom_json --name=r --filename="$loop" --rw=read --bs=4k $size
		ended 2 "$loop has a size of 0" losetup
		! grep offset err || fail "the offset is blamed"
	done
}

@test "a disk that is too small is noticed before the run" {
	small_disk 2m
	fathom_json --name=w --filename=small/f --rw=write --bs=4k --size=8m
	ended 2 'small/f' 'No space left' size=
	holds '.fathom.exit_code == 2'
	[ ! -e small/f ]
}

@test "fill_device=1 fills the disk and that is success" {
	small_disk 2m
	fathom_json --name=w --filename=small/f --rw=write --bs=4k --fill_device=1
	ended 0
	silent
	holds '.jobs[0].error == 0 and .jobs[0].write.io_bytes == 2097152 and .jobs[0].fathom.end == "device-full"'
}

@test "other jobs go on when one fails; exitall_on_error ends them" {
	cat >j.fio <<-'END'
		[global]
		ioengine=null
		size=1m
		time_based
		runtime=600ms
		rate_iops=1000
		[good]
		[bad]
		ioengine=psync
		filename=/dev/full
		rw=write
	END
	fathom_json j.fio
	ended 3
	holds '.jobs[0].error == 0 and .jobs[0].read.total_ios > 550 and .jobs[1].error == 28'
	sed -i 's/^rw=write/&\nexitall_on_error=1/' j.fio
	fathom_json j.fio
	ended 3
	# The other may fail before this one has begun.
	holds '.jobs[0].read.total_ios < 300 and (.jobs[0].fathom.end | . == "exitall" or . == "not-started")'
	holds '.jobs[1].error == 28'
}

@test "continue_on_error counts and goes on" {
	fathom_json --name=w --filename=/dev/full --rw=write --bs=4k --size=64k --ignore_error=,ENOSPC
	holds '.jobs[0].total_err == 16 and .jobs[0].first_error == 28'
	ended 0
}

@test "a file that is truncated during the run is an error that says so" {
	keep 1m f
	start --name=r --filename=f --rw=read --bs=4k --time_based --runtime=20 --rate_iops=500 --output-format=json
	await has_threads "$pid" 2
	sleep 0.2
	: >f
	finish
	ended 3 'r: read of 4096 bytes at offset [0-9]+ of f'
	holds '.jobs[0].error == 5 and .jobs[0].read.total_ios > 0'
}

@test "a mapped file that is truncated during the run does not take the program along" {
	[ -z "$FATHOM_SANITIZER" ] || skip "the sanitizer takes the signal"
	keep 1m f
	start --name=r --filename=f --ioengine=mmap --rw=read --bs=4k --time_based --runtime=20 --rate_iops=500 \
		--output-format=json
	await has_threads "$pid" 2
	sleep 0.2
	: >f
	finish
	[ "$rc" -eq 3 ] || { show; fail "status $rc"; }
	holds '.jobs[0].error != 0'
}

@test "a file that is removed between loops is an error that names it" {
	keep 64k a
	keep 64k b
	start --name=r --filename=a:b --openfiles=1 --file_service_type=sequential --rw=read --bs=4k --time_based \
		--runtime=20 --rate_iops=200 --output-format=json
	await has_threads "$pid" 2
	rm a b
	finish
	[ "$rc" -ne 0 ] || { show; fail "status 0"; }
	grep -Eq "'?[ab]'?.*No such file" err || { show; fail "the file is not named"; }
	holds '.jobs[0].error == 2'
}

@test "an output file that cannot be written is an error before any I/O" {
	fathom --name=w --filename=f --rw=write --bs=4k --size=64k --output=none/report
	ended 2 "cannot open output file 'none/report': No such file"
	[ ! -e f ]
	fathom --name=w --filename=f --rw=write --bs=4k --size=64k --output=.
	ended 2 "cannot open output file '.': Is a directory"
	[ ! -e f ]
}

@test "a report that cannot be written is an error" {
	fathom --name=j --ioengine=null --size=64k --output=/dev/full
	ended 3 'cannot write the report: No space left'
	rc=0
	"$FATHOM" --name=j --ioengine=null --size=64k >/dev/full 2>err </dev/null || rc=$?
	ended 3 'cannot write the report: No space left'
}

@test "logs that cannot be written are an error" {
	fathom --name=j --ioengine=null --size=64k --write_lat_log=none/l
	ended 2 'none/l'
	small_disk 16k
	fathom --name=j --ioengine=null --size=64m --bs=4k --write_lat_log=small/l
	ended 3 'log'
}

@test "an ordinary user is told what a real-time priority needs" {
	as_nobody --name=j --ioengine=null --size=64k --prioclass=1 --prio=4
	ended 2 'prio' 'root|CAP_SYS|privilege'
}

@test "an ordinary user is told of a file that may not be read or written" {
	need_root
	keep 64k f
	chmod 600 f
	as_nobody --name=r --filename=f --rw=read --bs=4k
	ended 2 'f cannot be read: Permission denied'
	chmod 644 f
	as_nobody --name=w --filename=f --rw=write --bs=4k
	ended 2 'f cannot be written: Permission denied'
	as_nobody --name=r --filename=f --rw=read --bs=4k --output-format=json
	ended 0
	holds '.jobs[0].read.total_ios == 16'
}

@test "an ordinary user is told of a folder that may not be written" {
	as_nobody --name=w --filename=f --rw=write --bs=4k --size=64k
	ended 2 "f'?.*Permission denied"
	as_nobody --name=w --directory="$PWD" --rw=write --bs=4k --size=64k
	ended 2 'Permission denied'
	as_nobody --name=j --ioengine=null --size=64k --output="$PWD/report"
	ended 2 "report': Permission denied"
}

@test "an ordinary user is told of devices that may not be opened" {
	need_devices
	new_zram 16m
	chmod 600 "$dev"
	as_nobody --name=r --filename="$dev" --rw=read --bs=4k --size=64k
	ended 2 "$dev cannot be read: Permission denied"
	as_nobody --name=w --filename="$dev" --rw=write --bs=4k --size=64k
	ended 2 "$dev" 'Permission denied'
}

@test "memory that cannot be had is an error, not a crash" {
	[ -z "$FATHOM_SANITIZER" ] || skip "the sanitizer needs the room"
	rc=0
	(ulimit -v 600000 && exec "$FATHOM" --name=j --ioengine=null --size=64g --bs=1g --iodepth=64) >out 2>err </dev/null || rc=$?
	ended 2 'memory'
}

@test "too few descriptors are an error that says so" {
	rc=0
	(ulimit -n 32 && exec "$FATHOM" --name=w --nrfiles=64 --rw=write --bs=4k --size=1m) >out 2>err </dev/null || rc=$?
	ended 2 'Too many open files|descriptor'
}

@test "too few descriptors for a ring are an error that says so" {
	need prlimit
	fathom explain --name=r --ioengine=io_uring --size=64k
	[ "$rc" -eq 0 ] || skip "no io_uring here"
	local limit
	for limit in 5 6 7 8 9; do
		rc=0
		prlimit --nofile=$limit "$FATHOM" --name=r --ioengine=io_uring --rw=write --size=64k >out 2>err </dev/null \
			3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- || rc=$?
		[ "$rc" -eq 0 ] || ended 2 'Too many open files'
		! grep -q 'no descriptor for the ring: Too many open files; raise .*ulimit -n' err || return 0
	done
	show
	fail "no limit met the ring"
}

@test "a file that reaches ulimit -f is an error with a report" {
	rc=0
	(ulimit -f 64 && exec "$FATHOM" --output-format=json --name=w --rw=write --size=256k --fallocate=none >out 2>err \
		</dev/null) || rc=$?
	ended 3 'w: write of 4096 bytes at offset 65536 of w.0.0 failed: File too large' "ulimit -f"
	holds '.jobs[0].error == 27 and .jobs[0].write.total_ios == 16'
}

@test "an ordinary user is told which limit keeps workers from starting" {
	need prlimit
	mkdir own
	chmod 777 own
	as_nobody --name=w --ioengine=null --size=64k
	ended 0
	local program=$FATHOM
	FATHOM=$(command -v prlimit)
	as_nobody --nproc=1 "$program" --output-format=json --name=w --ioengine=null --size=64k
	ended 2 'w: no thread for a worker: Resource temporarily unavailable' 'ulimit -u'
	holds '.jobs[0].error == 11'
}

@test "a report or log has its name when it is complete: a killed run leaves the old ones" {
	echo old >report
	echo old >l_iops.1.log
	start --name=w --ioengine=null --size=1m --time_based --runtime=30 --write_iops_log=l --log_avg_msec=10 --output=report
	part_is_written() { [ -s "l_iops.1.log.$pid.part" ]; }
	await part_is_written
	kill -KILL "$pid"
	finish
	[ "$(cat report l_iops.1.log)" = "$(printf 'old\nold')" ]
	fathom --name=w --ioengine=null --size=1m --write_iops_log=l --log_avg_msec=10 --output=report
	ended 0
	grep -q 'Run status' report
	! grep -q old l_iops.1.log
}

@test "a report is written into what a link or a pipe leads to, which stays what it is" {
	echo old >file
	ln -s file link
	mkfifo pipe
	cat pipe >piped &
	fathom --name=w --ioengine=null --size=1m --output=link
	ended 0
	[ -L link ]
	grep -q 'Run status' file
	! grep -q old file
	fathom --name=w --ioengine=null --size=1m --output=pipe
	ended 0
	wait
	grep -q 'Run status' piped
}

@test "standard output that cannot be written is an error of every command" {
	local command
	for command in --help 'explain --name=w --ioengine=null --size=1m' 'doctor --quick' options engines \
		'--name=w --ioengine=null --size=1m' '--name=w --size=1m --showcmd'; do
		rc=0
		# shellcheck disable=SC2086
		"$FATHOM" $command >/dev/full 2>err </dev/null || rc=$?
		ended 3 'cannot write'
	done
}

@test "a symbolic link to nowhere is told from a file" {
	ln -s nowhere link
	fathom --name=w --filename=link --rw=write --size=64k
	ended 2 "'link'" 'symbolic link'
	[ ! -e nowhere ]
}

@test "buffers in a file of huge pages are refused elsewhere, and no file of ours stays" {
	fathom --name=w --ioengine=null --size=64k --mem=mmaphuge:pages
	ended 2 "'pages' has to be below a mount of hugetlbfs"
	fathom --name=w --ioengine=null --size=64k --mem=mmapshared:made --numjobs=2
	ended 0
	keep 8192 kept
	fathom --name=w --ioengine=null --size=64k --mem=mmap:kept
	ended 0
	[ "$(find . -type f | sort | tr '\n' ' ')" = './err ./kept ./out ' ] || { find .; fail "files were left"; }
}
