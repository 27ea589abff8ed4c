#!/usr/bin/env bats
# Standard output, or the --output file, is exactly one JSON document whatever happens; messages are in it and on standard error.
# also: asan

load lib

# One document with the status and a message of that code.
document() {
	local status=$1 code=$2 file=${3:-out}
	[ "$rc" -eq "$status" ] || { show; fail "expected status $status"; }
	holds ".fathom.exit_code == $status" "$file"
	holds "[.fathom.messages[].code] | index(\"$code\") != null" "$file"
	[ -s err ] || fail "nothing on standard error"
}

@test "a bad option" {
	fathom_json --name=j --bs=x
	document 1 option-value
	fathom_json --name=j --bsz=4k
	document 1 option-unknown
	fathom --name=j --bsz=4k --output-format=json
	document 1 option-unknown
}

@test "a job file that is not there, has no section, or is not text" {
	fathom_json missing.fio
	holds '.fathom.exit_code == 1'
	echo 'bs=4k' >j.fio
	fathom_json j.fio
	holds '.fathom.exit_code == 1 and .fathom.messages[0].file == "j.fio" and .fathom.messages[0].line == 1'
	head -c 4096 /dev/urandom >j.fio
	fathom_json j.fio
	[ "$rc" -eq 1 ]
	holds '.fathom.exit_code == 1'
}

@test "no job at all" {
	fathom_json
	document 1 no-jobs
	: >j.fio
	fathom_json j.fio
	document 1 no-jobs
}

@test "explain gives a document with --simulate, also of its errors, and is not asked for one without" {
	fathom explain --simulate --output-format=json --name=j --ioengine=null --size=64k
	holds '.jobs[0].read.total_ios == 16'
	fathom explain --simulate --output-format=json --name=j --bs=x
	document 1 option-value
	fathom explain --simulate --output-format=json
	document 1 no-jobs
	fathom explain --output-format=json --name=j --ioengine=null --size=64k
	document 1 explain-format
}

@test "a job that cannot be planned" {
	fathom_json --name=r --filename=missing --allow_file_create=0 --size=64k
	document 2 no-create
	fathom_json --name=r --filename=missing --allow_file_create=0 --size=64k --output=o.json
	[ ! -s out ]
	document 2 no-create o.json
}

@test "a log that cannot be opened" {
	fathom_json --name=j --ioengine=null --size=64k --write_lat_log=none/l
	document 2 log-open
}

@test "an I/O error" {
	fathom_json --name=w --filename=/dev/full --rw=write --size=64k
	[ "$rc" -eq 3 ]
	holds '.jobs[0].error == 28 and (.jobs[0].fathom.messages | length) == 1 and .fathom.exit_code == 3'
	holds '.jobs[0].fathom.error_text == "No space left on device" and .jobs[0].fathom.end == "error"'
}

@test "SIGINT while files are laid out" {
	need strace
	[ -z "$FATHOM_SANITIZER" ] || skip "the sanitizer and strace both trace"
	strace -f -o trace -e trace=pwrite64 -e inject=pwrite64:delay_enter=20000 \
		"$FATHOM" --name=r --filename=f --rw=read --size=256m --output-format=json >out 2>err </dev/null 3>&- &
	pid=$!
	pids+=("$pid")
	await test -s f
	kill -INT "$(pgrep -P "$pid")"
	finish
	[ "$rc" -eq 128 ] || { show; fail "status $rc"; }
	holds '.fathom.interrupted and .fathom.exit_code == 128'
}

@test "names with quotes, control characters and broken UTF-8" {
	printf '[a "quoted\\" \001\t\377 name]\nioengine=null\nsize=64k\ndescription="x\002\\"\n' >j.fio
	fathom_json j.fio
	ended 0
	holds '.jobs[0].jobname | startswith("a \"quoted\\\" ")'
	python3 -c 'import json; json.load(open("out", encoding="utf-8"))'
}

@test "no key comes twice" {
	printf '[global]\nioengine=null\nsize=64k\nbs=4k\nbs=8k\n[j]\nrw=read\nrw=write\nreadwrite=randwrite\n' >j.fio
	fathom --output-format=json+ --bs=16k j.fio
	ended 0
	python3 - <<-'END'
		import json
		def once(pairs):
		    keys = [k for k, _ in pairs]
		    assert len(keys) == len(set(keys)), [k for k in keys if keys.count(k) > 1]
		    return dict(pairs)
		json.load(open("out"), object_pairs_hook=once)
	END
	holds '.jobs[0]["job options"].rw == "randwrite" and .["global options"].bs == "8k"'
}

@test "every number is finite, also of a job without I/O and of the shortest one" {
	fathom_json --name=j --ioengine=null --size=4k --name=c --rw=write --size=64k --create_only=1
	ended 0
	! grep -Ei '[^a-z](nan|inf)[^a-z]' out || fail "not a number"
	holds '[.. | numbers] | all(. == . and . >= -1e18 and . < 1e19)'
}

@test "warnings alone do not change the status" {
	fathom_json --name=w --rw=write --size=64k --iodepth=4
	document 0 depth-unreached
}

@test "a queue is refilled in eighths, and in one go where the I/Os are done within the call" {
	fathom_json --name=j --ioengine=null --iodepth=32 --size=1g --number_ios=1000
	# 4, then 31 times 32, then 4
	holds '.jobs[0].iodepth_submit | (.["32"] * 33 | round) == 3100 and (.["4"] * 33 | round) == 200'
	fathom_json --name=j --ioengine=null --iodepth=32 --iodepth_batch=4 --size=1g --number_ios=1000
	holds '.jobs[0].iodepth_submit["4"] == 100'
}
