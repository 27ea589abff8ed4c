#!/usr/bin/env bats
# fathom tune as users call it: on copies of recorded machines, and on a loop device of this one.
# also: asan
load lib
load devices

tree() {
	python3 "$TOP/tests/trees/build" "$TOP/tests/trees/$1.tree" "$PWD/$1"
	root=$PWD/$1
}

# Every file below the tree with its bytes.
state() {
	(cd "$root" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
}

tune() {
	fathom tune --sysroot="$root" "$@"
}

@test "without an option tune shows what it would change, and changes nothing" {
	tree xeon-optane-5.4
	state >before
	tune nvme0n1
	ended 0
	says 'cpu18/cpufreq/scaling_governor: powersave -> performance'
	says 'nomerges: 0 -> 2|nomerges: 1 -> 2|Nothing'
	says 'effect +the CPU frequency ramps up'
	says 'options nvme poll_queues=4'
	says 'fathom run --tune'
	says '37 to change; nothing was done'
	state | diff before -
	tune --dry-run nvme0n1
	ended 0
	state | diff before -
}

@test "apply, again, status, restore: to the byte" {
	tree laptop-powersave
	state >before
	tune --apply nvme0n1
	ended 0
	says '[0-9]+ changed; fathom tune --restore'
	[ "$(cat "$root"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)" = performance ]
	tune --apply nvme0n1
	ended 0
	says 'Nothing to change'
	tune --status
	says 'scaling_governor: powersave -> performance'
	tune --restore
	ended 0
	says '^[1-9][0-9]* restored$'
	state | diff before -
	tune --restore
	ended 0
	says '^0 restored$'
}

@test "the doctor is content with what tune did" {
	tree laptop-powersave
	"$FATHOM" doctor --sysroot="$root" nvme0n1 | grep -E '^(warn|bad) +CPU governor'
	tune --apply nvme0n1
	"$FATHOM" doctor --sysroot="$root" nvme0n1 | grep -E '^ok +CPU governor'
	tune --restore
	"$FATHOM" doctor --sysroot="$root" nvme0n1 | grep -E '^(warn|bad) +CPU governor'
}

@test "what somebody else changed since is shown and left alone, unless forced" {
	tree laptop-powersave
	state >before
	tune --apply nvme0n1
	echo schedutil >"$root/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor"
	tune --status --json
	holds '[.changes[] | select(.changed_since)] | length == 1 and .[0].now == "schedutil"'
	tune --restore
	ended 2
	says "cpu1/cpufreq/scaling_governor was 'powersave'.*not restored"
	says '1 skipped'
	[ "$(cat "$root/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor")" = schedutil ]
	tune --restore --force
	ended 0
	state | diff before -
}

@test "a device that is gone has taken its changes along, and nobody is blamed" {
	tree laptop-powersave
	tune --apply nvme0n1
	ended 0
	rm "$root"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
	tune --status
	ended 0
	says 'cpu0/cpufreq/scaling_governor: powersave -> performance; it is gone now$'
	! grep 'somebody else' out || fail "somebody is blamed"
	tune --status --json
	holds '[.changes[] | select(.now == null)] | length == 1 and (.[0].changed_since | not)'
	tune --restore
	ended 0
	says '^[1-9][0-9]* restored$'
}

@test "JSON has every change with its file, values, reason and outcome" {
	tree centos-7
	tune --json /dev/nvme0n1
	ended 0
	holds '.action == "dry-run" and ([.changes[] | select(.outcome != "wanted")] | length == 0)'
	holds '.changes | map(.code) == ["rq-affinity", "interrupts"]'
	holds '.changes[1] | .file == "/proc/irq/31/smp_affinity_list" and .from == "0" and .to == "1" and .effect != ""'
	holds '[.remarks[].code] | index("irqbalance") != null'
	tune --json --apply nvme0n1
	holds '.changes | all(.outcome == "done")'
	tune --json --restore
	holds '.undone == 2 and .left_alone == 0 and .failed == 0 and (.changes | length == 2)'
}

@test "a disk of the root file system is refused, also below a partition" {
	tree centos-7
	state >before
	for device in sda sda1 /dev/sda1; do
		tune --apply "$device"
		ended 2 'sda holds the root file system'
	done
	state | diff before -
}

@test "a stack means its disks" {
	tree crypt-md-nvme
	echo 0 >"$root/sys/class/block/nvme1n1/queue/rq_affinity"
	tune --json dm-0
	holds '.changes | any(.file == "/sys/class/block/nvme1n1/queue/rq_affinity" and .to == "2")'
	holds '.changes | any(.file == "/sys/class/block/nvme0n1/queue/nomerges")'
}

@test "a job file: only what its jobs profit from" {
	tree laptop-powersave
	printf '[r]\nfilename=/dev/nvme0n1\nrw=read\nsize=1g\ndirect=1\n' >seq.fio
	sed 's/rw=read/rw=randread/' seq.fio >rand.fio
	tune --json seq.fio
	holds '.changes | all(.code != "nomerges")'
	tune --json rand.fio
	holds '.changes | any(.code == "nomerges" and .to == "2")'
}

@test "the line for modprobe is written on request, beside others, never into a foreign file" {
	tree xeon-optane-5.4
	mkdir -p "$root/etc/modprobe.d"
	tune --write-modprobe nvme0n1
	ended 0
	grep -x 'options nvme poll_queues=4' "$root/etc/modprobe.d/fathom.conf"
	[ "$(wc -l <"$root/etc/modprobe.d/fathom.conf")" -eq 2 ]
	tune --write-modprobe nvme0n1
	[ "$(wc -l <"$root/etc/modprobe.d/fathom.conf")" -eq 2 ]
	echo 'options x y=1' >"$root/etc/other.conf"
	tune --write-modprobe=/etc/other.conf nvme0n1
	ended 2 'not a file of fathom'
	tune --dry-run --write-modprobe=/etc/third.conf nvme0n1
	ended 0
	[ ! -e "$root/etc/third.conf" ]
}

@test "wrong command lines are told with status 1" {
	for words in "" "--apply" "--apply --restore x" "--nonsense x" "--force x" "a b" "--sysroot=none x" "no-such-device" \
		"--write-modprobe --status"; do
		# shellcheck disable=SC2086
		fathom tune $words
		ended 1 'error'
	done
	fathom tune --help
	ended 0
	says '^usage: fathom tune'
}

@test "without the rights tune says what to do" {
	need_root
	need setpriv
	tree laptop-powersave
	open=$(mktemp -d)
	cp -a "$root" "$FATHOM" "$open"
	chmod -R a+rX "$open"
	rc=0
	setpriv --reuid=65534 --regid=65534 --clear-groups "$open/fathom" tune --sysroot="$open/laptop-powersave" \
		--apply nvme0n1 >out 2>err </dev/null || rc=$?
	rm -r "$open"
	ended 2 'run as root'
}

# A loop device whose queue wants tuning; its state before is in `before`.
slow_loop() {
	need_devices
	new_loop 16m
	queue=/sys/block/${dev#/dev/}/queue
	grep -q mq-deadline "$queue/scheduler" || skip "no scheduler to choose here"
	echo 0 >"$queue/rotational"
	echo mq-deadline >"$queue/scheduler"
	echo 0 >"$queue/nomerges"
	echo 0 >"$queue/rq_affinity"
	# What someone else left behind stays with a loop device; a value here would be one more change.
	[ ! -e "$queue/wbt_lat_usec" ] || echo 0 >"$queue/wbt_lat_usec" || skip "write throttling cannot be set"
	export FATHOM_STATE_DIR=$PWD/state
	queue_state >before
}

queue_state() {
	head "$queue"/{scheduler,nomerges,rq_affinity}
	[ ! -e "$queue/wbt_lat_usec" ] || cat "$queue/wbt_lat_usec"
}

@test "a loop device of this machine: its queue is changed and given back" {
	slow_loop
	fathom tune --json --apply "$dev"
	ended 0
	holds '[.changes[] | select(.subject == "'"${dev#/dev/}"'") | .code] | sort == ["nomerges", "rq-affinity", "scheduler"]'
	is_tuned
	fathom tune --restore
	ended 0
	queue_state | diff before -
	[ ! -e state/tune.journal ]
}

is_tuned() {
	grep -q '\[none\]' "$queue/scheduler" && [ "$(cat "$queue/nomerges")$(cat "$queue/rq_affinity")" = 22 ]
}

job() {
	printf -- '--name=r --filename=%s --rw=randread --bs=4k --direct=1 --time_based --runtime=%s' "$dev" "$1"
}

@test "--tune tunes for the run, says what, and gives it back" {
	slow_loop
	cat >look.sh <<-END
		#!/bin/sh
		cat $queue/nomerges >during
	END
	chmod +x look.sh
	# shellcheck disable=SC2046
	fathom_json --tune $(job 1) --exec_prerun="$PWD/look.sh"
	ended 0
	queue_state | diff before -
	[ "$(cat during)" = 2 ]
	holds '[.fathom.tuned[] | select(.file | test("scheduler")) | [.from, .to]] == [["mq-deadline", "none"]]'
	holds '.fathom.tuned | map(.file) | any(test("nomerges")) and any(test("rq_affinity"))'
	[ -z "$(ls state)" ]
	# shellcheck disable=SC2046
	fathom --tune $(job 1)
	says '^Tuned for the run: .*nomerges 0 -> 2'
	queue_state | diff before -
}

@test "--tune gives back after a signal, and after a run that fails" {
	slow_loop
	for signal in INT TERM HUP; do
		# shellcheck disable=SC2046
		start --tune --output-format=json $(job 30)
		await is_tuned
		kill -$signal "$pid"
		rc=0
		wait "$pid" || rc=$?
		[ "$rc" -eq 128 ]
		holds '.fathom.interrupted and (.fathom.tuned | length >= 3)'
		queue_state | diff before -
	done
	# shellcheck disable=SC2046
	fathom --tune $(job 1) --offset=1g --size=4k
	[ "$rc" -ne 0 ]
	queue_state | diff before -
	# shellcheck disable=SC2046
	fathom --tune $(job 1) --exec_prerun=false
	[ "$rc" -ne 0 ]
	queue_state | diff before -
	[ -z "$(ls state)" ]
}

@test "what a killed run left is given back by the next run and by tune" {
	slow_loop
	for next in run status; do
		# shellcheck disable=SC2046
		start --tune $(job 30)
		await is_tuned
		kill -KILL "$pid"
		wait "$pid" || true
		is_tuned
		[ -n "$(ls state)" ]
		if [ "$next" = run ]; then
			# shellcheck disable=SC2046
			fathom --tune $(job 1)
		else
			fathom tune --status
		fi
		ended 0 'restored 3 system settings'
		queue_state | diff before -
		[ -z "$(ls state)" ]
	done
}

@test "--tune without rights refuses the run; a simulated run has nothing to tune" {
	fathom_json --tune --name=s --ioengine=sim --size=64k
	ended 0
	holds '.fathom.tuned == []'
	slow_loop
	need setpriv
	open=$(mktemp -d)
	cp "$FATHOM" "$open/fathom"
	chmod a+rx "$open"
	chmod a+rw "$dev"
	rc=0
	# shellcheck disable=SC2046
	(cd / && FATHOM_STATE_DIR= setpriv --reuid=65534 --regid=65534 --clear-groups "$open/fathom" --tune $(job 1)) \
		>out 2>err </dev/null || rc=$?
	rm -r "$open"
	ended 2 'run as root'
	queue_state | diff before -
}
