#!/usr/bin/env bats
# Every option of the program takes effect or is refused by name; the exit codes of docs/exit-codes.md.

load lib

null=(--name=j --ioengine=null --size=64k --bs=4k)

# A job file with two jobs in $1.
two_jobs() {
	cat >"$1" <<-'END'
		[global]
		ioengine=null
		bs=4k
		size=64k
		[one]
		[two]
		size=128k
	END
}

@test "arguments are counted as they were written, the command among them" {
	fathom "${null[@]}" --bogus=1
	ended 1 'argument 5: error: unknown option .--bogus=1'
	fathom run "${null[@]}" --bogus=1
	ended 1 'argument 6: error'
	fathom explain "${null[@]}" --bogus=1
	ended 1 'argument 6: error'
	fathom explain --simulate "${null[@]}" --bogus=1
	ended 1 'argument 7: error'
}

@test "explain writes its words to --output, a rehearsal its report" {
	fathom explain "${null[@]}" --output=words
	ended 0
	[ ! -s out ]
	grep -q '^j: 1 worker' words
	fathom explain --simulate "${null[@]}" --output=report
	ended 0
	says '^j: 1 worker'
	grep -q '^Run status group 0' report
	fathom explain "${null[@]}" --output=missing/words
	ended 2 'cannot open output file'
}

@test "a size in percent of what has no size says so" {
	fathom --name=j --filename=/dev/zero --size=100%
	ended 1 '/dev/zero has none'
	fathom --name=j --filename=missing --size=50% --rw=write
	ended 1 'missing does not exist'
}

@test "--output and -o write the report to a file and leave standard output empty" {
	fathom "${null[@]}" --output=report
	ended 0
	[ ! -s out ]
	grep -q '^Run status group 0' report
	fathom -o second "${null[@]}"
	[ ! -s out ]
	grep -q '^Run status group 0' second
}

@test "--output truncates an old report" {
	keep 100k report
	fathom "${null[@]}" --output=report
	ended 0
	[ "$(stat -c %s report)" -lt 5000 ]
}

@test "--output-format: each name gives its format" {
	fathom "${null[@]}" --output-format=normal
	says '^j: \(groupid=0'
	for name in terse minimal csv; do
		fathom "${null[@]}" --output-format=$name
		ended 0
		says '^3;fio-[^;]+;j;0;0;64;'
		[ "$(wc -l <out)" -eq 1 ]
	done
	fathom "${null[@]}" --output-format=json
	holds '.jobs[0].read.total_ios == 16 and (.jobs[0].read.clat_ns | has("bins") | not)'
	fathom "${null[@]}" -F json+
	holds '.jobs[0].read.clat_ns | has("bins")'
	fathom "${null[@]}" --output-format=jsonl
	[ "$(wc -l <out)" -eq 1 ]
	fathom "${null[@]}" --output-format=xml
	ended 1 "'xml' is not a format"
}

@test "several formats come one after the other" {
	fathom "${null[@]}" --output-format=json,terse,normal
	ended 0
	says '^3;fio-'
	says '^  "fio version"'
	says '^Run status group 0'
	[ "$(grep -nE '^3;fio-' out | cut -d: -f1)" -lt "$(grep -n '"fio version"' out | cut -d: -f1)" ]
	[ "$(grep -n '"fio version"' out | cut -d: -f1)" -lt "$(grep -n '^Run status' out | cut -d: -f1)" ]
}

@test "--minimal is terse, and of the two the later one counts" {
	fathom "${null[@]}" --minimal
	says '^3;fio-'
	fathom "${null[@]}" -m --output-format=normal
	says '^Run status'
	! grep -q '^3;fio-' out
}

@test "--append-terse adds the terse line" {
	fathom "${null[@]}" --append-terse
	says '^Run status'
	says '^3;fio-'
	fathom "${null[@]}" -f
	says '^3;fio-'
}

@test "--terse-version sets the number of columns" {
	local pair
	for pair in 2:161 3:121 4:162 5:180; do
		fathom "${null[@]}" --minimal --terse-version="${pair%:*}"
		ended 0
		[ "$(awk -F';' '{ print NF }' out)" -eq "${pair#*:}" ] || { show; fail "version ${pair%:*}"; }
	done
	fathom "${null[@]}" --minimal -V 6
	ended 1 terse-version
}

