#include "tree.h"

#include "host/mounts.h"

static const char table[] =
	"1 0 8:1 / / rw,relatime shared:1 master:2 - ext4 /dev/root rw,errors=remount-ro\n"
	"2 1 0:5 / /dev rw - devtmpfs devtmpfs rw\n"
	"3 1 8:2 / /data rw - xfs /dev/sda2 rw\n"
	"4 3 8:2 /sub /data/in\\040side rw,noatime - xfs /dev/sda2 rw\n"
	"5 1 0:30 / /b rw - btrfs /dev/mapper/a-b rw\n"
	"6 1 0:31 / /odd rw - weird\n"
	"7 1 x /bad rw - ext4 /dev/sdq rw\n"
	"8 1 8:9 / /short\n";

static void build(struct tree *t)
{
	tree_init(t);
	tree_put(t, "/proc/self/mountinfo", table);
	tree_put(t, "/proc/swaps",
		 "Filename\t\t\t\tType\t\tSize\tUsed\tPriority\n"
		 "/dev/sda3                               partition\t1000\t0\t-2\n"
		 "/swap\\040file                           file\t\t1000\t0\t-3\n");
	tree_put(t, "/sys/class/block/dm-3/dm/name", "a-b\n");
}

static void tables_are_read(void **state)
{
	struct tree t;
	struct arena a;
	struct mounts m;
	build(&t);
	arena_init(&a, 0);
	assert_int_equal(mounts_read(&t.host, &a, &m), 0);
	assert_int_equal(m.n, 6);
	assert_string_equal(m.v[0].super, "rw,errors=remount-ro");
	assert_string_equal(m.v[3].point, "/data/in side");
	assert_string_equal(m.v[3].options, "rw,noatime");
	assert_int_equal(m.swaps, 2);
	assert_string_equal(m.swap[1], "/swap file");
	assert_true(mounts_is_swap(&t.host, &m, 8, 3, "sda3"));
	assert_false(mounts_is_swap(&t.host, &m, 8, 1, "sda1"));
	assert_false(mounts_is_swap(&t.host, &m, 8, 1, "sda"));
	arena_release(&a);
	tree_release(&t);
}

static void devices_are_found(void **state)
{
	struct tree t;
	struct arena a;
	struct mounts m;
	build(&t);
	arena_init(&a, 0);
	assert_int_equal(mounts_read(&t.host, &a, &m), 0);
	assert_string_equal(mounts_find_device(&t.host, &m, 8, 1, "sda1")->point, "/");
	assert_string_equal(mounts_find_device(&t.host, &m, 8, 2, "sda2")->point, "/data/in side");
	assert_string_equal(mounts_find_device(&t.host, &m, 253, 3, "dm-3")->point, "/b");
	assert_null(mounts_find_device(&t.host, &m, 8, 4, "sda4"));
	assert_null(mounts_find_device(&t.host, &m, 253, 4, "dm-4"));
	arena_release(&a);
	tree_release(&t);
}

static void deepest_mount_of_a_path(void **state)
{
	struct tree t;
	struct arena a;
	struct mounts m;
	build(&t);
	arena_init(&a, 0);
	assert_int_equal(mounts_read(&t.host, &a, &m), 0);
	assert_int_equal(mounts_find_path(&m, 0, "/data/x")->id, 3);
	assert_int_equal(mounts_find_path(&m, 0, "/data")->id, 3);
	assert_int_equal(mounts_find_path(&m, 0, "/database")->id, 1);
	assert_int_equal(mounts_find_path(&m, 0, "/data/in side/x")->id, 4);
	assert_int_equal(mounts_find_path(&m, 5, "/data/x")->id, 5);
	assert_int_equal(mounts_find_path(&m, 999, "/")->id, 1);
	assert_null(mounts_find_path(&m, 999, NULL));
	arena_release(&a);
	tree_release(&t);
}

static void missing_tables(void **state)
{
	struct tree t;
	struct arena a;
	struct mounts m;
	tree_init(&t);
	arena_init(&a, 0);
	assert_int_equal(mounts_read(&t.host, &a, &m), -ENOENT);
	tree_put(&t, "/proc/self/mountinfo", "");
	assert_int_equal(mounts_read(&t.host, &a, &m), 0);
	assert_int_equal(m.n + m.swaps, 0);
	arena_release(&a);
	tree_release(&t);
}

MAIN(cmocka_unit_test(tables_are_read), cmocka_unit_test(devices_are_found),
     cmocka_unit_test(deepest_mount_of_a_path), cmocka_unit_test(missing_tables))
