# Loop and zram devices for tests, and taking all of them down again. Load after lib.bash.

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	pids=() points=() loops=() zrams=() swaps=()
}

teardown() {
	kill_started
	remove_devices
}

need_devices() {
	need_root
	[ -e /dev/loop-control ] || skip "no loop devices here"
	need losetup mount umount
}

# A loop device over a new file of SIZE, with further options of losetup; its path is in $dev, the file's in $image.
new_loop() {
	image=$PWD/image.${#loops[@]}
	truncate -s "$1" "$image"
	dev=$(losetup -fP "${@:2}" --show "$image") || skip "no loop device can be set up here"
	loops=("$dev" "${loops[@]}")
}

# A zram device of SIZE in $dev.
new_zram() {
	local n
	[ -r /sys/class/zram-control/hot_add ] || skip "no zram devices here"
	n=$(cat /sys/class/zram-control/hot_add) || skip "no zram device can be added here"
	zrams+=("$n")
	dev=/dev/zram$n
	echo "$1" >"/sys/block/zram$n/disksize"
	await test -b "$dev"
}

make_ext4() {
	need mkfs.ext4
	mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$1"
}

mount_on() {
	mkdir -p "$2"
	mount "$1" "$2" || skip "nothing can be mounted here"
	points=("$PWD/$2" "${points[@]}")
}

# A partition over most of $dev, made by hand so that no tool and no table parser is needed.
add_partition() {
	need addpart
	addpart "$dev" 1 2048 "$1" || skip "no partition can be added here"
	await test -b "${dev}p1"
}

# Each step is tried whatever became of the one before.
remove_devices() {
	local x
	cd /
	for x in "${swaps[@]}"; do swapoff "$x" || true; done
	for x in "${points[@]}"; do umount "$x" || umount -l "$x" || true; done
	for x in "${loops[@]}"; do losetup -d "$x" || true; done
	for x in "${zrams[@]}"; do
		echo 1 >"/sys/block/zram$x/reset"
		echo "$x" >/sys/class/zram-control/hot_remove
	done
}
