#!/usr/bin/env bats
# fathom doctor as users call it: arguments, exit status, that it changes nothing.
# also: asan
load lib

tree() {
	python3 "$TOP/tests/trees/build" "$TOP/tests/trees/$1.tree" "$BATS_TEST_TMPDIR/$1"
	echo "$BATS_TEST_TMPDIR/$1"
}

@test "doctor without argument looks at this machine and exits 0" {
	run "$FATHOM" doctor --quick
	[ "$status" -eq 0 ]
	[[ $output == *"CPU governor"* ]]
	[[ $output != *"I/O scheduler"* ]]
}

@test "doctor --json is one JSON document with stable keys" {
	"$FATHOM" doctor --json >"$BATS_TEST_TMPDIR/out"
	python3 - "$BATS_TEST_TMPDIR/out" <<-'PY'
		import json, sys
		doc = json.load(open(sys.argv[1]))
		assert sum(doc["counts"].values()) == len(doc["findings"])
		for f in doc["findings"]:
		    assert set(f) == {"code", "title", "subject", "severity", "evidence", "effect", "effect_measured",
		                      "seconds", "remedy"}, f
	PY
}

@test "doctor of a file names the device it lies on" {
	echo x >"$BATS_TEST_TMPDIR/file"
	run "$FATHOM" doctor --quick "$BATS_TEST_TMPDIR/file"
	[ "$status" -eq 0 ]
	[[ $output == *"Device"* ]]
	[ "$(cat "$BATS_TEST_TMPDIR/file")" = x ]
}

@test "doctor of a job lays nothing out" {
	cd "$BATS_TEST_TMPDIR"
	printf '[w]\nfilename=new\nrw=write\nsize=1m\n' >job
	run "$FATHOM" doctor --quick job
	[ "$status" -eq 0 ]
	[[ $output == *"Queue depth"* ]]
	[ ! -e new ]
}

@test "doctor tells a wrong command line or job with status 1" {
	run "$FATHOM" doctor --nonsense
	[ "$status" -eq 1 ]
	run "$FATHOM" doctor /dev/no-such-device
	[ "$status" -eq 1 ]
	run "$FATHOM" doctor a b
	[ "$status" -eq 1 ]
	run "$FATHOM" doctor --sysroot="$BATS_TEST_TMPDIR/none"
	[ "$status" -eq 1 ]
	printf '[w]\nrw=sideways\n' >"$BATS_TEST_TMPDIR/bad.fio"
	run "$FATHOM" doctor "$BATS_TEST_TMPDIR/bad.fio"
	[ "$status" -eq 1 ]
	[[ $output == *"sideways"* ]]
}

@test "the reference machine: what to do, with the cpus_allowed to write" {
	run "$FATHOM" doctor --sysroot="$(tree xeon-optane-5.4)" --fail-on=bad "$TOP/examples/optane-qd1.fio"
	[ "$status" -eq 2 ]
	[[ $output == *"fix      cpus_allowed=18-35"* ]]
	[[ $output == *"options nvme poll_queues="* ]]
	[[ $output == *"frequency-set -g performance"* ]]
	[[ $output == *"cannot move these vectors"* ]]
	run "$FATHOM" doctor --sysroot="$(tree two-socket-server)" --fail-on=bad
	[ "$status" -eq 0 ]
}
