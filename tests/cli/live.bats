#!/usr/bin/env bats
# --live and --metrics: what readers get, and that no reader disturbs the run.
# also: asan
load lib

follow() {
	python3 "$TOP/tests/cli/follow.py" "$@"
}

# The same in the background; its pid is $reader.
reader() {
	python3 "$TOP/tests/cli/follow.py" "$@" 3>&- &
	reader=$!
	pids+=("$reader")
}

# A run of about MS milliseconds in real time that costs next to nothing.
quiet() {
	local ms=$1
	shift
	fathom --output-format=json --name=q --ioengine=null --size=1m --bs=4k --rw=randrw --rate_iops=500,500 \
		--time_based --runtime="${ms}ms" "$@"
}

# Lines are JSON, numbered, the last and only the last is final, and the intervals sum up to the totals.
whole() {
	jq -es '
		([.[].seq] == [range(length)]) and ([.[].final] == [range(length - 1) | false] + [true])
		and (. as $all | .[-1].jobs | to_entries | all(
			.key as $k | .value as $last | ["read", "write", "trim"] | all(
				. as $d | ([$all[].jobs[$k][$d].ios] | add) == $last[$d].total_ios
				and ([$all[].jobs[$k][$d].bytes] | add) == $last[$d].total_bytes)))' "$1" >/dev/null ||
		{ head -c 2000 "$1"; fail "$1 is not whole"; }
}

warned() {
	[ "$(jq --arg c "$1" '[.fathom.messages[] | select(.code == $c)] | length' out)" -eq "${2:-1}" ] ||
		{ show; fail "not one message $1"; }
}

@test "lines go to a descriptor as they happen and sum up to the report" {
	need jq
	quiet 600 --live=fd:4 --live-interval=50ms 4>lines
	ended 0
	silent
	whole lines
	[ "$(wc -l <lines)" -ge 8 ]
	[ "$(jq -s '.[-1].jobs[0].read.total_ios' lines)" -eq "$(jq '.jobs[0].read.total_ios' out)" ]
	[ "$(jq -rs '.[-1] | "\(.jobs[0].end) \(.jobs[0].states) \(.exit_code) \(.running)"' lines)" = "time _ 0 0" ]
	[ "$(jq -rs '.[2] | "\(.jobs[0].end) \(.jobs[0].states) \(.jobs[0].running)"' lines)" = "null m 1" ]
	jq -es '.[2].jobs[0].read.clat_ns | .p50 <= .p99 and .p99 <= .max and .mean > 0' lines
}

@test "the report goes to standard output when the lines do not" {
	fathom --name=a --ioengine=null --size=4k --live=fd:1
	ended 1 'the report goes to fd:1'
	fathom --name=a --ioengine=sim --size=4k --live=fd:1 --output=report
	ended 0
	grep -q '"final":true' out
	grep -q 'Run status' report
	for place in '--live=report --output=report' --live=/dev/stdout --live=fd:4; do
		fathom --name=a --ioengine=null --size=4k $place 4>>out
		ended 1 'the report goes to the same place'
	done
}

@test "lines go to whoever listens at a unix socket" {
	need jq
	reader take unix:s
	await test -S s
	quiet 300 --live=unix:s --live-interval=50ms
	ended 0
	wait "$reader"
	silent
	whole lines
}

@test "lines go to whoever listens at a TCP port" {
	need jq
	reader take tcp
	await test -s port
	quiet 300 --live=tcp:127.0.0.1:"$(cat port)" --live-interval=50ms
	ended 0
	wait "$reader"
	whole lines
}

@test "a reader that goes away is told about once and the run goes on" {
	need jq
	reader take unix:s 2
	await test -S s
	quiet 500 --live=unix:s --live-interval=20ms
	ended 0 'warning: the reader of live numbers went away'
	warned live-gone
	wait "$reader"
	[ "$(wc -l <lines)" -eq 2 ]
	holds '.jobs[0].error == 0 and .jobs[0].fathom.end == "time" and (.jobs[0].read.runtime | . >= 500 and . < 1500)'
}

@test "a pipe whose reader has gone does not kill the program" {
	need jq
	quiet 400 --live=fd:4 --live-interval=20ms 4> >(exec true)
	ended 0 'warning: the reader of live numbers went away'
	warned live-gone
	holds '.jobs[0].error == 0 and (.jobs[0].read.runtime | . >= 400 and . < 1400)'
}

@test "a reader that does not read makes nobody wait; what it misses is counted" {
	need jq
	mkfifo hold
	python3 "$TOP/tests/cli/follow.py" stall tcp <hold 3>&- &
	reader=$!
	pids+=("$reader")
	exec 5>hold
	await test -s port
	mkfifo pipe
	exec 6<>pipe
	# 400 lines of 900 bytes are more than a pipe and the queue hold.
	quiet 2000 --live=pipe --live-interval=10ms --numjobs=4 5>&- 6>&-
	ended 0 'warning: the reader of live numbers does not keep up'
	warned live-slow
	warned live-left
	holds '.jobs | length == 4 and all(.read.runtime | . >= 2000 and . < 3000)'
	quiet 300 --live=tcp:127.0.0.1:"$(cat port)" --live-interval=10ms 5>&- 6>&-
	ended 0
	holds '(.jobs[0].read.runtime | . >= 300 and . < 1300)'
	exec 5>&- 6>&-
	wait "$reader"
}

