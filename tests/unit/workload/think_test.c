/* Pauses on a clock that is a number. */
#include "rig.h"

static struct rig r;

static void think(uint64_t ns, uint64_t blocks, enum opt_think_type type)
{
	rig_init(&r, RW_READ, 4 * MI, 4 * KI);
	r.o->thinktime = ns;
	r.o->thinktime_blocks = blocks;
	r.o->thinktime_blocks_type = type;
	r.service_ns = 10;
}

static void a_pause_after_every_group(void **state)
{
	for (unsigned type = THINK_COMPLETE; type <= THINK_ISSUE; type++) {
		think(1000, 3, type);
		rig_start(&r);
		assert_int_equal(workload_wants_completions(r.load), type == THINK_COMPLETE);
		rig_run(&r, 12);
		for (unsigned i = 0; i < r.n; i++)
			assert_int_equal(r.log[i].at, 10 * i + 1000 * (i / 3));
		assert_int_equal(r.waits, 3);
		assert_int_equal(r.spin_until, 0);
		rig_end(&r);
	}
}

/* The last group has its pause too, so that the rate of a short job is that of a long one. */
static void also_after_the_last_group(void **state)
{
	think(1000, 2, THINK_COMPLETE);
	r.pj.limit_ios = 4;
	rig_start(&r);
	assert_int_equal(rig_run(&r, 100), 4);
	assert_int_equal(r.now, 2 * 1020);
	rig_end(&r);
}

static void the_queue_is_drained_first(void **state)
{
	struct io *ios[8];
	struct workload_fill f;
	think(1000, 5, THINK_ISSUE);
	r.slots = 8;
	rig_start(&r);
	for (unsigned i = 0; i < 8; i++)
		ios[i] = &r.ios[i];
	workload_fill(r.load, 100, 0, ios, 8, &f);
	assert_int_equal(f.n, 5);
	assert_int_equal(f.state, WORKLOAD_DRAIN);
	workload_fill(r.load, 200, 2, ios, 8, &f);
	assert_int_equal(f.n, 0);
	assert_int_equal(f.state, WORKLOAD_DRAIN);
	workload_fill(r.load, 300, 0, ios, 8, &f);
	assert_int_equal(f.n, 0);
	assert_int_equal(f.state, WORKLOAD_WAIT);
	assert_int_equal(f.wake, 1300);
	workload_fill(r.load, 1299, 0, ios, 8, &f);
	assert_int_equal(f.state, WORKLOAD_WAIT);
	workload_fill(r.load, 1300, 0, ios, 8, &f);
	assert_int_equal(f.n, 5);
	rig_end(&r);
}

static void spinning_comes_before_sleeping(void **state)
{
	think(1000, 1, THINK_COMPLETE);
	r.o->thinktime_spin = 300;
	rig_start(&r);
	rig_run(&r, 2);
	assert_int_equal(r.spin_until, 10 + 300);
	assert_int_equal(r.log[1].at, 1010);
	rig_end(&r);
}

/* Only the time counts unless blocks are given too. */
static void pauses_by_time(void **state)
{
	think(1000, 1, THINK_COMPLETE);
	r.o->thinktime_iotime = 100;
	rig_start(&r);
	rig_run(&r, 30);
	for (unsigned i = 0; i < r.n; i++)
		assert_int_equal(r.log[i].at, 10 * i + 1000 * (i / 10));
	rig_end(&r);
	think(1000, 4, THINK_COMPLETE);
	r.o->thinktime_iotime = 100;
	r.job.given[OPT_thinktime_blocks / 8] |= (uint8_t)(1u << OPT_thinktime_blocks % 8);
	rig_start(&r);
	rig_run(&r, 30);
	for (unsigned i = 0; i < r.n; i++)
		assert_int_equal(r.log[i].at, 10 * i + 1000 * (i / 4));
	rig_end(&r);
}

/* 1000 a second, and a pause of 10 ms after 10: half a pause is to be made up for, or not. */
static void a_rate_catches_up_after_a_pause_unless_told_not_to(void **state)
{
	for (unsigned ignore = 0; ignore < 2; ignore++) {
		think(10 * MSEC, 10, THINK_COMPLETE);
		r.o->rate_iops[DIR_READ] = 1000;
		r.o->rate_ignore_thinktime = ignore;
		r.service_ns = 0;
		rig_start(&r);
		rig_run(&r, 21);
		assert_int_equal(r.log[9].at, 9 * MSEC);
		if (ignore) {
			assert_int_equal(r.log[10].at, 20 * MSEC);
			assert_int_equal(r.log[19].at, 29 * MSEC);
		} else {
			assert_int_equal(r.log[10].at, 19 * MSEC);
			assert_int_equal(r.log[10].intended, 10 * MSEC);
			assert_int_equal(r.log[19].at, 19 * MSEC);
		}
		rig_end(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pause_after_every_group),
		cmocka_unit_test(also_after_the_last_group),
		cmocka_unit_test(the_queue_is_drained_first),
		cmocka_unit_test(spinning_comes_before_sleeping),
		cmocka_unit_test(pauses_by_time),
		cmocka_unit_test(a_rate_catches_up_after_a_pause_unless_told_not_to),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
