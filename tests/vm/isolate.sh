# isolate=1 on a machine that lets it: a cpuset partition for the worker, interrupts away from it, and all of it given back
# at the end, after SIGINT, and by the next run after a kill -9.
# boot: -t 400
. /data/lib.sh
cd /out || exit 1
group=/sys/fs/cgroup

# What has to be as before: every interrupt's CPUs, the groups there are, the controllers, where others may run.
state() {
	for i in /proc/irq/[0-9]*; do echo "$i $(cat "$i/smp_affinity_list")"; done
	echo "controllers $(cat $group/cgroup.subtree_control)"
	find $group -type d | sort
	echo "shell $(allowed $$)"
	ls /run/fathom 2>/dev/null
}

allowed() {
	sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$1/status"
}

# The CPU by number: chosen is the one that does least, and a hog is pinned to this one.
job="--isolate --cpus_allowed=1 --name=w --filename=/dev/nvme0n1 --readonly --rw=randread --ioengine=psync --direct=1 --time_based --eta=never"

run() {
	fathom $job "$@"
}

# begin SECONDS ARGUMENTS...: a run in the background; its process is $pid, its worker's thread $worker.
begin() {
	local seconds=$1
	shift
	fathom $job --runtime="$seconds" --output-format=json --output=run.json "$@" 2>run.err &
	pid=$!
	worker=
	n=0
	while [ -z "$worker" ] && [ $n -lt 200 ]; do
		sleep 0.1
		n=$((n + 1))
		for t in /proc/$pid/task/*; do
			[ "$(cat "$t/comm")" != w ] || ! grep -q 'fathom' "$t/cgroup" || worker=${t##*/}
		done
	done 2>/dev/null
	[ -n "$worker" ] || {
		cat run.err
		return 1
	}
	sleep 1
}

is() {
	[ "$1" = "$2" ] || {
		echo "'$1' instead of '$2'"
		return 1
	}
}

same() {
	state >after
	diff before after
}

# What the affinity of an interrupt was made counts: the IO-APIC moves it with the next one.
moved_away() {
	for i in /proc/irq/[0-9]*; do
		grep -q "^ *${i##*/}:" /proc/interrupts || continue
		case "$(cat "$i/smp_affinity_list") $(cat "$i/effective_affinity_list")" in
		"0-1 1" | "1 1") ;;
		*) continue ;;
		esac
		case "$(cat "$i/effective_affinity_list") $(echo "$i"/*)" in
		1*nvme0q[1-9]* | 1*nvme*q[1-9]* | 1*-req*) ;; # managed, or of the measured device
		1*)
			echo "$i $(cat "$i/smp_affinity_list") $(echo "$i"/*)"
			return 1
			;;
		esac
	done
}

ends() {
	wait "$pid"
	is "$?" "$1"
}

kill_hard() {
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	[ -d "$group/fathom-$pid" ]
}

# A task that was pinned to the worker's CPU before.
sh -c 'while :; do :; done' &
hog=$!
taskset -p 2 $hog >/dev/null
state >before

check "a run with --isolate begins" begin 8
check "its partition is one" is "$(cat "$group/fathom-$pid/cpuset.cpus.partition")" root
check "it has the CPU that is not the first" is "$(cat "$group/fathom-$pid/cpuset.cpus.effective")" 1
check "the worker is in it" grep -q "^0::/fathom-$pid\$" "/proc/$pid/task/$worker/cgroup"
check "and runs there" is "$(allowed "$pid/task/$worker")" 1
check "with real-time priority" is "$(cut -d' ' -f41 "/proc/$pid/task/$worker/stat")" 1
check "supervision is outside" is "$(allowed $pid)" 0
check "so is this shell" is "$(allowed $$)" 0
check "so is the hog that was pinned to that CPU" is "$(allowed $hog)" 0
check "so is the first process" is "$(allowed 1)" 0
check "movable interrupts are away from it" moved_away
check "what is to be undone is written down" grep -q fathom /run/fathom/run-$pid-*.journal
check "a second isolated run is one without a CPU of its own" fathom $(echo "$job" | sed 's/--cpus_allowed=1//') --runtime=1 --output=second.txt
check "and says so" has second.txt 'cpus *: not done: '
check "the first still has it" is "$(cat "$group/fathom-$pid/cpuset.cpus.partition")" root
check "the run ends well" ends 0
check "every step is done" json run.json \
	'[.fathom.isolation[] | .done] == [true, true, true, true, true]
	and ([.fathom.isolation[] | .what] == ["cpus", "partition", "interrupts", "priority", "memory"])'
check "the job was on its CPU" json run.json '.jobs[0].fathom.cpus == "1"'
# The hog stays where the kernel put it.
check "all is as before" same

begin 100
check "while another runs things have changed" eval '! same >/dev/null'
kill -INT $pid
check "SIGINT ends it" ends 128
check "and all is as before" same

begin 100
check "after kill -9 the partition is left behind" kill_hard
check "and keeps others off" is "$(allowed $$)" 0
check "another run with isolate takes it back" run --runtime=1 --output=next.txt
begin 100
kill_hard
run --runtime=1 >/dev/null 2>again.err
check "saying so before anything else" eval 'head -n 1 again.err | grep restored'
check "and all is as before" same

mkdir $group/session
sh -c "echo \$\$ >$group/session/cgroup.procs; exec sleep 1000" &
sleeper=$!
state >before
cat >inside <<'S'
echo $$ >/sys/fs/cgroup/session/cgroup.procs
exec fathom --eta=never --isolate --cpus_allowed=1 --name=w --filename=/dev/nvme0n1 --readonly --rw=randread --direct=1 --time_based --runtime=2 --output-format=json --output=inside.json
S
check "a run in another control group" sh inside
check "is isolated as well, and tells that it left the group" json inside.json \
	'.fathom.isolation[] | select(.what == "partition") | .done and (.why | test("not in /session"))'
check "and all is as before" same
echo +memory >$group/cgroup.subtree_control
echo 1G >$group/session/memory.max
state >before
check "a run in a group with limits" sh inside
check "does not escape them" json inside.json \
	'.fathom.isolation[] | select(.what == "partition") | (.done | not) and (.why | test("memory.max"))'
check "and all is as before" same
kill $sleeper $hog
finish
