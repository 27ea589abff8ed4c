#!/usr/bin/env bats
# --isolate on this machine, as far as the rights and the CPUs go: where workers run while they do, what is told, and that
# everything is as before, however the run ends. What takes a machine of its own is in tests/vm/isolate.sh.
load lib

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	pids=()
	tied=
	export FATHOM_STATE_DIR=$BATS_TEST_TMPDIR/state
	head -c 4M /dev/urandom >f
}

two_cpus() {
	[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
}

# By number: which CPU is chosen depends on what else runs at the moment, a worker of the test before included.
last=$(($(nproc) - 1))
job=(--name=w --filename=f --rw=randread --ioengine=psync --direct=1 --time_based "--cpus_allowed=$last")

# What a run may change and has to give back.
state() {
	cat /proc/irq/[0-9]*/smp_affinity_list 2>/dev/null || true
	find /sys/fs/cgroup -maxdepth 2 -name 'fathom-*' 2>/dev/null || true
	cat /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null || true
	taskset -pc $$ | sed 's/.*: //'
}

# begin ARGUMENTS...: a run in the background whose worker's thread is $worker.
begin() {
	start --isolate "${job[@]}" "$@"
	await worker_runs
}

worker_runs() {
	local t
	for t in /proc/"$pid"/task/*; do
		[ "$(cat "$t/comm")" = w ] || continue
		worker=${t##*/}
		[ "$(sed -n 's/^Cpus_allowed_list:\t//p' "$t/status")" = "$last" ] && return 0
	done
	return 1
}

# Of a task's stat: 40 is the real-time priority, 41 the policy.
field() {
	cut -d' ' -f"$1" "/proc/$2/stat"
}

# An interrupt that is not of the measured disk on the CPU that the worker will have; given back by teardown.
tie_interrupt() {
	local i
	for i in /proc/irq/[0-9]*; do
		grep "^ *${i##*/}:" /proc/interrupts | grep -qv -e nvme -e req || continue
		tied=$i was=$(cat "$i/smp_affinity_list")
		if echo "$last" 2>/dev/null >"$i/smp_affinity_list"; then return 0; fi
	done
	tied=
	skip "no interrupt can be moved here"
}

teardown() {
	kill_started
	# What a test that failed half way left behind.
	[ -z "$(ls "$FATHOM_STATE_DIR" 2>/dev/null)" ] || "$FATHOM" --isolate --name=x --ioengine=null --size=4k >/dev/null 2>&1
	[ -z "$tied" ] || echo "$was" >"$tied/smp_affinity_list"
}

as_before() {
	state >after
	diff before after
	[ -z "$(ls "$FATHOM_STATE_DIR" 2>/dev/null)" ]
}

@test "explain tells the CPUs that are taken and those that are left" {
	two_cpus
	fathom explain --isolate "${job[@]}" --runtime=1
	[ "$rc" -eq 0 ]
	says '^  CPUs +[0-9]+$'
	says '^  Isolated +CPU [0-9, -]+ (is|are) reserved for the workers'
}

@test "--isolate holds for all jobs, --isolate=1 for its own" {
	two_cpus
	fathom explain --isolate --name=a --ioengine=null --size=1m --name=b --ioengine=null --size=1m
	[ "$(grep -c '^  Isolated' out)" -eq 2 ]
	fathom explain --name=a --isolate=1 --ioengine=null --size=1m --name=b --ioengine=null --size=1m
	[ "$(grep -c '^  Isolated' out)" -eq 1 ]
}

