#include "result/result.h"
#include "result/merge.h"
#include "result/groups.h"
#include "result/derive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

/* One 30 us write is 33333 I/Os per second, not the 1000 of a whole millisecond. */
static void rates_use_the_true_elapsed_time(void **state)
{
	struct result r = {0};
	struct result_job j;
	struct result_figures f;

	result_job_init(&j);
	j.dir[DIR_WRITE].ios = 1;
	j.dir[DIR_WRITE].bytes = 4096;
	j.runtime_ns[DIR_WRITE] = 30000;
	assert_true(fabs(result_iops(&j, DIR_WRITE) - 33333.333) < 0.01);
	assert_int_equal(result_bw(&j, DIR_WRITE), 136533333);
	assert_int_equal(result_figures(&r, &j, DIR_WRITE, &f), 0);
	assert_true(f.iops == result_iops(&j, DIR_WRITE));
	assert_int_equal(f.bw, 136533333);
	assert_int_equal(f.runtime_ms, 1);
	result_figures_release(&f);
}

static uint64_t runtime_ms(const struct result_job *j)
{
	struct result r = {0};
	struct result_figures f;

	assert_int_equal(result_figures(&r, j, 0, &f), 0);
	result_figures_release(&f);
	return f.runtime_ms;
}

static void run_time_in_ms_is_rounded_up(void **state)
{
	struct result_job j;

	result_job_init(&j);
	assert_int_equal(runtime_ms(&j), 0);
	j.dir[0].ios = 1;
	assert_int_equal(runtime_ms(&j), 1);
	j.runtime_ns[0] = 1000001;
	assert_int_equal(runtime_ms(&j), 2);
	j.runtime_ns[0] = 5000000;
	assert_int_equal(runtime_ms(&j), 5);
}

static void no_time_is_no_rate(void **state)
{
	struct result r = {0};
	struct result_job j;
	struct result_figures f;

	result_job_init(&j);
	for (unsigned d = 0; d <= DIRS; d++) {
		assert_int_equal(result_figures(&r, &j, d, &f), 0);
		assert_true(f.bw == 0 && f.iops == 0 && f.share == 0 && f.bw_samples.n == 0);
		result_figures_release(&f);
	}
	assert_true(result_mean_depth(&j) == 0);
}

/* Samples always exist (unless they are switched off). */
static void a_short_run_is_one_sample(void **state)
{
	struct result r = {0};
	struct result_job j;
	struct result_figures f;

	result_job_init(&j);
	j.style.bw_on = true;
	j.dir[0].ios = 10;
	j.dir[0].bytes = 10240;
	j.runtime_ns[0] = 1000000;
	r.jobs = &j;
	r.jobs_n = 1;
	assert_int_equal(result_groups(&r), 0);
	assert_int_equal(result_figures(&r, &j, 0, &f), 0);
	assert_int_equal(f.bw_samples.n, 1);
	assert_true(f.bw_samples.min == 10240000 && f.bw_samples.mean == 10240000);
	assert_true(f.iops_samples.mean == 10000);
	assert_true(f.share == 100);
	j.style.bw_on = false;
	assert_int_equal(result_figures(&r, &j, 0, &f), 0);
	assert_int_equal(f.bw_samples.n, 0);
	r.jobs_n = 0;
	r.jobs = NULL;
	result_release(&r);
}

static void unified_is_the_sum_of_directions_over_the_longest(void **state)
{
	struct result r = {0};
	struct result_job j;
	struct result_figures f;

	result_job_init(&j);
	j.dir[0].ios = 10;
	j.dir[1].ios = 20;
	j.dir[0].bytes = 1000;
	j.dir[1].bytes = 2000;
	j.runtime_ns[0] = 500000000;
	j.runtime_ns[1] = 1000000000;
	runstat_add(&j.dir[0].lat[LAT_COMPLETE], 5);
	runstat_add(&j.dir[1].lat[LAT_COMPLETE], 7);
	assert_int_equal(result_figures(&r, &j, DIRS, &f), 0);
	assert_int_equal(f.ios, 30);
	assert_int_equal(f.bw, 3000);
	assert_true(f.iops == 30);
	assert_int_equal(f.stats->lat[LAT_COMPLETE].n, 2);
	assert_int_equal(f.stats->lat[LAT_COMPLETE].max, 7);
	result_figures_release(&f);
}

static void shares_sum_to_100_and_small_ones_show(void **state)
{
	const uint64_t bins[4] = {0, 1, 999999, 1000000};
	double p[4];

	result_shares(bins, 4, 0.1, p);
	assert_true(p[0] == 0 && p[1] == 0.1);
	assert_true(fabs(p[2] + p[3] - 100) < 0.001);
	result_shares((const uint64_t[4]){0}, 4, 0.1, p);
	assert_true(p[0] == 0 && p[3] == 0);
}

static void every_end_has_a_name(void **state)
{
	for (int i = END_NONE; i <= END_CRASH; i++) {
		assert_string_not_equal(end_reason_name((enum end_reason)i), "unknown");
		for (int k = 0; k < i; k++)
			assert_string_not_equal(end_reason_name((enum end_reason)i),
						end_reason_name((enum end_reason)k));
	}
}

static void depth_is_the_time_average(void **state)
{
	struct result_job j;

	result_job_init(&j);
	j.depth_time = (unsigned __int128)3500000000u * 1000000000u;
	j.depth_ns = 1000000000u;
	assert_true(result_mean_depth(&j) == 3500000000.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_use_the_true_elapsed_time),
		cmocka_unit_test(run_time_in_ms_is_rounded_up),
		cmocka_unit_test(no_time_is_no_rate),
		cmocka_unit_test(a_short_run_is_one_sample),
		cmocka_unit_test(unified_is_the_sum_of_directions_over_the_longest),
		cmocka_unit_test(shares_sum_to_100_and_small_ones_show),
		cmocka_unit_test(every_end_has_a_name),
		cmocka_unit_test(depth_is_the_time_average),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
