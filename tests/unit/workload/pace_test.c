/* Rates on a clock that is a number. */
#include "rig.h"
#include "workload/pace.h"

static struct rig r;

static void ios_per_second_are_exact(void **state)
{
	rig_init(&r, RW_READ, 40 * MI, 4 * KI);
	r.o->rate_iops[DIR_READ] = 3000; /* 333333 1/3 ns */
	r.now = 5 * SEC;
	rig_start(&r);
	rig_run(&r, 9001);
	for (unsigned i = 0; i < r.n; i++) {
		uint64_t due = 5 * SEC + i * SEC / 3000;
		assert_in_range(r.log[i].at, due, due + 1);
		assert_int_equal(r.log[i].intended, r.log[i].at);
	}
	assert_int_equal(r.log[9000].at, 8 * SEC);
	rig_end(&r);
}

static void bytes_per_second_count_the_sizes(void **state)
{
	rig_init(&r, RW_WRITE | RW_RANDOM, 64 * MI, 4 * KI);
	r.o->norandommap = true;
	for (unsigned d = 0; d < DIRS; d++)
		r.o->bsrange[d] = (struct opt_range){4 * KI, 64 * KI};
	r.o->rate[DIR_WRITE] = 1 * MI;
	rig_start(&r);
	rig_run(&r, 1000);
	uint64_t bytes = 0;
	for (unsigned i = 0; i < r.n; i++) {
		assert_in_range(r.log[i].at, bytes * SEC / MI, bytes * SEC / MI + 1);
		bytes += r.log[i].len;
	}
	rig_end(&r);
}

/* 25k/25k for ten hours: to the nanosecond. */
static void hours_bring_no_drift(void **state)
{
	struct job_opts o = {.rate_iops = {24999, 0, 0}, .rate = {0, 333331, 0}};
	struct pace p;
	uint64_t n = UINT64_C(24999) * 36000 / 100; /* hundredth of it, then jump */
	pace_init(&p, &o, RIG_SEED);
	pace_start(&p, 7);
	for (uint64_t i = 0; i < n; i++)
		pace_issued(&p, DIR_READ, 4096, pace_due(&p, DIR_READ), 7);
	assert_int_equal(pace_due(&p, DIR_READ), 7 + 360 * SEC);
	for (uint64_t i = 0; i < UINT64_C(333331) * 5; i++)
		pace_issued(&p, DIR_WRITE, 4096, pace_due(&p, DIR_WRITE), 7);
	assert_int_equal(pace_due(&p, DIR_WRITE), 7 + 5 * 4096 * SEC);
}

/* A stall is caught up at full speed, and told. */
static void what_is_late_is_made_up_for(void **state)
{
	rig_init(&r, RW_READ, 40 * MI, 4 * KI);
	r.o->rate_iops[DIR_READ] = 500;
	r.batch = r.slots = 64;
	rig_start(&r);
	rig_run(&r, 101);
	assert_int_equal(r.now, 200 * MSEC);
	r.now += 300 * MSEC;
	rig_run(&r, 500);
	struct workload_counts c;
	workload_counts(r.load, &c);
	assert_int_equal(r.log[499].at, 998 * MSEC);
	for (unsigned i = 0; i < r.n; i++)
		assert_int_equal(r.log[i].intended, i ? i * 2 * MSEC : 1);
	/* 202 ms, 204 ms, ... 498 ms were due at 500 ms. */
	assert_int_equal(c.late_ios, 149);
	assert_int_equal(c.behind_ns_max, 298 * MSEC);
	rig_end(&r);
}

static void two_rates_override_the_mix(void **state)
{
	rig_init(&r, RW_READ | RW_WRITE | RW_RANDOM, 400 * MI, 4 * KI);
	r.o->rwmixread = 90;
	r.o->rate_iops[DIR_READ] = 1000;
	r.o->rate_iops[DIR_WRITE] = 3000;
	rig_start(&r);
	rig_run(&r, 40000);
	assert_in_range(rig_count(&r, IO_READ), 9999, 10001);
	assert_in_range(r.now, 9998 * MSEC, 10001 * MSEC);
	rig_end(&r);
}

/* rate=1m, : only reads are held back. */
static void one_rate_leaves_the_other_direction_free(void **state)
{
	rig_init(&r, RW_READ | RW_WRITE | RW_RANDOM, 400 * MI, 4 * KI);
	r.o->rate_iops[DIR_READ] = 1000;
	r.service_ns = 10000; /* 100000 a second */
	rig_start(&r);
	rig_run(&r, 50000);
	assert_int_equal(r.now, 500 * MSEC);
	assert_in_range(rig_count(&r, IO_READ), 499, 501);
	assert_int_equal(r.waits, 0);
	rig_end(&r);
}

static void poisson_has_its_mean_and_spread(void **state)
{
	double squares = 0;
	unsigned within = 0;
	rig_init(&r, RW_READ, 800 * MI, 4 * KI);
	r.o->rate_iops[DIR_READ] = 1000;
	r.o->rate_process = RATE_POISSON;
	rig_start(&r);
	rig_run(&r, 100001);
	assert_in_range(r.log[100000].intended, 99 * SEC, 101 * SEC);
	for (unsigned i = 1; i < r.n; i++) {
		double gap = (double)(r.log[i].intended - r.log[i - 1].intended) / (double)MSEC;
		squares += (gap - 1) * (gap - 1);
		within += gap < 0.6931;
	}
	assert_near(squares / 100000, 1, 0.03);
	assert_in_range(within, 49200, 50800);
	rig_end(&r);
}

static void without_a_rate_nothing_is_intended(void **state)
{
	rig_init(&r, RW_READ, 40 * KI, 4 * KI);
	r.o->fsync = 1;
	rig_start(&r);
	rig_run(&r, 100);
	for (unsigned i = 0; i < r.n; i++)
		assert_int_equal(r.log[i].intended, 0);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ios_per_second_are_exact),
		cmocka_unit_test(bytes_per_second_count_the_sizes),
		cmocka_unit_test(hours_bring_no_drift),
		cmocka_unit_test(what_is_late_is_made_up_for),
		cmocka_unit_test(two_rates_override_the_mix),
		cmocka_unit_test(one_rate_leaves_the_other_direction_free),
		cmocka_unit_test(poisson_has_its_mean_and_spread),
		cmocka_unit_test(without_a_rate_nothing_is_intended),
	};
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