@test "--bandwidth-log writes three files of the sum of all jobs" {
	fathom "${null[@]}" --time_based --runtime=1.2 --rate_iops=1000 --numjobs=2 --bandwidth-log
	ended 0
	for d in read write trim; do [ -e "agg-${d}_bw.log" ] || { ls; fail "agg-${d}_bw.log"; }; done
	awk -F', ' '{ if ($2 < 7000 || $2 > 9000) bad = 1 } END { exit bad || NR < 2 }' agg-read_bw.log
	fathom "${null[@]}" --bandwidth-log=mine
	[ -e mine-read_bw.log ]
}

@test "--version, --help, --cmdhelp, --enghelp print and end with 0" {
	local option
	for option in --version -v; do
		fathom $option
		ended 0
		says '^fathom-[0-9]+\.[0-9]+'
	done
	for option in --help -h; do
		fathom $option
		ended 0
		says output-format
	done
	for option in --cmdhelp -c --cmdhelp=all; do
		fathom $option
		ended 0
		says '^ *iodepth'
	done
	fathom --cmdhelp=iodepth
	ended 0
	says iodepth
	fathom --cmdhelp=iodpeth
	ended 1 iodepth
	fathom --enghelp
	says io_uring
	fathom --enghelp=io_uring
	says sqthread_poll
	fathom --enghelp=io_uring,sqthread_poll
	ended 0
	fathom --cmdhelp iodepth
	ended 0
	says iodepth
	fathom -h nowhere.fio
	ended 0
	fathom --enghelp rbd
	ended 1 'rbd'
	fathom --enghelp=io_uring,nothing
	ended 1 nothing
}

@test "under the name fio the version is one that scripts know" {
	ln -s "$FATHOM" fio
	./fio --version >out
	grep -Eqx 'fio-3\.42-fathom-[0-9.]+[^ ]*' out
	[ "$(wc -l <out)" -eq 1 ]
}

@test "--help lists every option that has an effect" {
	local option
	fathom --help
	for option in output output-format minimal append-terse terse-version bandwidth-log version help cmdhelp \
		enghelp showcmd parse-only readonly section set eta eta-interval eta-newline status-interval warnings-fatal \
		inflate-log; do
		grep -q -- "--$option" out || fail "--$option is not in --help"
	done
}

@test "options that are not there are refused by name" {
	local option
	for option in trigger-file=f trigger-timeout=1 trigger=x trigger-remote=x merge-blktrace-only profile=act server \
		daemonize=f client=h remote-config=f idle-prof=system cpuclock-test crctest memcpytest aux-path=.; do
		fathom "--$option" "${null[@]}"
		ended 1 "option '--${option%%=*}'"
		[ ! -s out ]
	done
	fathom --latency-log=f "${null[@]}"
	ended 1 "option '--latency-log'" write_lat_log
}

@test "options without a meaning here say so and the run goes on" {
	local option
	for option in alloc-size=1024 max-jobs=5 debug=io; do
		fathom "--$option" "${null[@]}"
		ended 0 "option '--${option%%=*}' has no effect"
	done
}

@test "unknown options are errors with a guess" {
	fathom --ouput=x "${null[@]}"
	ended 1 "unknown option '--ouput" "did you mean '--output'"
	fathom "${null[@]}" --iodpeth=2
	ended 1 "did you mean '--iodepth'"
	printf '[j]\niodpeth=2\n' >j.fio
	fathom j.fio
	ended 1 '^fathom: j.fio:2:1: error: unknown option' "did you mean 'iodepth'"
}

@test "abbreviations, one dash and separate values work as in fio" {
	fathom_json -name j -ioengine null --siz 64k --bs 4k
	ended 0
	holds '.jobs[0].jobname == "j" and .jobs[0].read.total_ios == 16'
	fathom "${null[@]}" --o=x
	ended 1 'is ambiguous'
}

@test "--showcmd prints a line that means the same" {
	local line
	cat >j.fio <<-'END'
		[global]
		ioengine=io_uring
		fixedbufs=1
		bs=4k,8k
		rwmixread=70
		[a b]
		filename=x\:y:it's a file
		size=1m
		rw=randrw:3
		bssplit=4k/60:8k/40,16k
		percentile_list=50:99.9
		stonewall
		[second]
		rw=trimwrite
		filename=/dev/null
		size=8k
		buffer_pattern=0xdeadbeef"ab"
	END
	fathom --showcmd j.fio
	ended 0
	line=$(cat out)
	# shellcheck disable=SC2086
	eval "set -- $line"
	shift
	fathom --showcmd "$@"
	ended 0
	[ "$(cat out)" = "$line" ] || { echo "$line"; cat out; fail "the line changes"; }
	[ ! -e x:y ] && [ ! -e "it's a file" ]
}

