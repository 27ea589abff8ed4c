#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

/* The first outputs of the authors' reference implementation for the state 1, 2, 3, 4. */
static void sequence_is_xoshiro256pp(void **state)
{
	struct rng r = {{1, 2, 3, 4}};

	assert_true(rng_next(&r) == 41943041u);
	assert_true(rng_next(&r) == 58720359u);
	assert_true(rng_next(&r) == 3588806011781223u);
	assert_true(rng_next(&r) == 3591011842654386u);
}

/* splitmix64 for the seed 1234567, as published with it. */
static void seeding_is_splitmix64(void **state)
{
	struct rng r;

	rng_seed(&r, 1234567);
	assert_true(r.s[0] == 6457827717110365317u);
	assert_true(r.s[1] == 3203168211198807973u);
	assert_true(r.s[2] == 9817491932198370423u);
}

static void same_seed_same_sequence(void **state)
{
	struct rng a, b, c;
	int same = 0;

	rng_seed(&a, 137);
	rng_seed(&b, 137);
	rng_seed(&c, 138);
	for (int i = 0; i < 100; i++) {
		uint64_t v = rng_next(&a);
		assert_true(v == rng_next(&b));
		same += v == rng_next(&c);
	}
	assert_int_equal(same, 0);
}

static void derived_seeds_differ(void **state)
{
	static uint64_t seen[16 * 16 * 16];
	size_t n = 0;

	for (uint64_t base = 0; base < 16; base++)
		for (uint64_t job = 0; job < 16; job++)
			for (uint64_t stream = 0; stream < 16; stream++)
				seen[n++] = rng_derive(base, job, stream);
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			if (seen[i] == seen[k])
				fail_msg("%zu and %zu", i, k);
}

static void below_is_uniform(void **state)
{
	struct rng r;

	print_message("seed 42\n");
	rng_seed(&r, 42);
	for (uint64_t n = 1; n < 40; n++) {
		double count[40] = {0}, chi = 0;
		for (int i = 0; i < 4000; i++) {
			uint64_t v = rng_below(&r, n);
			assert_true(v < n);
			count[v]++;
		}
		for (uint64_t i = 0; i < n; i++)
			chi += (count[i] - 4000.0 / (double)n) * (count[i] - 4000.0 / (double)n) *
			       (double)n / 4000;
		assert_true(chi < (double)(n - 1) + 5 * sqrt(2 * (double)n) + 5);
	}
	assert_true(rng_below(&r, 1) == 0);
}

static void unit_is_in_range_with_mean_half(void **state)
{
	struct rng r;
	double sum = 0;

	print_message("seed 43\n");
	rng_seed(&r, 43);
	for (int i = 0; i < 100000; i++) {
		double u = rng_unit(&r);
		assert_true(u >= 0 && u < 1);
		sum += u;
	}
	assert_true(fabs(sum / 100000 - 0.5) < 0.005);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequence_is_xoshiro256pp),
		cmocka_unit_test(seeding_is_splitmix64),
		cmocka_unit_test(same_seed_same_sequence),
		cmocka_unit_test(derived_seeds_differ),
		cmocka_unit_test(below_is_uniform),
		cmocka_unit_test(unit_is_in_range_with_mean_half),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
