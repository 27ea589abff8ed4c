#!/usr/bin/env bats
# The two jobs that Fathom was begun for, as they stand in examples/, on a memory device and on a file: the report line by line.

load lib
load devices

# The lines of `out` have to match the patterns of standard input (extended regular expressions of whole lines), in order. A
# pattern that begins with `+ ` stands for one or more lines, with `? ` for one or none, with `* ` for any number.
anatomy() {
	python3 - out 3<&0 <<-'END' || { show; return 1; }
		import re, sys
		lines = open(sys.argv[1], encoding="utf-8").read().split("\n")[:-1]
		at = 0
		for pattern in open(3, encoding="utf-8").read().splitlines():
		    most, least = 1, 1
		    if pattern[:2] in ("+ ", "? ", "* "):
		        most, least = (1 if pattern[0] == "?" else len(lines)), (1 if pattern[0] == "+" else 0)
		        pattern = pattern[2:]
		    n = 0
		    while n < most and at < len(lines) and re.fullmatch(pattern, lines[at]):
		        at, n = at + 1, n + 1
		    if n < least:
		        sys.exit(f"line {at + 1} is not {pattern!r}: {lines[at] if at < len(lines) else '(end)'!r}")
		if at < len(lines):
		    sys.exit(f"line {at + 1} is too many: {lines[at]!r}")
	END
}

# Numbers as the report writes them: 1234, 12.5k, 1.23; sizes in both families.
patterns() {
	sed -e 's/NUM/[0-9]+(\\.[0-9]+)?[kMG]?/g' -e 's/IEC/[0-9]+(\\.[0-9]+)?([KMGT]i)?B/g' -e 's/SI/[0-9]+(\\.[0-9]+)?[kMGT]?B/g' \
		-e 's/AVG/ *[0-9]+\\.[0-9]{2}/g' -e 's/PCT/[0-9]+\\.[0-9]{2}%/g' -e 's/SHARE/[0-9]+\\.[0-9]%/g'
}

latency='min= *NUM, max= *NUM, avg=AVG, stdev=AVG'
depths='1=SHARE, 2=SHARE, 4=SHARE, 8=SHARE, 16=SHARE, 32=SHARE, >=64=SHARE'
batches='0=SHARE, 4=SHARE, 8=SHARE, 16=SHARE, 32=SHARE, 64=SHARE, >=64=SHARE'

polled_report() {
	patterns <<-END | anatomy
		rd_rnd_qd_1_4k_1w: \(g=0\): rw=randread, bs=\(R\) 4096B-4096B, \(W\) 4096B-4096B, \(T\) 4096B-4096B, ioengine=pvsync2, iodepth=1
		fio-3\.42-fathom-[0-9.]+\S*
		Starting 1 thread

		rd_rnd_qd_1_4k_1w: \(groupid=0, jobs=1\): err= 0: pid=[0-9]+: [A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8} [0-9]{4}
		  read: IOPS=NUM, BW=IEC/s \(SI/s\)\(IEC/[0-9]+msec\)
		    clat \([num]sec\): $latency
		     lat \([num]sec\): $latency
		    clat percentiles \([num]sec\):
		+      \| ( *[0-9]+\.[0-9]{6}th=\[ *[0-9]+\],?)+
		   bw \(  [KM]iB/s\): min= *[0-9]+, max= *[0-9]+, per=PCT, avg=AVG, stdev=AVG, samples=[0-9]+
		   iops        : min= *[0-9]+, max= *[0-9]+, avg=AVG, stdev=AVG, samples=[0-9]+
		+   lat \([num]sec\)   : ([0-9]+|>=2000)=PCT(, ([0-9]+|>=2000)=PCT){0,4}
		  cpu          : usr=PCT, sys=PCT, ctx=[0-9]+, majf=[0-9]+, minf=[0-9]+
		  IO depths    : $depths
		     submit    : $batches
		     complete  : $batches
		     issued rwts: total=[0-9]+,0,0,0 short=0,0,0,0 dropped=0,0,0,0
		     latency   : target=0.00ns, window=0.00ns, percentile=100.00%, depth=1
		* ( {2}fathom| {2}verdict| {2}undisturbed| {2}slow I/Os| {5}[a-z]+) +: .*

		Run status group 0 \(all jobs\):
		   READ: bw=IEC/s \(SI/s\), IEC/s-IEC/s \(SI/s-SI/s\), io=IEC \(SI\), run=[0-9]+-[0-9]+msec
		? ()
		? Disk stats \(read/write\):
		+   \w+: ios=[0-9]+/[0-9]+, sectors=[0-9]+/[0-9]+, merge=[0-9]+/[0-9]+, ticks=[0-9]+/[0-9]+, in_queue=[0-9]+, util=PCT
	END
}