@test "--parse-only checks and touches nothing" {
	two_jobs j.fio
	fathom --parse-only j.fio
	ended 0
	[ ! -s out ]
	fathom -P --name=w --filename=f --rw=write --size=1m
	ended 0
	[ ! -e f ]
	fathom --parse-only --name=w --rw=wirte
	ended 1 "'wirte'|rw"
	fathom --parse-only --output=report --write_bw_log=l "${null[@]}"
	[ ! -e report ] && [ ! -e l_bw.1.log ]
}

@test "--readonly refuses what writes and extends no file" {
	keep 64k f
	fathom --readonly --name=w --filename=f --rw=write --size=64k
	ended 1 readonly
	fathom -r --name=w --filename=f --rw=randrw --size=64k
	ended 1
	fathom --readonly --name=w --filename=/dev/null --rw=trim --size=64k
	ended 1
	fathom --readonly --name=r --filename=f --rw=read --size=128k
	ended 2 readonly
	[ "$(stat -c %s f)" -eq 65536 ]
	fathom --readonly --name=r --filename=f --rw=read --size=64k
	ended 0
}

@test "--section keeps the sections of that name" {
	two_jobs j.fio
	fathom_json --section=two j.fio
	holds '(.jobs | length) == 1 and .jobs[0].jobname == "two" and .jobs[0].read.total_ios == 32'
	fathom_json -x one -x two j.fio
	holds '(.jobs | length) == 2'
	fathom --section=three j.fio
	ended 1 three
	fathom --section=global j.fio
	ended 1 global
}

@test "a job file may be called as a command that does not exist" {
	local word
	for word in report quick sweep; do
		printf '[j]\nioengine=null\nsize=64k\nbs=4k\n' >"$word"
		fathom "$word"
		ended 0
	done
}

@test "a job file comes from standard input" {
	two_jobs j.fio
	rc=0
	"$FATHOM" --output-format=json - <j.fio >out 2>err || rc=$?
	ended 0
	holds '(.jobs | length) == 2'
	printf '[j]\nbs=x\n' >bad.fio
	rc=0
	"$FATHOM" - <bad.fio >out 2>err || rc=$?
	ended 1 '^fathom: -:2:4: error:'
}

@test "several files run one after the other, each with its own defaults" {
	two_jobs one.fio
	printf '[third]\nioengine=null\nsize=4k\n' >two.fio
	fathom_json one.fio two.fio
	ended 0
	holds '[.jobs[].jobname] == ["one", "two", "third"] and [.jobs[].groupid] == [0, 0, 1]'
	holds '.jobs[2].job_start >= .jobs[0].job_start'
	fathom one.fio missing.fio
	ended 1 'missing.fio.*No such file'
	[ ! -s out ]
}

@test "--set overrides, may be repeated, reaches engine options, and an empty value means the default" {
	two_jobs j.fio
	fathom_json --set size=16k --set bs=8k j.fio
	holds '[.jobs[].read.total_ios] == [2, 2]'
	fathom_json --set bs= j.fio
	holds '[.jobs[].read | .io_bytes / .total_ios] == [4096, 4096]'
	fathom --set sqthread_poll=x --set ioengine=io_uring --set filename=f j.fio
	ended 1 sqthread_poll
	fathom --set bsz=4k j.fio
	ended 1 bsz
	fathom --set bs j.fio
	ended 1
	fathom --set iodepth=0 j.fio
	ended 1 iodepth
}

@test "--set filename= takes the file away" {
	printf '[j]\nfilename=/dev/nvme77n1\nsize=64k\nrw=write\n' >j.fio
	fathom_json --set filename= j.fio
	ended 0
	[ -e j.0.0 ]
}

@test "--eta=always prints a live line, --eta=never none, auto none without a terminal" {
	fathom "${null[@]}" --time_based --runtime=700ms --rate_iops=100 --eta=always --eta-interval=250ms
	tr '\r' '\n' <out | grep -Eq '^Jobs: 1 \(f=1\), 0-100 IOPS' || { show; fail "no live line"; }
	for word in never auto; do
		fathom "${null[@]}" --time_based --runtime=400ms --eta=$word --eta-interval=250ms
		! grep -q '^Jobs:' out || fail "a live line with $word"
	done
	fathom "${null[@]}" --eta-interval=100ms
	ended 1 eta-interval
}

@test "on a terminal the live line is there and ends with the report" {
	need script
	script -qec "$FATHOM ${null[*]} --time_based --runtime=700ms --rate_iops=100 --eta-interval=250ms" /dev/null >out </dev/null
	tr '\r' '\n' <out | grep -Eq '^Jobs: 1 \(f=1\)' || { cat -A out; fail "no live line"; }
	grep -q 'Run status group 0' out
}

