#!/usr/bin/env bats
# Stopping: at once, with a report, with nothing left behind; and devices that answer late or never.

load lib
load devices

# A file whose I/Os take $1 ms each (0: for ever): slow/file.
slow_file() {
	need_root
	[ -e /dev/fuse ] || skip "no FUSE here"
	mkdir -p slow
	rm -f ready
	"$TOP/tests/cli/slowfs" "$PWD/slow" "$1" >ready 2>why </dev/null 3>&- &
	slow=$!
	pids+=("$slow")
	local n
	for ((n = 0; n < 250; n++)); do
		if [ -s ready ] || [ ! -e "/proc/$slow" ]; then break; fi
		sleep 0.02
	done
	[ -s ready ] || skip "no FUSE here: $(cat why)"
	points+=("$PWD/slow")
}

# The device is gone for good: what waits for it gets an error.
release_slow() {
	kill -KILL "$slow"
	umount -l slow
	points=()
}

slow_job=(--name=j --filename=slow/file --direct=1 --rw=randread --bs=4k --time_based --runtime=30)
null_job=(--name=j --ioengine=null --size=1m --time_based --runtime=30 --rate_iops=1000)

# Send a signal; the end has to come within $2 ms. The time is in $took.
stop_with() {
	local from
	from=$(now_ms)
	kill "-$1" "$pid"
	finish
	took=$(($(now_ms) - from))
	[ "$took" -lt "$2" ] || { show; fail "took $took ms to end"; }
}

in_run() {
	await has_threads "$pid" 2
	sleep "${1:-0.3}"
}

@test "SIGINT, SIGTERM and SIGHUP end a run within a second, with a report and status 128" {
	local sig
	for sig in INT TERM HUP; do
		start "${null_job[@]}"
		in_run
		stop_with "$sig" 1000
		[ "$rc" -eq 128 ] || { show; fail "SIG$sig: status $rc"; }
		says '^j: \(groupid=0, jobs=1\)'
		says 'read: IOPS=[0-9]+'
		says '^Run status group 0'
	done
}

# From then on SIGINT is taken into account rather than fatal: bit 1 of the blocked ones.
holds_sigint() {
	local blocked
	blocked=$(awk '$1 == "SigBlk:" { print $2 }' "/proc/$pid/status")
	[ $((0x$blocked & 2)) -ne 0 ]
}

@test "SIGINT while the jobs are planned gives a report of nothing" {
	start "${null_job[@]}" --numjobs=400 --output-format=json
	await holds_sigint
	kill -INT "$pid"
	finish
	[ "$rc" -eq 128 ] || { show; fail "status $rc"; }
	holds '.fathom.interrupted and (.jobs | length) == 400'
}

@test "SIGINT ends a run whose I/Os take 100 ms, at depth 1 and at depth 32" {
	slow_file 100
	local engine
	for engine in psync libaio io_uring; do
		start "${slow_job[@]}" --ioengine=$engine --iodepth=32 --output-format=json
		in_run
		stop_with INT 1000
		[ "$rc" -eq 128 ] || { show; fail "$engine: status $rc"; }
		holds '.jobs[0].read.total_ios > 0 and .jobs[0].fathom.end == "signal"'
	done
}

# A dead device keeps the process in the kernel, where nothing can end it; the report is written all the same.
@test "SIGINT gives a report within a second although an I/O never comes back" {
	local engine from
	for engine in psync libaio io_uring; do
		slow_file 0
		start "${slow_job[@]}" --ioengine=$engine --iodepth=32 --output-format=json --output=o.json
		in_run
		from=$(now_ms)
		kill -INT "$pid"
		await holds '.fathom.interrupted and .jobs[0].read.total_ios == 0 and .jobs[0].fathom.end == "signal"' o.json
		[ $(($(now_ms) - from)) -lt 1500 ] || fail "$engine: took $(($(now_ms) - from)) ms"
		release_slow
		finish
		ended 128 'never completed'
		rm o.json
	done
}

@test "a second SIGINT gives the report at once" {
	local from
	slow_file 0
	start "${slow_job[@]}" --ioengine=psync --output=report
	in_run
	kill -INT "$pid"
	sleep 0.1
	from=$(now_ms)
	kill -INT "$pid"
	await grep -q '^Run status group 0' report
	[ $(($(now_ms) - from)) -lt 300 ] || fail "took $(($(now_ms) - from)) ms"
	release_slow
	finish
	ended 128 'never completed'
}