@test "a worker has its CPU to itself, supervision runs elsewhere, and the report says what was done" {
	two_cpus
	need_root
	need taskset
	state >before
	begin --runtime=2 --output-format=json
	mask=$(sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$pid/status")
	[ "$mask" != "$last" ]
	[[ ,$mask, != *,$last,* ]]
	finish
	[ "$rc" -eq 0 ]
	holds ".jobs[0].fathom.cpus == \"$last\""
	holds '[.fathom.isolation[].what] as $w | ($w[0] == "cpus") and ($w | index("partition")) and ($w | index("interrupts"))
		and ($w | index("priority")) and ($w | index("memory"))'
	holds '[.fathom.isolation[] | select((.why | length) == 0)] | length == 0'
	# Each step that was not done is also a warning.
	[ "$(grep -c '^fathom: warning: isolate: ' err)" -eq "$(jq '[.fathom.isolation[] | select(.done | not)] | length' out)" ]
	as_before
}

@test "the real-time worker goes before a hog that is pinned to its CPU" {
	two_cpus
	need_root
	need taskset chrt
	chrt -f 1 true 2>/dev/null || skip "no right to real-time priority here"
	# One tenth of the time busy, as an application server beside it.
	taskset -c "$last" python3 -c '
import time
end = time.time() + 30
while time.time() < end:
    t = time.time() + .01
    while time.time() < t: pass
    time.sleep(.09)' 3>&- &
	pids+=($!)
	hog=$!
	state >before
	begin --runtime=2 --output-format=json
	[ "$(field 41 "$worker")" -eq 1 ]
	[ "$(field 40 "$worker")" -eq 1 ]
	[ "$(field 41 "$pid")" -eq 0 ]
	[ "$(field 41 "$hog")" -eq 0 ]
	finish
	[ "$rc" -eq 0 ]
	holds '.fathom.isolation[] | select(.what == "priority") | .done'
	kill "$hog"
	as_before
}

@test "nothing is left behind after SIGINT" {
	two_cpus
	need_root
	tie_interrupt
	state >before
	begin --runtime=30
	[ "$(cat "$tied/smp_affinity_list")" != "$last" ]
	kill -INT "$pid"
	finish
	[ "$rc" -eq 128 ]
	as_before
}

@test "what a killed run left behind is taken back by the next one, which says so" {
	two_cpus
	need_root
	tie_interrupt
	state >before
	begin --runtime=30
	journal=("$FATHOM_STATE_DIR"/run-"$pid"-*.journal)
	[ -s "${journal[0]}" ]
	[ "$(cat "$tied/smp_affinity_list")" != "$last" ]
	kill -KILL "$pid"
	finish
	[ -s "${journal[0]}" ]
	fathom --isolate "${job[@]}" --runtime=1
	[ "$rc" -eq 0 ]
	head -n 1 err | grep -Eq 'restored [0-9]+ system settings? left behind by 1 killed run'
	as_before
}

@test "a run without the option leaves the journal of a killed one alone" {
	two_cpus
	need_root
	tie_interrupt
	state >before
	begin --runtime=30
	kill -KILL "$pid"
	finish
	ls "$FATHOM_STATE_DIR" >left
	fathom "${job[@]}" --runtime=1
	ls "$FATHOM_STATE_DIR" | diff left -
	fathom --isolate "${job[@]}" --runtime=1
	as_before
}

@test "commands of the job do not run on its CPU" {
	two_cpus
	need_root
	fathom --isolate "${job[@]}" --runtime=1 \
		--exec_prerun='grep Cpus_allowed_list /proc/self/status; chrt -p $$' --output-format=json
	[ "$rc" -eq 0 ]
	! grep -q "Cpus_allowed_list:[[:space:]]*$last\$" w.prerun.txt
	grep -q SCHED_OTHER w.prerun.txt
	holds ".jobs[0].fathom.cpus == \"$last\""
}

@test "without the rights the run takes place, and what could not be done is said" {
	two_cpus
	need_root
	need setpriv
	chmod 777 .
	chmod 644 f
	rc=0
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all \
		"$FATHOM" --isolate "${job[@]}" --runtime=1 --output-format=json >out 2>err </dev/null || rc=$?
	[ "$rc" -eq 0 ]
	holds ".jobs[0].fathom.cpus == \"$last\""
	holds '[.fathom.isolation[] | select(.what == "partition" or .what == "interrupts" or .what == "priority") | .done] ==
		[false, false, false]'
	grep -q 'isolate: priority: .*run as root' err
}

@test "more workers than CPUs share them without real-time priority, and that is said" {
	two_cpus
	fathom_json --isolate --name=w --ioengine=null --size=1g --time_based --runtime=1 --numjobs="$(nproc)" --group_reporting
	[ "$rc" -eq 0 ]
	grep -q 'share CPUs' err
	holds '.fathom.isolation[] | select(.what == "priority") | (.done | not) and (.why | test("share|not for"))'
}
