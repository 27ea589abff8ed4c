#!/usr/bin/env bats
# What must never be lost: devices in use, files that are only read, everything when a run is refused.

load lib
load devices


# Write, random write, mixed and trim jobs on a device are refused without a byte of it changing.
refused_untouched() {
	local rw before
	sync
	before=$(sum "$image")
	for rw in write randwrite randrw trim; do
		fathom --name=w --filename="$1" --rw="$rw" --bs=64k --size=1m
		ended 2 "$2" "${3:-allow_mounted_write=1}"
		[ ! -s out ] || { show; fail "$rw printed a report"; }
	done
	sync
	[ "$(sum "$image")" = "$before" ] || fail "$1 was changed"
}

read_allowed() {
	fathom_json --name=r --filename="$1" --rw=read --bs=64k --size=1m --direct=1
	ended 0
	holds '.jobs[0].read.total_ios == 16'
}

@test "a mounted device is not written to, and may be read" {
	need_devices
	new_loop 32m
	make_ext4 "$dev"
	mount_on "$dev" point
	refused_untouched "$dev" 'is mounted on .*point \(ext4\)'
	read_allowed "$dev"
}

@test "a mounted device is found behind a symbolic link and another node" {
	need_devices
	new_loop 32m
	make_ext4 "$dev"
	mount_on "$dev" point
	ln -s "$dev" link
	mknod node b $((0x$(stat -c %t "$dev"))) $((0x$(stat -c %T "$dev")))
	refused_untouched link 'is mounted on'
	refused_untouched node 'is mounted on'
}

@test "allow_mounted_write=1 writes to a mounted device" {
	need_devices
	new_loop 32m
	make_ext4 "$dev"
	mount_on "$dev" point
	fathom_json --name=w --filename="$dev" --rw=write --bs=4k --size=4k --offset=16m --allow_mounted_write=1
	ended 0
	holds '.jobs[0].write.total_ios == 1'
}

@test "a disk with a mounted partition is not written to" {
	need_devices
	new_loop 32m
	add_partition 32768
	make_ext4 "${dev}p1"
	mount_on "${dev}p1" point
	refused_untouched "$dev" 'partition .*p1 is mounted on .*point'
	refused_untouched "${dev}p1" 'is mounted on .*point'
	read_allowed "$dev"
}

@test "a disk with a partition that is not in use is not written to, its partition is" {
	need_devices
	new_loop 32m
	add_partition 32768
	refused_untouched "$dev" 'has 1 partition' allow_signature_write=1
	fathom_json --name=w --filename="${dev}p1" --rw=write --bs=64k --size=1m
	ended 0
	holds '.jobs[0].write.total_ios == 16'
}

@test "a disk with a partition table the kernel does not know is not written to" {
	need_devices
	new_loop 32m
	printf '\125\252' | dd of="$image" bs=1 seek=510 conv=notrunc status=none
	printf '\0\0\0\0\203\0\0\0\0\010\0\0\0\200\0\0' | dd of="$image" bs=1 seek=446 conv=notrunc status=none
	blockdev --flushbufs "$dev"
	refused_untouched "$dev" 'MBR partition table' allow_signature_write=1
	read_allowed "$dev"
}

@test "a device held by device mapper is not written to" {
	need_devices
	need dmsetup
	dmsetup version >/dev/null 2>&1 || skip "no device mapper here"
	new_loop 32m
	echo "0 32768 linear $dev 0" | dmsetup create "fathom-test-$$"
	refused_untouched "$dev" 'is held by' || { dmsetup remove "fathom-test-$$"; false; }
	dmsetup remove "fathom-test-$$"
}

@test "a device under a loop device is not written to" {
	local under
	need_devices
	new_loop 32m
	under=$dev
	dev=$(losetup -f --show "$under")
	loops=("$dev" "${loops[@]}")
	refused_untouched "$under" "is held by ${dev#/dev/}"
	make_ext4 "$dev"
	mount_on "$dev" point
	refused_untouched "$under" 'is mounted on|is held by'
}

