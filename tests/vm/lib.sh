# TAP for guest scripts: `. /data/lib.sh`, checks, `finish`. busybox sh.
tests=0
bad=0

# check NAME COMMAND...: one test; what the command printed is shown when it fails.
check() {
	local name=$1
	shift
	tests=$((tests + 1))
	if "$@" >/tmp/check.log 2>&1; then
		echo "ok $tests - $name"
	else
		echo "not ok $tests - $name"
		sed 's/^/# /' /tmp/check.log | tail -n 40
		bad=$((bad + 1))
	fi
}

# has FILE PATTERN: the file has a line that matches; shows the file when not.
has() {
	grep -qE -- "$2" "$1" || {
		echo "no line matches: $2"
		cat "$1"
		return 1
	}
}

# json FILE FILTER: jq's filter is true for the file.
json() {
	jq -e "$2" "$1" >/dev/null || {
		echo "not true: $2"
		head -c 6000 "$1"
		return 1
	}
}

# interrupts PATTERN: the sum over all CPUs of the interrupt lines whose name matches.
interrupts() {
	awk -v name="$1" '$NF ~ name { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts
}

finish() {
	echo "1..$tests"
	[ $bad -eq 0 ]
	exit
}
