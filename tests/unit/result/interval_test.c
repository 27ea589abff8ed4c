/* The difference of two states of a job. */
#include "result/interval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "result/merge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void io(struct result_job *j, unsigned d, uint64_t ns)
{
	struct dir_stats *t = &j->dir[d];

	if (!t->hist[LAT_COMPLETE])
		t->hist[LAT_COMPLETE] = calloc(1, sizeof(struct hist));
	assert_non_null(t->hist[LAT_COMPLETE]);
	hist_add(t->hist[LAT_COMPLETE], ns);
	runstat_add(&t->lat[LAT_COMPLETE], ns);
	t->ios++;
	t->bytes += 4096;
}

static void intervals_sum_up_and_have_their_own_latencies(void **state)
{
	const char *env = getenv("FATHOM_SEED");
	uint64_t seed = env ? strtoull(env, NULL, 0) : 20261130, ios = 0, bytes = 0;
	struct interval_mark mark = {0};
	struct interval_dir now;
	struct result_job j;
	struct rng rng;

	printf("seed %llu\n", (unsigned long long)seed);
	rng_seed(&rng, seed);
	result_job_init(&j);
	for (unsigned round = 0; round < 50; round++) {
		uint64_t n = rng_below(&rng, 40), base = 1 + rng_below(&rng, 10000000), sum = 0,
			 max = 0;
		for (uint64_t i = 0; i < n; i++) {
			uint64_t ns = base + rng_below(&rng, base);
			io(&j, DIR_WRITE, ns);
			sum += ns;
			max = ns > max ? ns : max;
		}
		interval_dir(&mark, &j, DIR_WRITE, 500000000, &now);
		assert_int_equal(now.ios, n);
		assert_int_equal(now.lat_n, n);
		assert_true(now.has_hist == (n > 0));
		assert_true(fabs(now.iops - 2.0 * (double)n) < 1e-9);
		assert_int_equal(now.bw, n * 8192);
		if (n) {
			assert_true(fabs(now.lat_mean - (double)sum / (double)n) <
				    1e-6 * (double)sum);
			assert_true(now.p50 >= base - base / 64 && now.p50 <= now.p99 &&
				    now.p99 <= now.max);
			assert_true(now.max >= max && now.max <= max + max / 64 + 1);
		}
		ios += now.ios;
		bytes += now.bytes;
		assert_int_equal(interval_mark_set(&mark, &j), 0);
	}
	assert_int_equal(ios, j.dir[DIR_WRITE].ios);
	assert_int_equal(bytes, j.dir[DIR_WRITE].bytes);
	interval_dir(&mark, &j, DIR_WRITE, 0, &now);
	assert_true(now.ios == 0 && now.bw == 0 && now.lat_n == 0);
	interval_mark_release(&mark);
	result_job_release(&j);
}

/* The maximum is exact while it is that of the whole job. */
static void without_a_histogram_there_is_still_a_mean(void **state)
{
	struct interval_mark mark = {0};
	struct interval_dir now;
	struct result_job j;

	result_job_init(&j);
	io(&j, DIR_READ, 1000001);
	io(&j, DIR_READ, 3000001);
	interval_dir(&mark, &j, DIR_READ, 1, &now);
	assert_int_equal(now.max, 3000001);
	free(j.dir[DIR_READ].hist[LAT_COMPLETE]);
	j.dir[DIR_READ].hist[LAT_COMPLETE] = NULL;
	interval_dir(&mark, &j, DIR_READ, 1, &now);
	assert_int_equal(now.lat_n, 2);
	assert_false(now.has_hist);
	assert_true(fabs(now.lat_mean - 2000001) < 1e-6);
	result_job_release(&j);
}

static void the_ramp_is_counted_apart(void **state)
{
	struct interval_mark mark = {0};
	struct result_job j;
	uint64_t ios, bytes;

	result_job_init(&j);
	j.phase[PHASE_RAMP].ios[DIR_READ] = 3;
	j.phase[PHASE_RAMP].ios[DIR_TRIM] = 2;
	j.phase[PHASE_RAMP].bytes[DIR_READ] = 4096;
	interval_ramp(&mark, &j, &ios, &bytes);
	assert_int_equal(ios, 5);
	assert_int_equal(bytes, 4096);
	assert_int_equal(interval_mark_set(&mark, &j), 0);
	interval_ramp(&mark, &j, &ios, &bytes);
	assert_true(ios == 0 && bytes == 0);
	interval_mark_release(&mark);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_sum_up_and_have_their_own_latencies),
		cmocka_unit_test(without_a_histogram_there_is_still_a_mean),
		cmocka_unit_test(the_ramp_is_counted_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
