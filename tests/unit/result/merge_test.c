#include "result/result.h"
#include "result/merge.h"
#include "result/derive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void lat_add(struct dir_stats *t, enum lat_kind k, uint64_t ns)
{
	if (!t->hist[k])
		t->hist[k] = calloc(1, sizeof(struct hist));
	assert_non_null(t->hist[k]);
	hist_add(t->hist[k], ns);
	runstat_add(&t->lat[k], ns);
}

/* Merging two jobs gives the latencies of one job that did the I/Os of both. */
static void latencies_merge_as_if_counted_together(void **state)
{
	struct result_job a, b, all;
	struct rng rng; /* seed 7 */

	rng_seed(&rng, 7);
	result_job_init(&a);
	result_job_init(&b);
	result_job_init(&all);
	for (int i = 0; i < 2000; i++) {
		uint64_t ns = 100 + rng_below(&rng, 1000000);
		lat_add(i % 3 ? &a.dir[DIR_READ] : &b.dir[DIR_READ], LAT_COMPLETE, ns);
		lat_add(&all.dir[DIR_READ], LAT_COMPLETE, ns);
	}
	assert_int_equal(result_job_merge(&a, &b), 0);
	assert_memory_equal(a.dir[DIR_READ].hist[LAT_COMPLETE]->bucket,
			    all.dir[DIR_READ].hist[LAT_COMPLETE]->bucket,
			    sizeof(all.dir[DIR_READ].hist[LAT_COMPLETE]->bucket));
	assert_memory_equal(&a.dir[DIR_READ].lat[LAT_COMPLETE],
			    &all.dir[DIR_READ].lat[LAT_COMPLETE], sizeof(struct runstat));
	result_job_release(&a);
	result_job_release(&b);
	result_job_release(&all);
}

static void planned_limits_add_up_and_differing_ends_are_none(void **state)
{
	struct result_job a, b;

	result_job_init(&a);
	result_job_init(&b);
	a.planned_end = b.planned_end = END_SIZE;
	a.planned_ios = 10;
	b.planned_ios = 5;
	a.planned_bytes = 4096;
	b.planned_bytes = UINT64_MAX;
	a.planned_ns = UINT64_MAX;
	b.planned_ns = 7;
	a.errors[DIR_WRITE] = b.errors[DIR_WRITE] = 2;
	a.last_done_ns = 3;
	b.last_done_ns = 9;
	assert_int_equal(result_job_merge(&a, &b), 0);
	assert_int_equal(a.planned_end, END_SIZE);
	assert_int_equal(a.planned_ios, 15);
	assert_true(a.planned_bytes == UINT64_MAX);
	assert_true(a.planned_ns == UINT64_MAX);
	assert_int_equal(a.errors[DIR_WRITE], 4);
	assert_int_equal(a.last_done_ns, 9);
	b.planned_end = END_TIME;
	assert_int_equal(result_job_merge(&a, &b), 0);
	assert_int_equal(a.planned_end, END_NONE);
	result_job_release(&a);
	result_job_release(&b);
}

static void samples_of_jobs_side_by_side_add_up(void **state)
{
	struct dir_stats a, b;

	dir_stats_init(&a);
	dir_stats_init(&b);
	for (int i = 0; i < 4; i++) {
		runstat_add(&a.bw, 2000);
		runstat_add(&b.bw, 1000 + (uint64_t)i);
	}
	runstat_add(&a.bw, 2010);
	double var = runstat_stddev(&a.bw) * runstat_stddev(&a.bw) * 4 +
		     runstat_stddev(&b.bw) * runstat_stddev(&b.bw) * 3;

	assert_int_equal(dir_stats_merge(&a, &b), 0);
	assert_int_equal(a.bw.n, 9);
	assert_int_equal(a.bw.min, 3000);
	assert_int_equal(a.bw.max, 3013);
	assert_true(fabs(runstat_mean(&a.bw) - 3003.5) < 0.1);
	assert_true(fabs(runstat_stddev(&a.bw) - sqrt(var / 8)) < 0.1);

	struct dir_stats none;
	dir_stats_init(&none);
	assert_int_equal(dir_stats_merge(&a, &none), 0);
	assert_int_equal(a.bw.min, 3000);
	assert_int_equal(a.bw.n, 9);
}

