# fathom tune on a real NVMe: what the doctor says changes with the machine, tuning takes effect, and restoring, also of a
# run that was killed, puts every file back exactly.
# boot: -t 400
. /data/lib.sh
cd /out || exit 1
queue=/sys/block/nvme0n1/queue
job="--name=r --filename=/dev/nvme0n1 --rw=randread --bs=4k --direct=1 --time_based"

# Every knob of every disk and interrupt, with its text.
snapshot() {
	for file in /sys/block/*/queue/* /sys/block/*/queue/iosched/* /proc/irq/*/smp_affinity /proc/irq/*/smp_affinity_list; do
		[ -f "$file" ] && echo "$file: $(cat "$file" 2>/dev/null)"
	done
}

as_before() {
	snapshot >now
	diff before now
}

spoil() {
	echo mq-deadline >$queue/scheduler && echo 77 >$queue/iosched/read_expire && echo 40 >$queue/nr_requests && echo 0 >$queue/nomerges && echo 0 >$queue/rq_affinity &&
		{ [ ! -e $queue/wbt_lat_usec ] || echo 2000 >$queue/wbt_lat_usec; }
}

tuned() {
	grep -q '\[none\]' $queue/scheduler && [ "$(cat $queue/nomerges)" = 2 ] && [ "$(cat $queue/rq_affinity)" = 2 ]
}

# doctor_says STATE CODE...: of the NVMe, when jobs read at random.
doctor_says() {
	state=$1
	shift
	fathom doctor --quick --json /out/job.fio >doctor.json || return 1
	for code in "$@"; do
		json doctor.json ".findings | any(.code == \"$code\" and .severity == \"$state\" and .subject == \"nvme0n1\")" || return 1
	done
}

tune() {
	fathom tune "$@" >tune.txt 2>tune.err
	rc=$?
	cat tune.txt tune.err
	return $rc
}

refused() {
	! tune "$@"
}

await() {
	n=0
	until "$@"; do
		n=$((n + 1))
		[ $n -lt 300 ] || return 1
		sleep 0.1
	done
}

# A run that is tuned, and is sent a signal meanwhile.
signalled() {
	fathom --tune --output=run.txt $job --runtime=100 2>run.err &
	pid=$!
	await tuned || return 1
	kill -"$1" $pid
	wait $pid
	[ $? -eq "$2" ]
}

vector() {
	awk '$NF == "nvme0q1" { sub(":", "", $1); print $1 }' /proc/interrupts
}

vector_stays() {
	! echo 0 >"/proc/irq/$(vector)/smp_affinity_list"
}

printf '[r]\nfilename=/dev/nvme0n1\nrw=randread\nsize=16m\ndirect=1\n' >job.fio
check "the NVMe can be given a scheduler and other slow knobs" spoil
snapshot >before
check "the doctor has something to say about them" doctor_says note scheduler nomerges rq-affinity
check "tune shows it" tune nvme0n1
check "tune: scheduler, with the reason" has tune.txt 'queue/scheduler: mq-deadline -> none'
check "tune changed nothing by that" as_before

check "tune --apply" tune --apply /dev/nvme0n1
check "it takes effect" tuned
check "the doctor is content" doctor_says ok scheduler nomerges rq-affinity
check "a second --apply has nothing to do" tune --apply /dev/nvme0n1
check "it says so" has tune.txt 'Nothing to change'
check "tune --status --json" tune --status --json
check "the status has the changes" json tune.txt \
	'(.changes | length >= 3) and (.changes | all(.changed_since == false)) and (.changes | any(.from == "mq-deadline" and .to == "none"))'
check "tune --restore" tune --restore
check "every file is as it was" as_before
check "the doctor complains again" doctor_says note scheduler nomerges rq-affinity

check "the kernel keeps the vectors of its NVMe queues" vector_stays
check "tune does not try to move them" json doctor.json '.findings | any(.code == "interrupts" and .severity == "ok" or .severity == "note")'
check "vectors of before are there still" as_before

check "a run with --tune" fathom --tune --output=run.json --output-format=json $job --runtime=1
check "its report says what was changed" json run.json \
	'.fathom.tuned | any(.file == "/sys/class/block/nvme0n1/queue/scheduler" and .from == "mq-deadline" and .to == "none")'
check "every file is as it was after the run" as_before
check "a run that is interrupted" signalled INT 128
check "every file is as it was after the interrupt" as_before
check "a run that is killed" signalled KILL 137
check "its changes are still there" tuned
check "the next run gives them back" fathom --tune --output=run.txt $job --runtime=1
check "every file is as it was after it" as_before
check "a run that is killed again" signalled KILL 137
check "tune --restore gives them back, too" tune --restore
check "it says so" has tune.err 'restored'
check "every file is as it was in the end" as_before

mkswap /dev/vda >/dev/null 2>&1
if swapon /dev/vda 2>/dev/null; then
	check "a disk with swap space is refused" refused --apply vda
	check "with the reason" has tune.err 'vda holds swap space'
	check "and nothing is changed" as_before
	swapoff /dev/vda
fi
finish
