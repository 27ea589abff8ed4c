#!/usr/bin/env bats
# Every engine moves the bytes of the right file, also with several workers at a time.
# also: asan tsan

load lib

engines=(psync sync vsync pvsync pvsync2 libaio io_uring mmap posixaio)

# Four workers of engine $1 write four files with a pattern each; $2...: more options.
four_files() {
	local engine=$1 n
	shift
	rm -f f?
	fathom --ioengine="$engine" --rw=write --bs=4k --size=256k --iodepth=4 "$@" \
		--name=a --filename=f0 --buffer_pattern=0xa0 --name=b --filename=f1 --buffer_pattern=0xb1 \
		--name=c --filename=f2 --buffer_pattern=0xc2 --name=d --filename=f3 --buffer_pattern=0xd3
	ended 0
	for n in 0:240 1:261 2:302 3:323; do
		head -c 262144 /dev/zero | tr '\0' "\\${n#*:}" | cmp - "f${n%:*}" || { show; fail "$engine: f${n%:*}"; }
	done
}

@test "four workers write four files, with every engine" {
	case ${FATHOM_SANITIZER:-} in
	t*) skip "ThreadSanitizer takes equal descriptors of private tables for one" ;;
	esac
	local engine
	for engine in "${engines[@]}"; do
		four_files "$engine"
	done
}

@test "four workers one after the other write four files, with every engine" {
	local engine
	for engine in "${engines[@]}"; do
		four_files "$engine" --stonewall
	done
}

@test "without private descriptor tables the bytes are the same" {
	need strace
	strace -f -o trace -e trace=unshare -e inject=unshare:error=EPERM true 2>/dev/null || skip "strace cannot inject here"
	[ -z "$FATHOM_SANITIZER" ] || skip "strace and sanitizers do not go together"
	rm -f f?
	strace -f -o trace -e trace=unshare -e inject=unshare:error=EPERM "$FATHOM" --ioengine=psync --rw=write --bs=4k --size=64k --name=a --filename=f0 --buffer_pattern=0xa0 \
		--name=b --filename=f1 --buffer_pattern=0xb1 >out 2>err
	grep -q 'unshare.*EPERM' trace
	head -c 65536 /dev/zero | tr '\0' '\240' | cmp - f0
	head -c 65536 /dev/zero | tr '\0' '\261' | cmp - f1
}