deep_report() {
	patterns <<-END | anatomy
		job1: \(g=0\): rw=randread, bs=\(R\) 4096B-4096B, \(W\) 4096B-4096B, \(T\) 4096B-4096B, ioengine=libaio, iodepth=16
		\.\.\.
		fio-3\.42-fathom-[0-9.]+\S*
		Starting 8 threads

		job1: \(groupid=0, jobs=8\): err= 0: pid=[0-9]+: [A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8} [0-9]{4}
		  read: IOPS=NUM, BW=IEC/s \(SI/s\)\(IEC/[0-9]+msec\)
		    slat \([num]sec\): $latency
		    clat \([num]sec\): $latency
		     lat \([num]sec\): $latency
		    clat percentiles \([num]sec\):
		+      \| ( *[0-9]+\.[0-9]{2}th=\[ *[0-9]+\],?)+
		   bw \(  [KM]iB/s\): min= *[0-9]+, max= *[0-9]+, per=PCT, avg=AVG, stdev=AVG, samples=[0-9]+
		   iops        : min= *[0-9]+, max= *[0-9]+, avg=AVG, stdev=AVG, samples=[0-9]+
		+   lat \([num]sec\)   : ([0-9]+|>=2000)=PCT(, ([0-9]+|>=2000)=PCT){0,4}
		  cpu          : usr=PCT, sys=PCT, ctx=[0-9]+, majf=[0-9]+, minf=[0-9]+
		  IO depths    : $depths
		     submit    : $batches
		     complete  : $batches
		     issued rwts: total=32768,0,0,0 short=0,0,0,0 dropped=0,0,0,0
		     latency   : target=0.00ns, window=0.00ns, percentile=100.00%, depth=16
		* ( {2}fathom| {2}verdict| {2}undisturbed| {2}slow I/Os| {5}[a-z]+) +: .*

		Run status group 0 \(all jobs\):
		   READ: bw=IEC/s \(SI/s\), IEC/s-IEC/s \(SI/s-SI/s\), io=128MiB \(134MB\), run=[0-9]+-[0-9]+msec

		Disk stats \(read/write\):
		+   \w+: ios=[0-9]+/[0-9]+, sectors=[0-9]+/[0-9]+, merge=[0-9]+/[0-9]+, ticks=[0-9]+/[0-9]+, in_queue=[0-9]+, util=PCT
	END
}

# A log a second: with max in it, as log_max_value asks.
log_lines() {
	local name
	for name in bw_rd_rnd_qd_1_4k_1w_bw iops_rd_rnd_qd_1_4k_1w_iops lat_rd_rnd_qd_1_4k_1w_{clat,lat}; do
		[ "$(grep -cE '^[0-9]+, [0-9]+, 0, 0, 0$' "$name.1.log")" -ge 1 ] || {
			head ./*.log
			fail "$name"
		}
	done
	[ ! -s lat_rd_rnd_qd_1_4k_1w_slat.1.log ]
}

direct_file() {
	keep 16m target
	dd if=target of=/dev/null iflag=direct bs=4k count=1 status=none || skip "no direct I/O here"
	dev=target
}

@test "random reads at depth 1 with polling, on a memory device" {
	need_devices
	new_zram 64m
	dd if=/dev/urandom of="$dev" bs=1M count=64 status=none
	fathom "$TOP/examples/optane-qd1.fio" --set "filename=$dev" --set runtime=1
	ended 0
	polled_report
	log_lines
}

@test "random reads at depth 1 with polling, on a file" {
	direct_file
	fathom "$TOP/examples/optane-qd1.fio" --set "filename=$dev" --set runtime=1
	ended 0
	polled_report
	log_lines
}

@test "random reads at depth 16 by eight workers, on a memory device" {
	need_devices
	new_zram 16m
	dd if=/dev/urandom of="$dev" bs=1M count=16 status=none
	fathom "$TOP/examples/nvme-randread.fio" --set "filename=$dev"
	ended 0
	deep_report
}

@test "random reads at depth 16 by eight workers, on a file" {
	direct_file
	fathom "$TOP/examples/nvme-randread.fio" --set "filename=$dev"
	ended 0
	deep_report
}

@test "without norandommap every block is read once by each worker" {
	need_devices
	new_zram 16m
	fathom_json "$TOP/examples/nvme-randread.fio" --set "filename=$dev" --set norandommap=0
	ended 0
	holds '(.jobs | length) == 1 and .jobs[0].read.total_ios == 32768'
}

@test "the reference jobs are planned on any machine" {
	local job
	for job in optane-qd1 nvme-randread; do
		fathom explain "$TOP/examples/$job.fio" --set filename=missing --set size=1g
		ended 0
		[ ! -e missing ]
	done
}
