/* Amounts, passes, loops, ramp, memory. */
#include "rig.h"

static struct rig r;

static void size_without_tail(void **state)
{
	rig_init(&r, RW_READ, 10 * KI, 4 * KI);
	rig_start(&r);
	rig_expect(&r, 100, "r0 r4");
	assert_int_equal(r.loops, 1);
	struct workload_counts c;
	workload_counts(r.load, &c);
	assert_int_equal(c.tail_bytes, 2 * KI);
	assert_int_equal(c.issued_ios[DIR_READ], 2);
	assert_int_equal(c.issued_bytes[DIR_READ], 8 * KI);
	rig_end(&r);
}

/* I/O goes on while less than the limit was issued. */
static void io_size_below_and_above_the_region(void **state)
{
	rig_init(&r, RW_READ, 1 * MI, 4 * KI);
	r.pj.limit_bytes = 10 * KI;
	rig_start(&r);
	rig_expect(&r, 100, "r0 r4 r8");
	rig_end(&r);
	rig_init(&r, RW_READ, 10 * KI, 4 * KI);
	r.pj.limit_bytes = 20 * KI;
	r.batch = r.slots = 4;
	rig_start(&r);
	rig_expect(&r, 100, "r0 r4 r0 r4 r0");
	rig_end(&r);
}

static void loops_repeat_the_amount(void **state)
{
	rig_init(&r, RW_WRITE, 12 * KI, 4 * KI);
	r.pj.loops = 3;
	rig_start(&r);
	rig_expect(&r, 100, "w0 w4 w8 w0 w4 w8 w0 w4 w8");
	assert_int_equal(r.loops, 3);
	assert_true(r.over);
	rig_end(&r);
}

/* number_ios=3, loops=4: twelve blocks of one pass (compatibility 5.8). */
static void number_ios_counts_over_all_loops(void **state)
{
	for (unsigned batch = 1; batch <= 8; batch += 7) {
		rig_init(&r, RW_READ | RW_RANDOM, 4 * MI, 4 * KI);
		r.pj.loops = 4;
		r.pj.limit_ios = 12;
		r.batch = r.slots = batch;
		rig_start(&r);
		assert_int_equal(rig_run(&r, 100), 12);
		assert_int_equal(r.state, WORKLOAD_END);
		for (unsigned i = 0; i < 12; i++)
			for (unsigned k = 0; k < i; k++)
				assert_int_not_equal(r.log[i].offset, r.log[k].offset);
		rig_end(&r);
	}
}

static void time_based_never_ends(void **state)
{
	rig_init(&r, RW_READ, 8 * KI, 4 * KI);
	r.pj.time_based = true;
	r.pj.limit_ios = 3; /* ignored too (compatibility 12.1) */
	r.stop_at_wrap = true;
	rig_start(&r);
	rig_expect(&r, 6, "r0 r4 r0 r4 r0 r4");
	assert_int_equal(r.wraps, 2);
	rig_end(&r);
}

/* No wrap is reported where the job ends anyway. */
static void wraps_are_reported_when_asked_for(void **state)
{
	rig_init(&r, RW_READ | RW_RANDOM, 64 * KI, 4 * KI);
	r.pj.limit_bytes = 3 * 64 * KI;
	r.stop_at_wrap = true;
	r.batch = r.slots = 7;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 1000), 48);
	assert_int_equal(r.wraps, 2);
	for (unsigned pass = 0; pass < 3; pass++)
		rig_covers(&r, 16 * pass, 16, 4 * KI);
	struct workload_counts c;
	workload_counts(r.load, &c);
	assert_int_equal(c.passes, 3);
	rig_end(&r);
}

