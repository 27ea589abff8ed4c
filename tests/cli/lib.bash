# Helpers of the command-line tests. Each test has an empty folder of its own as working folder; what the program said is
# in the files `out` and `err` there, its status in $rc.

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	pids=()
}

teardown() {
	kill_started
}

kill_started() {
	local p
	for p in "${pids[@]}"; do
		if [ -e "/proc/$p" ]; then kill -KILL "$p" 2>/dev/null || true; fi
	done
}

fail() {
	echo "$*"
	return 1
}

# What there is to see when a check fails.
show() {
	echo "status $rc"
	sed 's/^/out: /' out 2>/dev/null | head -n 40
	sed 's/^/err: /' err 2>/dev/null | head -n 20
}

# Run to the end. A hang is a failure, not a wait.
fathom() {
	rc=0
	timeout -k 1 50 "$FATHOM" "$@" >out 2>err </dev/null || rc=$?
}

fathom_json() {
	fathom --output-format=json "$@"
}

# Status, and words that standard error has to have (extended regular expressions).
ended() {
	local want=$1 words
	shift
	[ "$rc" -eq "$want" ] || { show; fail "expected status $want"; }
	for words in "$@"; do
		grep -Eq -- "$words" err || { show; fail "standard error lacks: $words"; }
	done
}

says() {
	grep -Eq -- "$1" out || { show; fail "the output lacks: $1"; }
}

silent() {
	[ ! -s err ] || { show; fail "standard error should be empty"; }
}

# A jq expression that has to be true of the one document in a file.
holds() {
	local file=${2:-out}
	jq -es "(length == 1) and (.[0] | $1)" "$file" >/dev/null || {
		show
		jq -c '.jobs[]? | {jobname, error, r: .read.total_ios, w: .write.total_ios, t: .trim.total_ios,
			runtime: [.read.runtime, .write.runtime], end: .fathom.end}' "$file" || head -c 300 "$file"
		fail "does not hold: $1"
	}
}

value() {
	jq -er "$1" "${2:-out}"
}

# Start in the background; the pid is $pid. finish waits for it.
start() {
	"$FATHOM" "$@" >out 2>err </dev/null 3>&- &
	pid=$!
	pids+=("$pid")
}

finish() {
	rc=0
	wait "$pid" || rc=$?
}

# Wait until a command succeeds, for ten seconds at most.
await() {
	local n
	for ((n = 0; n < 500; n++)); do
		if "$@" >/dev/null 2>&1; then return 0; fi
		sleep 0.02
	done
	fail "still not: $*"
}

# True once process $1 has at least $2 threads: the workers are there.
has_threads() {
	local all=(/proc/"$1"/task/*)
	[ "${#all[@]}" -ge "$2" ]
}

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

sum() {
	md5sum "$@" | cut -d' ' -f1
}

# Bytes that are known to be there.
keep() {
	head -c "$1" /dev/urandom >"$2"
}

need_root() {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
}

need() {
	local tool
	for tool in "$@"; do
		command -v "$tool" >/dev/null || skip "needs $tool"
	done
}

# kill_worker PID SIGNAL: send a signal to the last thread of a process, as if the worker itself had failed.
kill_worker() {
	python3 - "$1" "$2" <<'PY'
import ctypes, os, signal, sys
pid = int(sys.argv[1])
tid = max(int(t) for t in os.listdir(f"/proc/{pid}/task"))
assert tid != pid
TGKILL = {"x86_64": 234, "aarch64": 131}[os.uname().machine]
sys.exit(ctypes.CDLL(None).syscall(TGKILL, pid, tid, getattr(signal, "SIG" + sys.argv[2])) != 0)
PY
}

# What another task on the processor can spoil for a moment: true when one of five tries is.
on_a_quiet_moment() {
	local try
	for try in 1 2 3 4 5; do
		if "$@" >"tried.$try"; then return 0; fi
	done
	cat tried.5
	return 1
}
