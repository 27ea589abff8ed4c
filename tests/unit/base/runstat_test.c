#include "base/runstat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"

#include <math.h>

static void empty_is_zero(void **state)
{
	struct runstat m;

	runstat_init(&m);
	assert_true(runstat_mean(&m) == 0 && runstat_stddev(&m) == 0 && runstat_min(&m) == 0);
	runstat_add(&m, 7);
	assert_true(runstat_mean(&m) == 7 && runstat_stddev(&m) == 0 && runstat_min(&m) == 7);
	assert_int_equal(m.max, 7);
}

static void known_deviation(void **state)
{
	static const uint64_t v[] = {2, 4, 4, 4, 5, 5, 7, 9};
	struct runstat m;

	runstat_init(&m);
	for (int i = 0; i < 8; i++)
		runstat_add(&m, v[i]);
	assert_true(runstat_mean(&m) == 5);
	assert_true(fabs(runstat_stddev(&m) - sqrt(32.0 / 7)) < 1e-14);
}

/* Where sums in floating point would lose everything. */
static void small_deviation_about_a_large_mean_is_exact(void **state)
{
	struct runstat m;

	runstat_init(&m);
	for (uint64_t i = 0; i < 1000000; i++)
		runstat_add(&m, 4000000000000u + (i & 1));
	assert_true(fabs(runstat_stddev(&m) - 0.5 * sqrt(1000000.0 / 999999)) < 1e-12);
	runstat_init(&m);
	for (int i = 0; i < 100; i++)
		runstat_add(&m, 123456789012345u);
	assert_true(runstat_stddev(&m) == 0);
}

static void merge_is_addition(void **state)
{
	struct runstat all, part[3];
	struct rng r;

	print_message("seed 3\n");
	rng_seed(&r, 3);
	runstat_init(&all);
	for (int i = 0; i < 3; i++)
		runstat_init(&part[i]);
	for (int i = 0; i < 10000; i++) {
		uint64_t v = rng_next(&r) >> (24 + rng_below(&r, 39));
		runstat_add(&all, v);
		runstat_add(&part[i % 2], v);
	}
	runstat_merge(&part[2], &part[0]);
	runstat_merge(&part[2], &part[1]);
	runstat_init(&part[0]);
	runstat_merge(&part[2], &part[0]);
	assert_int_equal(part[2].n, all.n);
	assert_int_equal(part[2].min, all.min);
	assert_int_equal(part[2].max, all.max);
	assert_true(runstat_mean(&part[2]) == runstat_mean(&all));
	assert_true(runstat_stddev(&part[2]) == runstat_stddev(&all));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_is_zero),
		cmocka_unit_test(known_deviation),
		cmocka_unit_test(small_deviation_about_a_large_mean_is_exact),
		cmocka_unit_test(merge_is_addition),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