@test "lines that were left out are covered by the next one" {
	need jq
	mkfifo pipe
	(
		exec <pipe
		sleep 1
		cat >lines
	) 3>&- & reader=$!
	pids+=("$reader")
	quiet 2500 --live=pipe --live-interval=10ms --numjobs=8
	wait "$reader"
	ended 0 'does not keep up'
	whole lines
	jq -es '(.[-1].dropped_lines > 0) and ([.[].interval_ns] | max > 50000000)' lines
}

@test "a fifo needs no reader" {
	mkfifo pipe
	quiet 100 --live=pipe --live-interval=20ms
	ended 0
}

@test "where nobody listens nothing is begun" {
	need jq
	fathom_json --name=a --filename=f --size=4k --rw=write --live=unix:nobody
	ended 2 'nobody answers at unix:nobody'
	holds '.fathom.exit_code == 2 and ([.fathom.messages[].code] == ["live-open"])'
	[ ! -e f ]
	fathom --name=a --filename=f --size=4k --rw=write --live=fd:9 9</dev/null
	ended 2 'fd:9 is not open for writing'
	fathom --name=a --filename=f --size=4k --rw=write --live=.
	ended 2 'is no file that can hold lines'
	[ ! -e f ]
}

@test "a run that fails before it starts has a last line" {
	need jq
	fathom --name=a --filename=f --size=500t --rw=read --live=lines
	ended 2
	jq -es 'length == 1 and .[0].final and .[0].exit_code == 2 and .[0].jobs == []' lines
}

# The program was built with libmicrohttpd.
serves() {
	"$FATHOM" --version | grep -q libmicrohttpd || skip "built without libmicrohttpd"
}

@test "metrics hold to the format and only grow" {
	need jq
	serves
	start --output-format=json --name='odd "name\' --numjobs=2 --ioengine=null --size=1m --rw=randrw --rate_iops=500,500 \
		--time_based --runtime=30 --metrics=0 --live-interval=50ms
	await grep -q 'metrics are served at http' err
	url=$(grep -o 'http://127[^ ]*' err)
	await sh -c "python3 '$TOP/tests/cli/follow.py' get $url && grep -q 'le=' page"
	[ "$(follow get "$url")" = "200 application/openmetrics-text; version=1.0.0; charset=utf-8" ]
	cp page one
	sleep 0.2
	follow get "$url"
	cp page two
	kill -INT "$pid"
	finish
	[ "$rc" -eq 128 ]
	python3 "$TOP/tests/cli/openmetrics.py" one two
	! cmp -s one two
	grep -q '^fathom_ios_total{job="odd \\"name\\\\",number="1",direction="read"} [0-9]' two
	grep -q '^fathom_workers_running{job="odd \\"name\\\\",number="0"} 1$' two
}

@test "the checker of the format takes what the report folder has" {
	python3 "$TOP/tests/cli/openmetrics.py" "$TOP/tests/golden/report/openmetrics.txt"
	for bad in 's/# EOF//' '/le="+Inf"/d' 's/_total{/{/' 's/le="1.0"/le="1"/' '2d;1d' 's/number="1"/number="3"/;s/"async"/"unified"/'; do
		sed "$bad" "$TOP/tests/golden/report/openmetrics.txt" >bad
		! python3 "$TOP/tests/cli/openmetrics.py" bad 2>/dev/null || fail "$bad was taken"
	done
}

@test "the server answers GET and HEAD of one page and survives everything else" {
	serves
	start --name=a --ioengine=null --size=1m --rate_iops=500 --time_based --runtime=30 --metrics=unix:m
	await test -S m
	page="200 application/openmetrics-text; version=1.0.0; charset=utf-8"
	[ "$(follow get unix:m 'POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi')" = "405 text/plain; charset=utf-8" ]
	[ "$(follow get unix:m 'BREW /metrics HTTP/1.1\r\nHost: x\r\n\r\n')" = "405 text/plain; charset=utf-8" ]
	[ "$(follow get unix:m 'HEAD /metrics HTTP/1.0\r\n\r\n')" = "$page" ]
	[ "$(follow get unix:m 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')" = "404 text/plain; charset=utf-8" ]
	[ "$(follow get unix:m 'GET /metricsx HTTP/1.1\r\nHost: x\r\n\r\n')" = "404 text/plain; charset=utf-8" ]
	[[ "$(follow get unix:m 'GET /metrics FTP/1.1\r\n\r\n')" = "400 "* ]]
	follow noise unix:m '\0\x01\xff\xfe garbage \0\r\n\r\n'
	follow noise unix:m '\r\n\r\nGET\r\n\r\n'
	follow noise unix:m "GET /$(head -c 40000 /dev/zero | tr '\0' a) HTTP/1.1\r\n\r\n"
	[ "$(follow get unix:m 'GET /metrics?a=b HTTP/1.0\r\n\r\n')" = "$page" ]
	follow idle unix:m 31
	follow get unix:m
	python3 "$TOP/tests/cli/openmetrics.py" page
	kill -INT "$pid"
	finish
	[ "$rc" -eq 128 ]
	[ ! -e m ]
}

