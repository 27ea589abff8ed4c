#!/usr/bin/env bats
# Many workers, long logs, large regions: time to start and memory stay bounded.

load lib

# Run, and leave the wall time in $ms and the peak of resident memory in $mib.
measured() {
	rc=0
	python3 - "$FATHOM" "$@" >cost 2>err <<-'END' || rc=$?
		import resource, subprocess, sys, time
		begin = time.monotonic()
		with open("out", "w") as out:
		    status = subprocess.run(sys.argv[1:], stdout=out, stdin=subprocess.DEVNULL, timeout=50).returncode
		print(round((time.monotonic() - begin) * 1000), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
		sys.exit(status)
	END
	read -r ms mib <cost
	echo "$ms ms, $mib MiB"
}

below() {
	[ "$ms" -lt "$1" ] || fail "took $ms ms"
	[ -n "$FATHOM_SANITIZER" ] || [ "$mib" -lt "$2" ] || fail "took $mib MiB"
}

@test "256 workers for a second are there and gone within three" {
	measured --name=j --ioengine=null --size=1m --time_based --runtime=1 --rate_iops=100 --numjobs=256 --output-format=json
	ended 0
	below 3000 200
	holds '(.jobs | length) == 256 and ([.jobs[].read.total_ios] | min) >= 90'
}

@test "256 workers that never pause end in time too, also at depth 64" {
	measured --name=j --ioengine=null --iodepth=64 --size=1m --time_based --runtime=1 --numjobs=256 --group_reporting
	ended 0
	# Every CPU has more than a hundred of them to serve by turns.
	below 10000 200
}

@test "a log of every I/O is streamed, not kept" {
	# So many within a second that most of their text is put off; how long that takes is the disk's affair.
	measured --name=j --ioengine=null --size=32g --number_ios=5000000 --write_lat_log=l --output-format=json
	ended 0
	below 45000 100
	[ "$(value '.jobs[0].read.total_ios')" -eq 5000000 ]
	[ "$(wc -l <l_lat.1.log)" -eq "$(value '.jobs[0].read.total_ios')" ]
	[ "$(wc -l <l_clat.1.log)" -eq "$(value '.jobs[0].read.total_ios')" ]
}

@test "random I/O over a terabyte needs no map of it" {
	measured --name=j --ioengine=null --rw=randread --bs=4k --size=1t --time_based --runtime=500ms --output-format=json
	ended 0
	below 3000 50
	holds '.jobs[0].read.total_ios > 1000'
}

@test "a single I/O is done in a tenth of a second" {
	local best=100000 n
	for n in 1 2 3 4 5; do
		measured --name=j --ioengine=null --size=4k
		ended 0
		[ "$ms" -ge "$best" ] || best=$ms
	done
	[ -n "$FATHOM_SANITIZER" ] || [ "$best" -lt 100 ] || fail "took $best ms at best"
}

@test "thousands of files are laid out and worked on" {
	measured --name=w --rw=write --bs=4k --size=16m --nrfiles=2000 --openfiles=100 --filename_format='d.$filenum' --output-format=json
	ended 0
	holds '.jobs[0].write.total_ios == 4000'
	[ "$(find . -name 'd.*' | wc -l)" -eq 2000 ]
	below 20000 100
}
