#include "run/bandwidth.h"

#include "pool_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>

static void expect(const struct rig *r, unsigned i, unsigned dir, uint64_t ms, uint64_t value)
{
	assert_true(i < r->recs_n);
	assert_int_equal(r->recs_job[i], UINT_MAX);
	assert_int_equal(r->recs[i].kind, LOGK_BW);
	assert_int_equal(r->recs[i].dir, dir);
	assert_int_equal(r->recs[i].time_ns, ms * MS);
	assert_int_equal(r->recs[i].value, value);
}

static void windows_count_from_the_first_measured_moment(void **state)
{
	struct pool_rig *t = pool_rig_new(2);
	struct rig *r = t->r;
	struct bandwidth *b = bandwidth_new(&t->pool);

	(void)state;
	bandwidth_begin(b, 350 * MS);
	bandwidth_begin(b, 250 * MS);
	bandwidth_begin(b, 450 * MS);
	rig_go(r->workers[0], 250 * MS);
	assert_int_equal(bandwidth_step(b, 250 * MS), 350 * MS);
	rig_moved(r->workers[0], DIR_READ, 1000, 0);
	rig_moved(r->workers[1], DIR_READ, 500, 0);
	rig_moved(r->workers[1], DIR_WRITE, 10, 0);
	assert_int_equal(bandwidth_step(b, 350 * MS), 450 * MS);
	assert_int_equal(r->recs_n, 0);
	assert_int_equal(bandwidth_step(b, 450 * MS), 550 * MS);
	/* One line a direction, whether used or not. */
	assert_int_equal(r->recs_n, 3);
	expect(r, 0, DIR_READ, 100, 15000);
	expect(r, 1, DIR_WRITE, 100, 100);
	expect(r, 2, DIR_TRIM, 100, 0);
	bandwidth_finish(b, 450 * MS);
	expect(r, 3, DIR_READ, 200, 0);
	assert_int_equal(r->recs_n, 6);
	bandwidth_free(b);
	pool_rig_free(t);
}

static void what_moved_in_the_ramp_does_not_count(void **state)
{
	struct pool_rig *t = pool_rig_new(1);
	struct rig *r = t->r;
	struct bandwidth *b = bandwidth_new(&t->pool);

	(void)state;
	rig_go(r->workers[0], 0);
	r->workers[0]->io_flags = IO_RAMP;
	worker_set_state(r->workers[0], WORKER_RUN);
	bandwidth_begin(b, 0);
	/* A ramp by bytes: nobody knew when it would end. */
	rig_moved(r->workers[0], DIR_READ, 5000, 5000);
	bandwidth_step(b, 100 * MS);
	rig_moved(r->workers[0], DIR_READ, 7000, 6000);
	r->workers[0]->io_flags = 0;
	worker_set_state(r->workers[0], WORKER_RUN);
	bandwidth_step(b, 200 * MS);
	bandwidth_finish(b, 200 * MS);
	assert_int_equal(r->recs_n, 3);
	/* Time counts from where the ramp was last seen. */
	expect(r, 0, DIR_READ, 100, 10000);
	bandwidth_free(b);
	pool_rig_free(t);
}

static void a_rest_below_a_millisecond_joins_the_last_window(void **state)
{
	struct pool_rig *t = pool_rig_new(1);
	struct rig *r = t->r;
	struct bandwidth *b = bandwidth_new(&t->pool);

	(void)state;
	rig_go(r->workers[0], 0);
	bandwidth_begin(b, 0);
	rig_moved(r->workers[0], DIR_READ, 1000, 0);
	bandwidth_step(b, 100 * MS);
	rig_moved(r->workers[0], DIR_READ, 2001, 0);
	bandwidth_finish(b, 100 * MS + MS / 2);
	assert_int_equal(r->recs_n, 3);
	assert_int_equal(r->recs[0].time_ns, 100 * MS + MS / 2);
	assert_int_equal(r->recs[0].value, UINT64_C(2001) * 1000000000 / (100 * MS + MS / 2));
	bandwidth_free(b);
	pool_rig_free(t);
}

static void a_longer_rest_is_a_window_of_its_own(void **state)
{
	struct pool_rig *t = pool_rig_new(1);
	struct rig *r = t->r;
	struct bandwidth *b = bandwidth_new(&t->pool);

	(void)state;
	rig_go(r->workers[0], 0);
	bandwidth_begin(b, 0);
	rig_moved(r->workers[0], DIR_WRITE, 1000, 0);
	bandwidth_step(b, 100 * MS);
	rig_moved(r->workers[0], DIR_WRITE, 1020, 0);
	bandwidth_finish(b, 120 * MS);
	assert_int_equal(r->recs_n, 6);
	expect(r, 1, DIR_WRITE, 100, 10000);
	expect(r, 4, DIR_WRITE, 120, 1000);
	bandwidth_free(b);
	pool_rig_free(t);
}

static void a_run_that_measured_nothing_has_no_line(void **state)
{
	struct pool_rig *t = pool_rig_new(1);
	struct rig *r = t->r;
	struct bandwidth *b = bandwidth_new(&t->pool);

	(void)state;
	bandwidth_finish(b, 100 * MS);
	bandwidth_begin(b, 200 * MS);
	bandwidth_finish(b, 100 * MS);
	assert_int_equal(r->recs_n, 0);
	bandwidth_free(b);
	pool_rig_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_count_from_the_first_measured_moment),
		cmocka_unit_test(what_moved_in_the_ramp_does_not_count),
		cmocka_unit_test(a_rest_below_a_millisecond_joins_the_last_window),
		cmocka_unit_test(a_longer_rest_is_a_window_of_its_own),
		cmocka_unit_test(a_run_that_measured_nothing_has_no_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