static void samples_of_256_fast_jobs_do_not_overflow(void **state)
{
	struct dir_stats sum, one;

	dir_stats_init(&sum);
	dir_stats_init(&one);
	for (int i = 0; i < 20000; i++)
		runstat_add(&one.bw, 4000000000u + (uint64_t)i);
	for (int i = 0; i < 256; i++)
		assert_int_equal(dir_stats_merge(&sum, &one), 0);
	assert_int_equal(sum.bw.n, 256 * 20000);
	assert_true(fabs(runstat_mean(&sum.bw) / (256 * runstat_mean(&one.bw)) - 1) < 1e-9);
	assert_true(fabs(runstat_stddev(&sum.bw) / runstat_stddev(&one.bw) - 1) < 1e-3);
}

static void run_time_is_the_longest_and_cpu_time_the_sum(void **state)
{
	struct result_job a, b;

	result_job_init(&a);
	result_job_init(&b);
	a.members = b.members = 1;
	a.started = b.started = true;
	a.runtime_ns[0] = 5;
	b.runtime_ns[0] = 9;
	a.start_wall_ns = 100;
	b.start_wall_ns = 90;
	a.job_runtime_ns = 5;
	b.job_runtime_ns = 9;
	a.usr_ns = 2;
	b.usr_ns = 3;
	a.depth_asked = b.depth_asked = 4;
	a.end = END_SIZE;
	b.end = END_ERROR;
	b.error = 5;
	assert_int_equal(result_job_merge(&a, &b), 0);
	assert_int_equal(a.runtime_ns[0], 9);
	assert_int_equal(a.start_wall_ns, 90);
	assert_int_equal(a.job_runtime_ns, 14);
	assert_int_equal(a.usr_ns, 5);
	assert_int_equal(a.members, 2);
	assert_int_equal(a.depth_asked, 4);
	assert_int_equal(a.error, 5);
	assert_int_equal(a.end, END_ERROR);
	assert_true(a.merged);
}

static void priorities_merge_by_value_and_direction(void **state)
{
	struct result_job a, b;

	result_job_init(&a);
	result_job_init(&b);
	a.prio[0] = (struct prio_stats){.prio = 0x4003, .dir = DIR_READ, .used = true};
	runstat_add(&a.prio[0].lat, 10);
	a.prio[0].lat.min = 10;
	b.prio[0] = (struct prio_stats){.prio = 0x4003, .dir = DIR_WRITE, .used = true};
	runstat_init(&b.prio[0].lat);
	runstat_add(&b.prio[0].lat, 30);
	b.prio[1] = (struct prio_stats){.prio = 0x4003, .dir = DIR_READ, .used = true};
	runstat_init(&b.prio[1].lat);
	runstat_add(&b.prio[1].lat, 20);
	assert_int_equal(result_job_merge(&a, &b), 0);
	assert_int_equal(a.prio[0].lat.n, 2);
	assert_int_equal(a.prio[0].lat.max, 20);
	assert_true(a.prio[1].used);
	assert_int_equal(a.prio[1].dir, DIR_WRITE);
	assert_int_equal(a.prio[1].lat.min, 30);
	assert_int_equal(result_prios(&a, DIR_READ), 1);
}

/* A snapshot may outlive what it was taken from. */
static void copy_shares_no_memory(void **state)
{
	struct result_job a, b;

	result_job_init(&a);
	lat_add(&a.dir[DIR_WRITE], LAT_TOTAL, 1234);
	a.sync_hist = calloc(1, sizeof(struct hist));
	a.prio[2].used = true;
	a.prio[2].hist = calloc(1, sizeof(struct hist));
	assert_int_equal(result_job_copy(&b, &a), 0);
	assert_ptr_not_equal(a.dir[DIR_WRITE].hist[LAT_TOTAL], b.dir[DIR_WRITE].hist[LAT_TOTAL]);
	result_job_release(&a);
	assert_int_equal(b.dir[DIR_WRITE].hist[LAT_TOTAL]->bucket[hist_index(1234)], 1);
	assert_non_null(b.sync_hist);
	assert_non_null(b.prio[2].hist);
	result_job_release(&b);
	assert_null(b.sync_hist);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latencies_merge_as_if_counted_together),
		cmocka_unit_test(planned_limits_add_up_and_differing_ends_are_none),
		cmocka_unit_test(samples_of_jobs_side_by_side_add_up),
		cmocka_unit_test(samples_of_256_fast_jobs_do_not_overflow),
		cmocka_unit_test(run_time_is_the_longest_and_cpu_time_the_sum),
		cmocka_unit_test(priorities_merge_by_value_and_direction),
		cmocka_unit_test(copy_shares_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
