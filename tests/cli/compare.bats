#!/usr/bin/env bats
# also: asan
# fathom compare: simulated runs with a known difference, reports of fio, and files that are none.
load lib

# sim NAME LATENCY SEED [OPTION...]: a lognormal device at depth 4 for twelve simulated seconds.
sim() {
	local name=$1 latency=$2 seed=$3
	shift 3
	"$FATHOM" --output-format=json+ --output="$name" --name=j --ioengine=sim --sim_dist=lognormal --sim_sigma=0.3 --size=64m \
		--bs=4k --rw=randread --runtime=12 --time_based --iodepth=4 --sim_latency="$latency" --randseed="$seed" "$@"
}

need_json() {
	need jq
	"$FATHOM" --version | grep -q jansson || skip "built without libjansson"
}

# The verdict of a metric in a JSON comparison.
verdict() {
	jq -er ".comparisons[0].rows[] | select(.metric == \"$1\") | .verdict"
}

@test "three percent between two simulated devices are called" {
	need_json
	sim a.json 100us 1
	sim b.json 103us 2
	fathom compare --allow=sim_latency,randseed --format=json a.json b.json
	ended 0
	[ "$(verdict iops <out)" = slower ]
	[ "$(verdict bw <out)" = slower ]
	[ "$(verdict lat <out)" = slower ]
	[ "$(verdict p50 <out)" = slower ]
	jq -e '.comparisons[0].rows[0] | .low_percent < -2.9 and .high_percent > -2.9 and .high_percent < 0' out
	fathom compare --allow=sim_latency,randseed --fail-on=slower a.json b.json
	[ "$rc" -eq 5 ]
	fathom compare --allow=sim_latency,randseed --fail-on=slower b.json a.json
	ended 0
	says 'iops .* faster'
}

@test "the same device with another seed shows no difference" {
	need_json
	sim a.json 100us 1
	sim b.json 100us 2
	fathom compare --allow=randseed a.json b.json
	ended 0
	says 'iops .* no difference seen'
	says 'lat .* no difference seen'
	says 'p50 .* no difference seen'
	fathom compare --fail-on=slower a.json a.json
	ended 0
}

@test "options that differ are refused and named" {
	need_json
	sim a.json 100us 1
	sim b.json 100us 1 --ramp_time=1
	fathom compare a.json b.json
	ended 1 'not runs of the same options' 'job j: ramp_time not given, now 1'
	[ ! -s out ]
	fathom compare --force a.json b.json
	ended 0
	says 'differs +job j: ramp_time'
}

@test "files, folders and patterns are repeats" {
	need_json
	mkdir r
	for n in 1 2 3; do sim "r/$n.json" 100us "$n"; done
	sim b.json 110us 9
	fathom compare --allow=randseed,sim_latency r b.json
	ended 0
	says 'baseline +r \(3 runs'
	cp out folder
	fathom compare --allow=randseed,sim_latency 'r/*.json' b.json
	ended 0
	diff <(tail -n +2 folder) <(tail -n +2 out)
	fathom compare --allow=randseed,sim_latency --format=json r/1.json,r/2.json,r/3.json b.json
	ended 0
	[ "$(verdict iops <out)" = slower ]
	jq -e '.comparisons[0].baseline.runs == 3 and .comparisons[0].rows[0].method == "repeats"' out
}

@test "broken reports give a clear error" {
	need_json
	sim a.json 100us 1
	head -c 2000 a.json >cut.json
	echo hello >text.json
	echo '{"a": 1}' >other.json
	mkdir empty
	fathom compare a.json cut.json
	ended 1 'cut.json, line [0-9]+: the report is cut off'
	fathom compare a.json text.json
	ended 1 'text.json holds no JSON report'
	fathom compare a.json other.json
	ended 1 'no report of fio or fathom'
	fathom compare a.json missing.json
	ended 1 'missing.json cannot be opened'
	fathom compare a.json empty
	ended 1 'holds no file that ends in .json'
	fathom compare a.json 'x*.json'
	ended 1 'no such file'
	fathom compare a.json
	[ "$rc" -eq 1 ]
	fathom compare --frobnicate a.json a.json
	ended 1 'unknown option'
}

