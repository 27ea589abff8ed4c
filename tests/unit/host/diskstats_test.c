#include "tree.h"

#include "host/diskstats.h"

static void counters_of_all_ages_are_read(void **state)
{
	struct tree t;
	struct disk_counters c;
	tree_init(&t);
	tree_put(&t, "/sys/class/block/old/stat", "  1 2 3 4 5 6 7 8 9 10 11\n");
	tree_put(&t, "/sys/class/block/new/stat", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n");
	tree_put(&t, "/sys/class/block/bad/stat", "1 2 3\n");
	assert_int_equal(diskstats_read(&t.host, "none", &c), -ENOENT);
	assert_int_equal(diskstats_read(&t.host, "bad", &c), -EINVAL);
	assert_int_equal(diskstats_read(&t.host, "old", &c), 0);
	assert_int_equal(c.ios[0], 1);
	assert_int_equal(c.merges[0], 2);
	assert_int_equal(c.sectors[0], 3);
	assert_int_equal(c.ticks_ms[0], 4);
	assert_int_equal(c.ios[1], 5);
	assert_int_equal(c.ticks_ms[1], 8);
	assert_int_equal(c.in_flight, 9);
	assert_int_equal(c.io_ticks_ms, 10);
	assert_int_equal(c.in_queue_ms, 11);
	assert_int_equal(c.discards, 0);
	assert_int_equal(diskstats_read(&t.host, "new", &c), 0);
	assert_int_equal(c.discards, 12);
	assert_int_equal(c.discard_sectors, 14);
	assert_int_equal(c.flushes, 16);
	tree_release(&t);
}

static void times_wrap_at_32_bits(void **state)
{
	struct disk_counters a = {
		.ios = {10, 5}, .ticks_ms = {4294967290u, 0}, .io_ticks_ms = 4294967295u};
	struct disk_counters b = {
		.ios = {12, 5}, .ticks_ms = {4, 0}, .io_ticks_ms = 99, .in_flight = 3};
	struct disk_counters d = diskstats_since(&a, &b);
	assert_int_equal(d.ios[0], 2);
	assert_int_equal(d.ios[1], 0);
	assert_int_equal(d.ticks_ms[0], 10);
	assert_int_equal(d.io_ticks_ms, 100);
	assert_int_equal(d.in_flight, 3);
}

static void a_device_that_came_back_counts_from_zero(void **state)
{
	struct disk_counters a = {.ios = {100, 5}, .sectors = {800, 0}, .ticks_ms = {70, 1}};
	struct disk_counters b = {.ios = {2, 0}, .sectors = {16, 0}, .ticks_ms = {4, 0}};
	struct disk_counters d = diskstats_since(&a, &b);
	assert_int_equal(d.ios[0], 2);
	assert_int_equal(d.sectors[0], 16);
	assert_int_equal(d.ticks_ms[0], 4);
}

static void sums_and_utilisation(void **state)
{
	struct disk_counters a = {.ios = {1, 2}, .io_ticks_ms = 500}, sum = {0};
	diskstats_add(&sum, &a);
	diskstats_add(&sum, &a);
	assert_int_equal(sum.ios[1], 4);
	assert_int_equal(sum.io_ticks_ms, 1000);
	assert_float_equal(diskstats_util(&a, 1000000000), 50, 1e-9);
	assert_float_equal(diskstats_util(&sum, 999000000), 100, 1e-9);
	assert_float_equal(diskstats_util(&sum, 0), 0, 1e-9);
}

MAIN(cmocka_unit_test(counters_of_all_ages_are_read), cmocka_unit_test(times_wrap_at_32_bits),
     cmocka_unit_test(a_device_that_came_back_counts_from_zero),
     cmocka_unit_test(sums_and_utilisation))