@test "swap is not written to" {
	need_devices
	need mkswap swapon
	new_loop 32m
	dd if=/dev/zero of="$image" bs=1M count=32 conv=notrunc status=none
	mkswap "$dev" >/dev/null
	swapon "$dev" || skip "no swap can be switched on here"
	swaps+=("$dev")
	fathom --name=w --filename="$dev" --rw=write --bs=64k --size=1m
	ended 2 'is used as swap'
	fathom --name=w --filename="$dev" --rw=trim --bs=64k --size=1m
	ended 2 'is used as swap'
}

@test "a read-only device is not written to, not even with allow_mounted_write=1" {
	need_devices
	new_loop 32m -r
	fathom --name=w --filename="$dev" --rw=write --bs=64k --size=1m --allow_mounted_write=1
	ended 2 'is read-only'
	read_allowed "$dev"
}

@test "an unused device with a file system is written to only when that is allowed" {
	need_devices
	new_loop 32m
	make_ext4 "$dev"
	refused_untouched "$dev" "$dev holds a signature of ext.*" 'allow_signature_write=1 .*--force'
	read_allowed "$dev"
	fathom --name=w --filename="$image" --rw=write --bs=64k --size=1m
	ended 2 'holds a signature of ext' allow_signature_write=1
	losetup -d "$dev"
	loops=()
	fathom_json --name=w --filename="$image" --rw=write --bs=64k --offset=16m --size=1m
	ended 0
	dev=$(losetup -f --show "$image")
	loops=("$dev")
	fathom_json --name=w --filename="$dev" --rw=write --bs=64k --offset=16m --size=1m --allow_signature_write=1
	ended 0 'holds a signature of ext'
	holds '.jobs[0].write.total_ios == 16'
	fathom_json --force --name=w --filename="$dev" --rw=write --bs=64k --size=1m
	ended 0 'holds a signature of ext'
	fathom_json --name=w --filename="$dev" --rw=write --bs=64k --size=1m
	ended 0
}

@test "file systems, swap, LUKS and partition tables on a device are all refused" {
	local kind
	need_devices
	for kind in xfs btrfs swap luks gpt; do
		new_loop 320m
		case $kind in
		xfs | btrfs)
			command -v "mkfs.$kind" >/dev/null || continue
			"mkfs.$kind" -q -f -L lab "$dev" >/dev/null
			;;
		swap) mkswap -L lab "$dev" >/dev/null ;;
		luks) printf 'LUKS\272\276\0\1' | dd of="$dev" conv=notrunc status=none ;;
		gpt)
			command -v sfdisk >/dev/null || continue
			printf 'label: gpt\n' | sfdisk -q --no-reread "$dev" >/dev/null 2>&1
			;;
		esac
		blockdev --flushbufs "$dev"
		fathom --name=w --filename="$dev" --rw=write --bs=64k --size=1m
		case $kind in
		gpt) ended 2 'GPT partition table' allow_signature_write=1 ;;
		*) ended 2 "holds a signature of.*(${kind}|LUKS)" allow_signature_write=1 ;;
		esac
	done
}

@test "a device cannot be mounted while it is written to" {
	need_devices
	new_loop 32m
	make_ext4 "$dev"
	start --force --name=w --filename="$dev" --rw=write --bs=64k --offset=8m --size=1m --time_based --runtime=20 --rate_iops=100
	await has_threads "$pid" 2
	sleep 0.2
	mkdir point
	! mount "$dev" point 2>/dev/null || { umount point; fail "mounted during the run"; }
	kill -INT "$pid"
	finish
	[ "$rc" -eq 128 ]
}

@test "a mistyped device makes no file in /dev" {
	need_root
	fathom --name=w --filename=/dev/nvme9n9x --rw=write --bs=4k --size=1m
	ended 2 'mistyped device name'
	[ ! -e /dev/nvme9n9x ]
	fathom --name=r --filename=/dev/nvme9n9x --rw=read --bs=4k --size=1m
	ended 2 'mistyped device name'
	[ ! -e /dev/nvme9n9x ]
	fathom --name=r --filename=/dev/none/nvme9n9x --rw=write --bs=4k --size=1m --create_on_open=1
	ended 2
	[ ! -e /dev/none ]
}