@test "reports of fio compare with ours" {
	need_json
	need fio
	local job=(--name=x --ioengine=null --size=256m --bs=4k --rw=randread --rate_iops=2000 --runtime=5 --time_based=1)
	fio "${job[@]}" --output-format=json --output=fio.json >/dev/null
	sed -i '1i fio: a note before the report' fio.json
	"$FATHOM" "${job[@]}" --output-format=json --output=ours.json
	fathom compare fio.json ours.json
	ended 0
	says 'differs +host: tool=fio-[0-9.]+, now fio-.*fathom'
	says 'iops +(2000|1999|2001)'
	fathom compare fio.json,fio.json,fio.json fio.json,fio.json
	ended 0
	says 'iops .* no difference seen'
}

@test "markdown is a table" {
	need_json
	sim a.json 100us 1
	fathom compare --format=markdown a.json a.json
	ended 0
	says '^\| job +\| direction \| metric'
	says '^\|--'
}

@test "repeats are one document with a summary, and a side of a comparison" {
	need_json
	local job=(--name=j --ioengine=sim --sim_dist=lognormal --size=64m --bs=4k --rw=randread --runtime=2 --time_based
		--randrepeat=0)
	fathom --output-format=json --repeat=3 "${job[@]}"
	ended 0
	holds '(.repeats | length) == 3 and .fathom.repeat.runs == 3'
	holds '.fathom.repeat.rows[0] | .metric == "iops" and .n == 3 and .low < .mean and .mean < .high'
	holds '[.repeats[].jobs[0].read.iops] | (unique | length) == 3'
	mv out three.json
	fathom compare three.json three.json
	ended 0
	says 'baseline +three.json \(3 runs'
	fathom --repeat=2 "${job[@]}"
	ended 0
	says '^Repeat 2$'
	says '^Repeats: 2 runs'
}

@test "repeat=auto stops when the interval is narrow, or says that it is not" {
	local job=(--name=j --ioengine=sim --sim_dist=lognormal --size=64m --bs=4k --rw=randread --runtime=2 --time_based
		--randrepeat=0)
	fathom --repeat=auto:50% "${job[@]}"
	ended 0
	silent
	says '^Repeats: 3 runs'
	fathom --repeat=auto:0.0001%:p99 --max-time=11 "${job[@]}"
	ended 0 'after 5 repeats the confidence interval of p99 is within'
	says '^Repeats: 5 runs'
	fathom --repeat=auto:1%:speed "${job[@]}"
	ended 1 "option '--repeat'"
	fathom --repeat=0 "${job[@]}"
	ended 1 "option '--repeat'"
}

@test "a baseline decides the exit code" {
	need_json
	local job=(--name=j --ioengine=sim --sim_dist=lognormal --size=64m --bs=4k --rw=randread --runtime=12 --time_based)
	fathom_json "${job[@]}"
	mv out base.json
	fathom --baseline=base.json "${job[@]}"
	ended 0
	says 'iops .* no difference seen'
	jq '.jobs[0].read |= (.iops *= 1.1 | .lat_ns.mean /= 1.1) | .jobs[0].fathom.series.read.iops |= map(. * 1.1)' base.json >fast.json
	fathom --baseline=fast.json "${job[@]}"
	[ "$rc" -eq 5 ]
	says 'iops .* slower'
	fathom_json --baseline=fast.json "${job[@]}"
	[ "$rc" -eq 5 ]
	holds '.fathom.comparison.rows[0].verdict == "slower"'
	fathom --baseline=base.json "${job[@]}" --iodepth=2
	ended 1 'cannot serve as baseline: job j had iodepth='
	fathom --baseline=missing.json "${job[@]}"
	ended 1 'missing.json cannot be opened'
}
