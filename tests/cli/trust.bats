#!/usr/bin/env bats
# The harness of bench/trust with what cannot fail to disturb, and a stop of the process.

load lib

@test "the harness finds reads that the page cache answers, and only those" {
	[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
	need_root
	[ -e /sys/class/zram-control/hot_add ] || skip "no zram devices here"
	rc=0
	"$TOP/bench/trust/trust" --build "${FATHOM%/src/fathom}" --shared --runs 1 --seconds 1 --dir . page-cache >out 2>err || rc=$?
	ended 0
	says '^\| reads that the page cache answers \| `page-cache` \| 1 of 1 \| 0 of 1 \| yes \|'
	if compgen -G "fathom-bench.*"; then fail "the harness left files behind"; fi
}

@test "a stop of the process is named, with the seconds it touched" {
	start --output-format=json --name=j --ioengine=null --size=1g --rw=randread --time_based --runtime=3
	await has_threads "$pid" 2
	sleep 0.5
	kill -STOP "$pid"
	sleep 0.2
	kill -CONT "$pid"
	finish
	holds '.jobs[0].fathom.verdict | .verdict == "disturbed" and
		(.findings | any(.code == "stopped" and .severity == "disturbed" and .seconds != ""))'
	holds '.jobs[0].fathom.watched.stops >= 1'
}