@test "allow_file_create=0 makes no file" {
	fathom --name=w --filename=f --rw=write --bs=4k --size=64k --allow_file_create=0
	ended 2 'f does not exist, and allow_file_create=0'
	[ ! -e f ]
	truncate -s 64k f
	fathom --name=w --filename=f --rw=write --bs=4k --size=64k --allow_file_create=0
	ended 0
}

@test "a write job keeps what lies outside of its region" {
	keep 256k f
	head -c 64k f >head
	tail -c 128k f >tail
	fathom --name=w --filename=f --rw=write --bs=4k --offset=64k --size=64k
	ended 0
	head -c 64k f | cmp - head
	tail -c 128k f | cmp - tail
}

@test "a write job that extends a file keeps its beginning" {
	local link
	keep 64k f
	ln f link
	cp f old
	fathom --name=w --filename=f --rw=write --bs=4k --offset=64k --size=64k
	ended 0
	head -c 64k f | cmp - old
	[ f -ef link ]
	[ "$(stat -c %s f)" -eq 131072 ]
}

@test "a job that cannot be planned leaves all files as they were" {
	keep 100k data
	keep 10k report
	keep 10k logs_bw.1.log
	keep 10k logs_iops.1.log
	keep 10k io.log
	local before
	before=$(sum data report logs_bw.1.log logs_iops.1.log io.log)
	cat >j.fio <<-'END'
		[good]
		filename=data
		rw=write
		size=1m
		write_bw_log=logs
		write_iops_log=logs
		write_iolog=io.log
		[new]
		filename=new
		rw=read
		size=1m
		[bad]
		stonewall
		filename=missing/directory/that/is/not/there/f
		allow_file_create=0
		rw=write
		size=1m
	END
	fathom --output=report j.fio
	ended 2 allow_file_create
	[ "$(sum data report logs_bw.1.log logs_iops.1.log io.log)" = "$before" ] || fail "a file was changed"
	[ ! -e new ] && [ ! -e missing ]
	sed -i s/allow_file_create=0/iodepth=0/ j.fio
	fathom --output=report j.fio
	ended 1 iodepth
	[ "$(sum data report logs_bw.1.log logs_iops.1.log io.log)" = "$before" ] || fail "a file was changed"
	[ ! -e new ] && [ ! -e missing ]
}

@test "a layout that fails leaves the files of all jobs as they were" {
	need_devices
	new_loop 16m
	make_ext4 "$dev"
	mount_on "$dev" small
	keep 100k old
	cp old copy
	cat >j.fio <<-'END'
		[grown]
		filename=old
		rw=read
		size=1m
		[new]
		filename=new
		rw=read
		size=1m
		[huge]
		filename=small/huge
		rw=read
		size=64m
	END
	fathom j.fio
	ended 2 'small/huge.*No space left' 'size= smaller'
	cmp old copy
	[ ! -e new ] && [ ! -e small/huge ] || { ls -l . small; fail "files were left behind"; }
}

@test "SIGINT during layout leaves nothing behind and short files short" {
	need strace
	[ -z "$FATHOM_SANITIZER" ] || skip "the sanitizer and strace both trace"
	keep 100k old
	cp old copy
	cat >j.fio <<-'END'
		[new]
		filename=new
		rw=read
		size=256m
		[grown]
		filename=old
		rw=read
		size=256m
	END
	strace -f -o trace -e trace=pwrite64 -e inject=pwrite64:delay_enter=20000 \
		"$FATHOM" j.fio >out 2>err </dev/null 3>&- &
	pid=$!
	pids+=("$pid")
	await test -s new
	local main
	main=$(pgrep -P "$pid")
	kill -INT "$main"
	finish
	[ "$rc" -eq 128 ] || { show; fail "status $rc"; }
	[ ! -e new ] || fail "new was left behind"
	cmp old copy
}