@test "more clients than connections are answered one after the other" {
	serves
	start --name=a --ioengine=null --size=1m --rate_iops=500 --time_based --runtime=30 --metrics=0
	await grep -q 'metrics are served at http' err
	follow crowd "$(grep -o 'http://127[^ ]*' err)" 50
	kill -INT "$pid"
	finish
	[ "$rc" -eq 128 ]
}

@test "a run ends while a client is connected" {
	need jq
	serves
	start --output-format=json --name=a --ioengine=null --size=1m --rate_iops=500 --time_based --runtime=2 --metrics=unix:m
	await test -S m
	reader hang unix:m
	await test -e connected
	finish
	[ "$rc" -eq 0 ]
	holds '.jobs[0].error == 0 and (.jobs[0].read.runtime | . >= 2000 and . < 3000)'
	wait "$reader"
}

@test "a socket of a killed run is replaced" {
	serves
	start --name=a --ioengine=null --size=1m --rate_iops=500 --time_based --runtime=30 --metrics=unix:m
	await test -S m
	kill -KILL "$pid"
	finish
	[ -S m ]
	fathom --name=a --ioengine=sim --size=4k --metrics=unix:m
	ended 0
	[ ! -e m ]
}

@test "without libmicrohttpd serving is refused before the run" {
	need jq
	! "$FATHOM" --version | grep -q libmicrohttpd || skip "built with libmicrohttpd"
	for where in 0 unix:m; do
		fathom_json --name=a --filename=f --size=4k --rw=write --metrics=$where
		ended 2 'served by libmicrohttpd, and this program was built without it'
		holds '[.fathom.messages[].code] == ["metrics-open"]'
		[ ! -e f ] && [ ! -e m ]
	done
}

@test "a file of metrics is replaced as a whole and keeps the last page" {
	start --name=a --ioengine=null --size=1m --rate_iops=500 --time_based --runtime=30 --metrics=m.prom --live-interval=20ms
	await grep -qs '^fathom_ios_total{job="a",number="0",direction="read"} [1-9]' m.prom
	for _ in {1..50}; do
		cat m.prom >copy
		tail -n 1 copy | grep -q '^fathom_' || fail "half a page"
	done
	grep -q '^fathom_finished 0$' copy
	kill -INT "$pid"
	finish
	[ "$rc" -eq 128 ]
	grep -q '^fathom_finished 1$' m.prom
	grep -q '^# TYPE fathom_ios_total counter$' m.prom
	grep -q '^# TYPE fathom_build_info gauge$' m.prom
	! grep -q 'EOF\|UNIT' m.prom
	[ "$(ls)" = "$(ls | grep -v part)" ]
}

@test "a file of metrics that cannot be replaced is refused before the run" {
	mkdir d
	mkfifo pipe
	: >plain
	ln -s plain link
	for where in ./d ./pipe ./link ./none/m.prom /dev/null; do
		fathom --name=a --filename=f --size=4k --rw=write --metrics=$where
		ended 2 "$where cannot be replaced"
		[ ! -e f ]
	done
	for how in '--output=report' '--live=report' "--live=$PWD/report"; do
		fathom --name=a --ioengine=null --size=4k --metrics=./report $how
		ended 1 'go to the same file'
	done
}

@test "a socket that was left behind is replaced, one in use is not" {
	serves
	python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("m")'
	fathom --name=a --ioengine=sim --size=4k --metrics=unix:m
	ended 0
	: >m
	fathom --name=a --ioengine=sim --size=4k --metrics=unix:m
	ended 2 'metrics cannot be served at unix:m'
	[ -f m ]
	reader take tcp
	await test -s port
	fathom --name=a --ioengine=sim --size=4k --metrics="$(cat port)"
	ended 2 "metrics cannot be served at 127.0.0.1:$(cat port)"
	kill "$reader"
	wait "$reader" || true
}

@test "places that are none are refused with their argument" {
	fathom --name=a --ioengine=null --size=4k --live=udp:h:1
	ended 1 "command line, argument 4: error: option '--live': 'udp:h:1' is not a destination"
	fathom --name=a --ioengine=null --size=4k --metrics=99999
	ended 1 "option '--metrics'"
	fathom --name=a --ioengine=null --size=4k --live-interval=1s
	ended 1 'add --live=WHERE'
}
