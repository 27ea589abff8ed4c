#include "run/progress.h"

#include "pool_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void waves_follow_each_other(void **state)
{
	struct pool_rig *t = pool_rig_new(4);
	struct rig *r = t->r;
	struct progress p;
	char states[RIG + 1];

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		r->jobs[i].run_ns = (i + 1) * 1000 * MS;
		r->jobs[i].time_based = true;
	}
	r->jobs[2].stage = r->jobs[3].stage = 1;
	rig_go(r->workers[0], 0);
	rig_go(r->workers[1], 0);
	progress_fill(&t->pool, 500 * MS, &p, states);
	/* 1.5 s of the longer one, then 4 s. */
	assert_int_equal(p.eta_ns, 5500 * MS);
	assert_memory_equal(states, "MMPP", 4);
	assert_int_equal(p.running, 2);
	assert_true(p.done == (0.5 + 0.25) / 4);
	/* With exitall the first to end ends all. */
	r->plan.exitall = true;
	progress_fill(&t->pool, 500 * MS, &p, states);
	assert_int_equal(p.eta_ns, 500 * MS);
	pool_rig_free(t);
}

static void who_waits_for_another_comes_after_it(void **state)
{
	struct pool_rig *t = pool_rig_new(2);
	struct rig *r = t->r;
	struct progress p;
	char states[RIG + 1];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		r->jobs[i].run_ns = 1000 * MS;
		r->jobs[i].time_based = true;
	}
	r->jobs[1].wait_n = 1;
	rig_go(r->workers[0], 0);
	progress_fill(&t->pool, 250 * MS, &p, states);
	assert_int_equal(p.eta_ns, 1750 * MS);
	pool_rig_free(t);
}

static void a_delay_and_a_ramp_are_part_of_what_is_left(void **state)
{
	struct pool_rig *t = pool_rig_new(1);
	struct rig *r = t->r;
	struct progress p;
	char states[RIG + 1];

	(void)state;
	r->jobs[0].run_ns = 1000 * MS;
	r->jobs[0].ramp_ns = 500 * MS;
	atomic_store(&r->workers[0]->thread.go_at, 300 * MS);
	atomic_store(&r->workers[0]->thread.go, true);
	progress_fill(&t->pool, 100 * MS, &p, states);
	assert_int_equal(p.eta_ns, 1700 * MS);
	assert_true(p.done == 0);
	pool_rig_free(t);
}

static void amounts_are_told_by_what_was_measured(void **state)
{
	struct pool_rig *t = pool_rig_new(1);
	struct rig *r = t->r;
	struct progress p;
	char states[RIG + 1];

	(void)state;
	r->jobs[0].expect_bytes = 4000;
	r->jobs[0].ramp_ns = 1000 * MS;
	rig_go(r->workers[0], 0);
	progress_fill(&t->pool, 500 * MS, &p, states);
	assert_int_equal(p.eta_ns, UINT64_MAX);
	/* 1000 bytes in the second after the ramp: 3 s for the other 3000. */
	rig_moved(r->workers[0], DIR_READ, 1500, 500);
	progress_fill(&t->pool, 2000 * MS, &p, states);
	assert_int_equal(p.eta_ns, 3000 * MS);
	assert_true(p.done == 0.25);
	assert_int_equal(p.bytes[DIR_READ], 1500);
	pool_rig_free(t);
}

static void limits_are_of_directions_the_job_has(void **state)
{
	struct pool_rig *t = pool_rig_new(1);
	struct rig *r = t->r;
	struct progress p;
	char states[RIG + 1];

	(void)state;
	for (unsigned d = 0; d < DIRS; d++)
		r->opts[0].rate[d] = 100;
	r->jobs[0].reads = false;
	rig_go(r->workers[0], 0);
	progress_fill(&t->pool, 1, &p, states);
	assert_int_equal(p.rate_max, 100);
	pool_rig_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waves_follow_each_other),
		cmocka_unit_test(who_waits_for_another_comes_after_it),
		cmocka_unit_test(a_delay_and_a_ramp_are_part_of_what_is_left),
		cmocka_unit_test(amounts_are_told_by_what_was_measured),
		cmocka_unit_test(limits_are_of_directions_the_job_has),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