@test "many signals in a row do not cost the report" {
	python3 - "$FATHOM" <<-'END'
		import json, os, signal, subprocess, sys, time
		for _ in range(5):
		    p = subprocess.Popen([sys.argv[1], "--name=j", "--ioengine=null", "--size=1m", "--time_based", "--runtime=30",
		                          "--output-format=json"], stdout=subprocess.PIPE)
		    while len(os.listdir(f"/proc/{p.pid}/task")) < 2:
		        time.sleep(0.002)
		    time.sleep(0.1)
		    while p.poll() is None:
		        p.send_signal(signal.SIGINT)
		        time.sleep(0.0001)
		    assert p.returncode == 128, p.returncode
		    assert json.loads(p.stdout.read())["fathom"]["interrupted"]
	END
}

@test "SIGUSR1 reports the running state and the run goes on" {
	start "${null_job[@]}" --runtime=1s
	in_run
	kill -USR1 "$pid"
	finish
	ended 0
	[ "$(grep -c '^j: (groupid=0' out)" -eq 2 ] || { show; fail "not two reports"; }
	start "${null_job[@]}" --runtime=1s --output-format=json
	in_run
	kill -USR1 "$pid"
	finish
	ended 0
	holds '(.snapshots | length) == 1 and .jobs[0].read.total_ios > .snapshots[0].jobs[0].read.total_ios'
	holds '.snapshots[0].jobs[0].read.total_ios > 100 and .jobs[0].read.total_ios > 900'
}

@test "signals before and while jobs are set up are not lost" {
	local n
	for n in 0 0.002 0.005 0.01 0.02; do
		start "${null_job[@]}" --numjobs=16
		sleep "$n"
		kill -TERM "$pid"
		finish
		# 143: before the program could take it.
		[ "$rc" -eq 128 ] || [ "$rc" -eq 143 ] || { show; fail "status $rc after $n s"; }
	done
}

@test "SIGINT ends jobs that wait: startdelay, stonewall, think time, a slow rate" {
	local options
	for options in --startdelay=60 --thinktime=60s "--thinktime=60s --thinktime_spin=60s" "--rate_iops=1" \
		"--ramp_time=60s"; do
		# shellcheck disable=SC2086
		start "${null_job[@]}" $options --name=k --stonewall --ioengine=null --size=1m
		in_run
		stop_with INT 800
		[ "$rc" -eq 128 ] || { show; fail "$options: status $rc"; }
		says '^Run status group 0'
	done
}

@test "a job that was not started when SIGINT came is listed with nothing" {
	start "${null_job[@]}" --name=k --stonewall --ioengine=null --size=1m --output-format=json
	in_run
	stop_with INT 800
	holds '(.jobs | length) == 2 and .jobs[1].read.total_ios == 0 and .jobs[1].error == 0'
	holds '.jobs[1].fathom.started == false'
}

@test "no thread or process is left after SIGKILL" {
	local tasks task
	start "${null_job[@]}" --numjobs=8
	in_run
	tasks=$(ls "/proc/$pid/task")
	[ "$(wc -w <<<"$tasks")" -ge 9 ]
	[ -z "$(pgrep -P "$pid")" ] || fail "there are child processes"
	kill -KILL "$pid"
	finish
	for task in $tasks; do
		[ ! -e "/proc/$task" ] || fail "thread $task is still there"
	done
}

@test "logs of an interrupted run are whole" {
	start "${null_job[@]}" --write_iops_log=l --log_avg_msec=100 --write_lat_log=l
	in_run 0.55
	stop_with INT 800
	[ "$rc" -eq 128 ]
	[ "$(wc -l <l_iops.1.log)" -ge 5 ]
	! grep -Ev '^[0-9]+, [0-9]+, 0, 0, 0$' l_iops.1.log l_lat.1.log l_clat.1.log || fail "torn lines"
	[ -z "$(tail -c 1 l_iops.1.log)" ] || fail "the last line has no end"
}

# Python, because what the shell starts in the background ignores SIGINT.
@test "SIGINT while a file is laid out gives a report and status 128 although the signal is still pending" {
	python3 - "$FATHOM" <<-'END'
		import json, os, signal, subprocess, sys, time
		args = ["--name=r", "--filename=f", "--rw=read", "--size=4g", "--output-format=json"]
		p = subprocess.Popen([sys.argv[1], *args], stdout=subprocess.PIPE)
		while not os.path.exists("f"):
		    time.sleep(0.002)
		time.sleep(0.02)
		p.send_signal(signal.SIGINT)
		out, _ = p.communicate(timeout=20)
		assert p.returncode == 128, p.returncode
		assert json.loads(out)["fathom"]["interrupted"]
		assert not os.path.exists("f")
	END
}