/* What is issued in the ramp is not part of the amount. */
static void amounts_count_from_the_end_of_the_ramp(void **state)
{
	for (unsigned gen = 0; gen < 2; gen++) {
		rig_init(&r, RW_READ, 400 * KI, 4 * KI);
		r.pj.ramp_ns = 900 * MSEC;
		r.pj.limit_ios = 90;
		if (gen)
			r.o->rate_iops[DIR_READ] = 500;
		rig_start(&r);
		assert_int_equal(rig_run(&r, 250), 250);
		assert_false(r.over);
		r.now += 1000;
		workload_measured(r.load, r.now);
		r.n = 0;
		assert_int_equal(rig_run(&r, 1000), 90);
		assert_int_equal(r.log[0].offset, 0);
		if (gen)
			assert_int_equal(r.log[89].at - r.log[0].at, 89 * 2 * MSEC);
		struct workload_counts c;
		workload_counts(r.load, &c);
		assert_int_equal(c.issued_ios[DIR_READ], 90);
		rig_end(&r);
	}
}

static void a_region_below_one_block_ends_at_once(void **state)
{
	for (unsigned gen = 0; gen < 2; gen++) {
		rig_init(&r, RW_READ | RW_RANDOM, 4 * KI - 1, 4 * KI);
		r.pj.limit_bytes = 0;
		r.o->fsync = gen;
		rig_start(&r);
		assert_int_equal(rig_run(&r, 10), 0);
		assert_int_equal(r.state, WORKLOAD_END);
		rig_end(&r);
	}
}

/* One direction's blocks never fit: an end, not a loop for ever. */
static void a_direction_that_fits_nowhere_ends_the_job(void **state)
{
	rig_init(&r, RW_READ | RW_WRITE | RW_RANDOM, 16 * KI, 4 * KI);
	r.o->bs[DIR_WRITE] = 64 * KI;
	r.o->rwmixread = 0;
	r.o->norandommap = true;
	r.pj.limit_bytes = 0;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 10), 0);
	assert_int_equal(r.state, WORKLOAD_END);
	rig_end(&r);
}

static void memory_does_not_depend_on_the_size(void **state)
{
	size_t used[2];
	for (unsigned i = 0; i < 2; i++) {
		rig_init(&r, RW_READ | RW_WRITE | RW_RANDOM, i ? 16 * TI / 10 : 64 * KI, 512);
		rig_start(&r);
		used[i] = r.arena.used;
		rig_run(&r, 100);
		rig_end(&r);
	}
	assert_int_equal(used[0], used[1]);
	assert_true(used[1] < 8 * KI);
}

static void regions_begin_where_the_plan_says(void **state)
{
	rig_init(&r, RW_READ | RW_RANDOM, 0, 4 * KI);
	r.files[0].begin = 1 * MI + 512;
	r.files[0].end = 1 * MI + 512 + 18 * 4 * KI + 100;
	r.pj.limit_bytes = 18 * 4 * KI + 100;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 100), 18);
	rig_covers(&r, 0, 18, 4 * KI);
	rig_end(&r);
}

static void offsets_up_to_the_end_of_the_address_space(void **state)
{
	rig_init(&r, RW_READ | RW_RANDOM, UINT64_C(1) << 62, 4 * KI);
	r.files[0].begin = UINT64_C(1) << 61;
	rig_start(&r);
	rig_run(&r, 1000);
	for (unsigned i = 0; i < r.n; i++)
		assert_true(r.log[i].offset >= r.files[0].begin &&
			    r.log[i].offset < r.files[0].end);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(size_without_tail),
		cmocka_unit_test(io_size_below_and_above_the_region),
		cmocka_unit_test(loops_repeat_the_amount),
		cmocka_unit_test(number_ios_counts_over_all_loops),
		cmocka_unit_test(time_based_never_ends),
		cmocka_unit_test(wraps_are_reported_when_asked_for),
		cmocka_unit_test(amounts_count_from_the_end_of_the_ramp),
		cmocka_unit_test(a_region_below_one_block_ends_at_once),
		cmocka_unit_test(a_direction_that_fits_nowhere_ends_the_job),
		cmocka_unit_test(memory_does_not_depend_on_the_size),
		cmocka_unit_test(regions_begin_where_the_plan_says),
		cmocka_unit_test(offsets_up_to_the_end_of_the_address_space),
	};
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
