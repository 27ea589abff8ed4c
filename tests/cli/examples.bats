# Every job file of examples/ runs, made small with --set, in an empty folder, and ends with status 0.

setup() {
	[ -x "$FATHOM" ] || skip "no program"
	cd "$BATS_TEST_TMPDIR"
	small=(--set runtime=1 --set ramp_time=0 --set size=4m)
}

teardown() {
	[ -z "${loop:-}" ] || losetup -d "$loop"
}

# example NAME [ARGUMENTS]: nothing is left behind but what NAME asks for.
example() {
	local name=$1
	shift
	"$FATHOM" "$@" "$TOP/examples/$name.fio" >out 2>err || { cat out err; return 1; }
	rm out err
	[ -z "$(ls -A)" ] || { ls -A; return 1; }
}

@test "every example is listed: in its README, in meson.build, and here" {
	for path in "$TOP"/examples/*.fio; do
		name=$(basename "$path" .fio)
		grep -q "\`$name.fio\`" "$TOP/examples/README.md"
		grep -q "'$name.fio'" "$TOP/examples/meson.build"
		grep -qE "example $name( |$)" "$TOP/tests/cli/examples.bats"
	done
}

@test "every example of our own says which question it answers" {
	for path in "$TOP"/examples/*.fio; do
		case $path in */optane-qd1.fio | */nvme-randread.fio) continue ;; esac
		head -n 1 "$path" | grep -q '^# Question: .*?$' || { echo "$path"; return 1; }
	done
}

@test "explain describes every example and touches nothing" {
	truncate -s 16m device
	for path in "$TOP"/examples/*.fio; do
		arguments=()
		case $path in */optane-qd1.fio | */nvme-randread.fio) arguments=(--set filename=device) ;; esac
		case $path in */trim.fio) arguments=(--set ioengine=null --set size=1m --set filename=) ;; esac
		DEVICE=device "$FATHOM" explain "${arguments[@]}" "$path" >out 2>&1 || { cat out; return 1; }
		rm out
		[ "$(ls -A)" = device ]
	done
}

@test "backup" {
	example backup "${small[@]}"
}

@test "database-log" {
	example database-log "${small[@]}"
}

@test "depth-sweep" {
	example depth-sweep "${small[@]}" --set runtime=100ms
}

@test "etcd-wal" {
	example etcd-wal --set size=23000
}

@test "latency-polled, without polling" {
	# Which device lies below a test folder, and whether it has poll queues, is not for this test to say.
	example latency-polled "${small[@]}" --set hipri=0
}

@test "nvme-randread, on a file" {
	truncate -s 4m device
	"$FATHOM" --set filename=device --set runtime=1 "$TOP/examples/nvme-randread.fio" >out
	grep -q 'jobs=8' out
	: example nvme-randread
}

@test "oltp" {
	example oltp "${small[@]}"
}

@test "optane-qd1, on a file" {
	truncate -s 4m device
	"$FATHOM" --set filename=device --set runtime=1 "$TOP/examples/optane-qd1.fio" >out
	grep -q '100.000000th=' out
	[ -s bw_rd_rnd_qd_1_4k_1w_bw.1.log ]
	: example optane-qd1
}

@test "page-cache" {
	example page-cache "${small[@]}"
}

@test "precondition, on a file" {
	truncate -s 4m device
	DEVICE=device "$FATHOM" --set runtime=1 --set size=4m "$TOP/examples/precondition.fio" >out
	[ -s precondition_bw.2.log ]
	: example precondition
}

@test "precondition and trim do nothing without a device" {
	for name in precondition trim; do
		run "$FATHOM" "$TOP/examples/$name.fio"
		[ "$status" -eq 1 ]
		[ -z "$(ls -A)" ]
	done
}

@test "rated-reader" {
	example rated-reader "${small[@]}"
}

@test "simulated: the stalls show in the latency from the schedule alone" {
	"$FATHOM" --output-format=json "$TOP/examples/simulated.fio" >out
	python3 - <<'END'
import json
job = json.load(open("out"))["jobs"][1]
clat = job["read"]["clat_ns"]["percentile"]["99.000000"]
schedule = job["fathom"]["sched_lat_ns"]["read"]["percentile"]["99.000000"]
assert clat < 1e6 < 100e6 < schedule, (clat, schedule)
END
	rm out
	example simulated
}

@test "small-files" {
	example small-files --set nrfiles=20 --set openfiles=5
}

@test "tenants" {
	example tenants "${small[@]}"
}

@test "trim, on a loop device" {
	[ "$(id -u)" -eq 0 ] || skip "a loop device needs root"
	truncate -s 8m disk
	loop=$(losetup --find --show disk 2>/dev/null) || skip "no loop devices here"
	DEVICE=$loop "$FATHOM" --set runtime=200ms "$TOP/examples/trim.fio" >out || { cat out; return 1; }
	grep -q ' trim: IOPS=' out
	: example trim
}

@test "video" {
	example video "${small[@]}"
}
