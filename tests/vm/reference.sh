# Both reference jobs on the device path that stands in them, with only the runtime shortened: their output is complete, and
# hipri is taken at its word only where the kernel really polls.
# boot: -t 400
# files: examples/optane-qd1.fio examples/nvme-randread.fio
. /data/lib.sh
cd /out || exit 1

# measure NAME ARGUMENTS...: runs the program; NAME.txt, NAME.json, NAME.err, and in NAME.irq the interrupts of the queues of
# the NVMe meanwhile (q0 is the admin queue). Every run is made once for people and once for machines.
measure() {
	local name=$1
	shift
	fathom --output="$name.txt" "$@" 2>"$name.txt.err" || said "$name.txt.err" || return 1
	before=$(interrupts '^nvme0q[1-9]')
	fathom --output="$name.json" --output-format=json "$@" 2>"$name.err" || said "$name.err" || return 1
	echo $(($(interrupts '^nvme0q[1-9]') - before)) >"$name.irq"
}

said() {
	cat "$1"
	return 1
}

refused() {
	local name=$1
	shift
	! fathom --output="$name.json" --output-format=json "$@" 2>"$name.err"
}

# The anatomy of a report of reads, line by line.
anatomy() {
	has "$1" '^[A-Za-z0-9_]+: \(g=0\): rw=randread, bs=\(R\) 4096B-4096B, .*, ioengine=[a-z0-9_]+, iodepth=[0-9]+$' &&
		has "$1" '^(fathom|fio)-[0-9]' &&
		has "$1" '^Starting [0-9]+ (thread|process)' &&
		has "$1" '^[A-Za-z0-9_]+: \(groupid=0, jobs=[0-9]+\): err= 0: pid=[0-9]+: ' &&
		has "$1" '^  read: IOPS=[0-9.]+k?, BW=[0-9.]+[KM]?iB/s \([0-9.]+[kM]?B/s\)\([0-9.]+[KM]iB/[0-9]+msec\)' &&
		has "$1" '^    clat \([num]sec\): min=.*, max=.*, avg=.*, stdev=' &&
		has "$1" '^     lat \([num]sec\): min=.*, max=.*, avg=.*, stdev=' &&
		has "$1" '^    clat percentiles \([num]sec\):$' &&
		has "$1" '^     \|  1\.0+th=\[ *[0-9]+\]' &&
		has "$1" '^   bw \(  [KM]iB/s\): min= *[0-9]+, max= *[0-9]+, per=.*, avg=.*, stdev=.*, samples=[1-9]' &&
		has "$1" '^   iops        : min= *[0-9]+, max= *[0-9]+, avg=.*, stdev=.*, samples=[1-9]' &&
		has "$1" '^  lat \([num]sec\)   : ' &&
		has "$1" '^  cpu          : usr=.*%, sys=.*%, ctx=[0-9]+, majf=[0-9]+, minf=[0-9]+$' &&
		has "$1" '^  IO depths    : 1=.*%, 2=.*%, .*>=64=' &&
		has "$1" '^     submit    : 0=.*%, 4=.*%, .*>=64=' &&
		has "$1" '^     complete  : 0=.*%, 4=.*%, .*>=64=' &&
		has "$1" '^     issued rwts: total=[1-9][0-9]*,0,0,0 short=0,0,0,0 dropped=0,0,0,0$' &&
		has "$1" '^     latency   : target=' &&
		has "$1" '^Run status group 0 \(all jobs\):$' &&
		has "$1" '^   READ: bw=.*, .*-.*, io=.*, run=[0-9]+-[0-9]+msec$' &&
		has "$1" '^Disk stats \(read/write\):$' &&
		has "$1" '^  nvme0n1: ios=[1-9][0-9]*/[0-9]+, .*util='
}

lines() {
	n=$(wc -l <"$1")
	[ "$n" -ge "$2" ] || {
		echo "$1 has $n lines, expected $2"
		return 1
	}
}

polls() {
	ios=$(jq '.jobs[0].read.total_ios' "$1.json")
	[ "$ios" -ge 100 ] && [ "$(cat "$1.irq")" -eq 0 ] || {
		echo "$ios reads, $(cat "$1.irq") interrupts"
		return 1
	}
}

interrupted() {
	[ "$(cat "$1.irq")" -ge 100 ] || {
		echo "only $(cat "$1.irq") interrupts"
		return 1
	}
}

warned='[.jobs[0].fathom | .. | objects | select(.code? == "poll-inactive")] | length > 0'
quiet='[.jobs[0].fathom | .. | objects | select(.code? == "poll-inactive")] | length == 0'

check "optane-qd1 runs" measure optane /data/optane-qd1.fio --set runtime=3s
check "optane-qd1: every line of the report is there" anatomy optane.txt
check "optane-qd1: percentiles have the precision the list asks for" has optane.txt '99\.999999th=\[ *[0-9]+\]'
check "optane-qd1: one JSON document with a read of three seconds" json optane.json \
	'(.jobs | length == 1) and .jobs[0].read.runtime >= 2900 and .jobs[0].read.runtime < 4000 and .jobs[0].read.total_ios > 0'
check "optane-qd1: the bandwidth log has a line a second" lines bw_rd_rnd_qd_1_4k_1w_bw.1.log 3
check "optane-qd1: the IOPS log has a line a second" lines iops_rd_rnd_qd_1_4k_1w_iops.1.log 3
check "optane-qd1: the latency log has a line a second" lines lat_rd_rnd_qd_1_4k_1w_lat.1.log 3
check "optane-qd1: so have its halves" lines lat_rd_rnd_qd_1_4k_1w_clat.1.log 3

check "pvsync2 does not poll on this kernel" interrupted optane
check "pvsync2: that hipri had no effect is said in JSON" json optane.json "$warned"
check "pvsync2: and on standard error" has optane.err 'poll'
check "pvsync2: with the engine that polls" has optane.err 'io_uring'

check "optane-qd1 runs with io_uring" measure uring /data/optane-qd1.fio --set runtime=3s --set ioengine=io_uring
check "io_uring: every line of the report is there" anatomy uring.txt
check "io_uring hipri polls: no interrupt" polls uring
check "io_uring: no complaint about polling" json uring.json "$quiet"

check "optane-qd1 runs on a disk without poll queues" measure vda /data/optane-qd1.fio --set runtime=2s \
	--set filename=/dev/vda
check "no poll queue: said in JSON" json vda.json "$warned"
check "no poll queue: said on standard error" has vda.err 'poll'
check "io_uring: hipri without poll queues is refused before the run" refused vdau /data/optane-qd1.fio --set runtime=2s \
	--set filename=/dev/vda --set ioengine=io_uring
check "io_uring, no poll queue: what is missing is said" has vdau.err 'poll queues'

check "nvme-randread runs" measure randread /data/nvme-randread.fio --set runtime=3s
check "nvme-randread: every line of the report is there" anatomy randread.txt
check "nvme-randread: eight workers, one entry" has randread.txt ', jobs=8\): err= 0'
check "nvme-randread: libaio at depth 16" json randread.json \
	'(.jobs | length == 1) and (.jobs[0].iodepth_level | .["8"] + .["16"] > 50) and .jobs[0].error == 0'
finish
