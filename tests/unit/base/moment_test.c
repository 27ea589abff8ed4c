#include "base/moment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"

#include <math.h>

static void empty_is_zero(void **state)
{
	struct moment m;

	moment_init(&m);
	assert_true(moment_mean(&m) == 0 && moment_stddev(&m) == 0 && moment_min(&m) == 0);
	moment_add(&m, 7);
	assert_true(moment_mean(&m) == 7 && moment_stddev(&m) == 0 && moment_min(&m) == 7);
	assert_int_equal(m.max, 7);
}

static void known_deviation(void **state)
{
	static const uint64_t v[] = {2, 4, 4, 4, 5, 5, 7, 9};
	struct moment m;

	moment_init(&m);
	for (int i = 0; i < 8; i++)
		moment_add(&m, v[i]);
	assert_true(moment_mean(&m) == 5);
	assert_true(fabs(moment_stddev(&m) - sqrt(32.0 / 7)) < 1e-14);
}

/* Where sums in floating point would lose everything. */
static void small_deviation_about_a_large_mean_is_exact(void **state)
{
	struct moment m;

	moment_init(&m);
	for (uint64_t i = 0; i < 1000000; i++)
		moment_add(&m, 4000000000000u + (i & 1));
	assert_true(fabs(moment_stddev(&m) - 0.5 * sqrt(1000000.0 / 999999)) < 1e-12);
	moment_init(&m);
	for (int i = 0; i < 100; i++)
		moment_add(&m, 123456789012345u);
	assert_true(moment_stddev(&m) == 0);
}

static void merge_is_addition(void **state)
{
	struct moment all, part[3];
	struct rng r;

	print_message("seed 3\n");
	rng_seed(&r, 3);
	moment_init(&all);
	for (int i = 0; i < 3; i++)
		moment_init(&part[i]);
	for (int i = 0; i < 10000; i++) {
		uint64_t v = rng_next(&r) >> (24 + rng_below(&r, 39));
		moment_add(&all, v);
		moment_add(&part[i % 2], v);
	}
	moment_merge(&part[2], &part[0]);
	moment_merge(&part[2], &part[1]);
	moment_init(&part[0]);
	moment_merge(&part[2], &part[0]);
	assert_int_equal(part[2].n, all.n);
	assert_int_equal(part[2].min, all.min);
	assert_int_equal(part[2].max, all.max);
	assert_true(moment_mean(&part[2]) == moment_mean(&all));
	assert_true(moment_stddev(&part[2]) == moment_stddev(&all));
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