# The first thing the program does is to ignore SIGUSR1; reading so many jobs takes it much longer than the wait.
@test "SIGINT while the jobs are read gives a report of nothing" {
	python3 - "$FATHOM" <<-'END'
		import json, signal, subprocess, sys, time
		with open("many.fio", "w") as f:
		    for i in range(4000):
		        f.write(f"[j{i}]\nioengine=null\nsize=4k\n" + "description=a word\n" * 50)
		p = subprocess.Popen([sys.argv[1], "--output-format=json", "many.fio"], stdout=subprocess.PIPE)
		while not int(open(f"/proc/{p.pid}/status").read().split("SigIgn:")[1].split()[0], 16) >> (signal.SIGUSR1 - 1) & 1:
		    time.sleep(0.002)
		time.sleep(0.03)
		p.send_signal(signal.SIGINT)
		out, _ = p.communicate(timeout=60)
		assert p.returncode == 128, p.returncode
		document = json.loads(out)
		assert document["fathom"]["interrupted"] and len(document["jobs"]) == 4000
	END
}

@test "SIGINT ends a program that waits for its jobs on a pipe" {
	local n
	mkfifo jobs
	for n in - jobs; do
		# A shell that does not end: nobody else closes the pipe.
		python3 - "$FATHOM" "$n" <<-'END'
			import os, signal, subprocess, sys, time
			p = subprocess.Popen([sys.argv[1], sys.argv[2]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
			time.sleep(0.3)
			p.send_signal(signal.SIGINT)
			try:
			    p.wait(timeout=10)
			finally:
			    p.kill()
			assert p.returncode == -signal.SIGINT, p.returncode
		END
	done
}

@test "SIGUSR1 before the run does no harm" {
	python3 - "$FATHOM" <<-'END'
		import signal, subprocess, sys, time
		p = subprocess.Popen([sys.argv[1], "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
		def ignored():
		    status = open(f"/proc/{p.pid}/status").read()
		    return int(status.split("SigIgn:")[1].split()[0], 16) >> (signal.SIGUSR1 - 1) & 1
		for _ in range(500):
		    if ignored():
		        break
		    time.sleep(0.01)
		p.send_signal(signal.SIGUSR1)
		out, _ = p.communicate(b"[j]\nioengine=null\nsize=64k\n", timeout=20)
		assert p.returncode == 0, p.returncode
		assert out.count(b"Run status group") == 1
	END
}

@test "SIGINT ends the command of exec_prerun with all that it started" {
	start --output-format=json --name=p --ioengine=null --size=64k --exec_prerun='echo $$ >group; sleep 30; echo on'
	await test -s group
	kill -INT "$pid"
	local begin
	begin=$(now_ms)
	finish
	[ "$rc" -eq 128 ] || { show; fail "status $rc"; }
	[ $(($(now_ms) - begin)) -lt 700 ] || fail "it took $(($(now_ms) - begin)) ms"
	silent
	holds '.jobs[0].fathom.end == "not-started" and .jobs[0].error == 0'
	! pgrep -r R,S,D -g "$(cat group)" || fail "something is left"
	! grep on p.prerun.txt
}

@test "SIGXCPU, the limit of CPU time, gives a report" {
	rc=0
	(ulimit -S -t 1 && exec "$FATHOM" --output-format=json --name=c --ioengine=null --size=64k --time_based --runtime=20 \
		>out 2>err </dev/null) || rc=$?
	[ "$rc" -eq 128 ] || { show; fail "status $rc"; }
	holds '.fathom.interrupted and .jobs[0].read.total_ios > 0'
}

@test "stuck_io_timeout ends a job whose I/O never completes, with a report and status 3" {
	slow_file 0
	start "${slow_job[@]}" --stuck_io_timeout=2
	await grep -q '^Run status group 0' out
	grep -q 'never completed' err || { show; fail "no message"; }
	# The process itself can only end when the kernel gives up the I/O.
	release_slow
	finish
	[ "$rc" -eq 3 ] || { show; fail "status $rc"; }
}