@test "--eta-newline keeps lines" {
	fathom "${null[@]}" --time_based --runtime=900ms --eta=always --eta-interval=250ms --eta-newline=250ms
	[ "$(grep -c '^Jobs: 1' out)" -ge 2 ] || { show; fail "not two lines"; }
}

@test "the live line does not get into --output or JSON" {
	fathom "${null[@]}" --time_based --runtime=600ms --eta=always --eta-interval=250ms --output-format=json --output=o.json
	holds '.jobs[0].error == 0' o.json
	grep -q 'Jobs: 1' out
}

@test "--status-interval reports the running state" {
	fathom "${null[@]}" --time_based --runtime=700ms --rate_iops=1000 --status-interval=200ms
	ended 0
	[ "$(grep -c '^j: (groupid=0' out)" -ge 3 ] || { show; fail "not three reports"; }
	fathom "${null[@]}" --status-interval=0
	ended 1 status-interval
}

@test "--warnings-fatal makes an error of a warning" {
	fathom --name=j --filename=f --size=64k --rw=write --iodepth=8
	ended 0 'warning: iodepth'
	rm f
	fathom --warnings-fatal --name=j --filename=f --size=64k --rw=write --iodepth=8
	ended 1 iodepth
	[ ! -e f ]
}

@test "--inflate-log prints a compressed log" {
	need fio
	fio "${null[@]}" --write_lat_log=l --log_compression=1m --log_store_compressed=1 >/dev/null
	[ -e l_lat.1.log.fz ] || skip "this fio compresses no logs"
	fathom --inflate-log=l_lat.1.log.fz
	ended 0
	[ "$(grep -cE '^[0-9]+, [0-9]+, 0, 4096' out)" -eq 16 ]
	fathom --inflate-log=missing.fz
	ended 2 missing.fz
}

@test "nothing to run: usage, status 1" {
	fathom
	ended 1 'No job\(s\) defined'
	says output-format
	: >empty.fio
	fathom empty.fio
	ended 1 'No job\(s\) defined'
	printf '[global]\nbs=4k\n' >g.fio
	fathom g.fio
	ended 1 'No job\(s\) defined'
}

@test "exit codes: 0 ok, 1 usage, 2 setup, 3 I/O, 5 limit" {
	fathom "${null[@]}"
	ended 0
	fathom "${null[@]}" --bs=0
	ended 1
	fathom --name=r --filename=missing --rw=read --size=64k --allow_file_create=0
	ended 2
	fathom --name=w --filename=/dev/full --rw=write --bs=4k --size=64k
	ended 3
	fathom --name=j --ioengine=sim --size=1m --sim_latency=10ms --max_latency=5ms
	ended 5 'max_latency'
	fathom --name=j --ioengine=sim --size=64m --sim_latency=10ms --rate_iops_min=1000 --time_based --runtime=10
	ended 5 'minimum rate'
}

@test "exit codes do not wrap: 256 failing jobs are a failure" {
	fathom --name=w --filename=/dev/full --rw=write --bs=4k --size=64k --numjobs=256 --group_reporting
	ended 3
}

@test "of several failures the larger status counts" {
	fathom --name=w --filename=/dev/full --rw=write --bs=4k --size=64k \
		--name=s --ioengine=null --size=64k --rate_iops=1000 --max_latency=1ns --rw=read
	[ "$rc" -eq 5 ] || { show; fail "status $rc"; }
}

@test "too many jobs are said once, clones included" {
	{
		echo '[global]'
		echo ioengine=null
		printf '[j%d]\n' {1..4200}
	} >many.fio
	fathom many.fio
	ended 1 'many.fio:4099:1: error: more than 4096 jobs'
	[ "$(wc -l <err)" -eq 1 ]
	fathom "${null[@]}" --numjobs=3000 "${null[@]}" --numjobs=3000
	ended 1 'this one makes 6000 jobs; at most 4096'
	[ "$(wc -l <err)" -eq 1 ]
}

@test "a file of wrong lines is not answered with as many messages" {
	{ echo '[j]'; for i in $(seq 3000); do echo "nonsense$i=1"; done; } >wrong.fio
	run "$FATHOM" wrong.fio
	[ "$status" -eq 1 ]
	[ "${#lines[@]}" -eq 51 ]
	[ "${lines[50]}" = "fathom: 2950 more messages of these kinds are not shown" ]
	{ echo '[j]'; for i in $(seq 50); do echo "nonsense$i=1"; done; } >wrong.fio
	run "$FATHOM" wrong.fio
	[ "${#lines[@]}" -eq 50 ]
}
