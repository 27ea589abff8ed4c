#include "base/permute.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGE ((uint64_t)1000003)

static void check_bijection(uint64_t n, uint64_t key, unsigned char *seen)
{
	struct permute p;

	permute_init(&p, n, key);
	memset(seen, 0, (size_t)n);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t v = permute_at(&p, i);
		if (v >= n || seen[v])
			fail_msg("n %llu key %llu index %llu", (unsigned long long)n,
				 (unsigned long long)key, (unsigned long long)i);
		seen[v] = 1;
	}
}

static void every_index_comes_exactly_once(void **state)
{
	static const uint64_t odd[] = {4095, 4097, 65535, 65536, 65537, 99991, 1 << 20, LARGE};
	unsigned char *seen = malloc((size_t)1 << 21);

	assert_non_null(seen);
	for (uint64_t n = 1; n <= 2000; n++)
		for (uint64_t key = 0; key < 3; key++)
			check_bijection(n, key, seen);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		check_bijection(odd[i], i, seen);
	free(seen);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void huge_ranges_stay_within_and_do_not_collide(void **state)
{
	static const uint64_t ns[] = {
		(uint64_t)1 << 32,	 ((uint64_t)1 << 32) + 1, ((uint64_t)1 << 48) - 59,
		((uint64_t)1 << 62) + 1, (uint64_t)1 << 63,	  ((uint64_t)1 << 63) - 1,
	};
	enum { SAMPLES = 20000 };
	uint64_t *v = malloc(SAMPLES * sizeof(*v));

	assert_non_null(v);
	for (size_t k = 0; k < sizeof(ns) / sizeof(ns[0]); k++) {
		struct permute p;
		double sum = 0;
		permute_init(&p, ns[k], k);
		for (uint64_t i = 0; i < SAMPLES; i++) {
			v[i] = permute_at(&p, i < SAMPLES / 2 ? i : ns[k] - 1 - (i - SAMPLES / 2));
			assert_true(v[i] < ns[k]);
			sum += (double)v[i] / (double)ns[k];
		}
		assert_true(fabs(sum / SAMPLES - 0.5) < 0.015);
		qsort(v, SAMPLES, sizeof(*v), by_value);
		for (int i = 1; i < SAMPLES; i++)
			assert_true(v[i] != v[i - 1]);
	}
	free(v);
}

static void same_key_same_order_other_key_other_order(void **state)
{
	for (uint64_t n = 20; n < 3000; n += 37) {
		struct permute a, b, c;
		uint64_t same = 0;
		permute_init(&a, n, 137);
		permute_init(&b, n, 137);
		permute_init(&c, n, 138);
		for (uint64_t i = 0; i < n; i++) {
			assert_true(permute_at(&a, i) == permute_at(&b, i));
			same += permute_at(&a, i) == permute_at(&c, i);
		}
		assert_true(same < 12); /* one expected */
	}
}

static double chi_square(const double *count, const double *expected, size_t n)
{
	double chi = 0;

	for (size_t i = 0; i < n; i++)
		chi += (count[i] - expected[i]) * (count[i] - expected[i]) / expected[i];
	return chi;
}

static int chi_is_bad(double chi, double freedom)
{
	return chi > freedom + 6 * sqrt(2 * freedom) + 6;
}

/* Over many keys: where the first, second and last index land, and how far the second from the
 * first. */
static void positions_are_uniform_over_keys(void **state)
{
	static const uint64_t ns[] = {2,   3,	5,   16,  48,  49,  64, 65,
				      100, 127, 128, 129, 255, 256, 257};
	enum { KEYS = 20000 };

	for (size_t k = 0; k < sizeof(ns) / sizeof(ns[0]); k++) {
		uint64_t n = ns[k];
		double count[4][257] = {{0}}, expected[257];
		for (uint64_t key = 0; key < KEYS; key++) {
			struct permute p;
			permute_init(&p, n, key);
			uint64_t a = permute_at(&p, 0), b = permute_at(&p, 1);
			count[0][a]++;
			count[1][b]++;
			count[2][permute_at(&p, n - 1)]++;
			count[3][(b + n - a) % n - 1]++;
		}
		for (int c = 0; c < 4; c++) {
			uint64_t cells = n - (c == 3);
			for (uint64_t i = 0; i < cells; i++)
				expected[i] = (double)KEYS / (double)cells;
			double chi = chi_square(count[c], expected, (size_t)cells);
			if (chi_is_bad(chi, (double)(cells - 1)))
				fail_msg("n %llu, count %d: %f", (unsigned long long)n, c, chi);
		}
	}
}

/* All 24 orders of four indexes, equally often. */
static void small_ranges_have_all_orders(void **state)
{
	double count[256] = {0};
	int orders = 0;

	for (uint64_t key = 0; key < 24000; key++) {
		struct permute p;
		permute_init(&p, 4, key);
		uint64_t word = 0;
		for (uint64_t i = 0; i < 4; i++)
			word = word << 2 | permute_at(&p, i);
		count[word]++;
	}
	for (int i = 0; i < 256; i++) {
		orders += count[i] > 0;
		if (count[i] > 0)
			assert_true(count[i] > 840 && count[i] < 1160);
	}
	assert_int_equal(orders, 24);
}

/* Each bit of the image, as +1 and -1, against itself at a distance: the squared sum over the
 * number of terms has mean 1 for random orders. A weaker mix shows at distances of powers of two.
 */
static void neighbours_are_unrelated(void **state)
{
	static const uint64_t ns[] = {64, 128, 256, 512, 1024, 4096, 16384};
	enum { KEYS = 40 };
	uint64_t *v = malloc(16384 * sizeof(*v));

	assert_non_null(v);
	for (size_t q = 0; q < sizeof(ns) / sizeof(ns[0]); q++) {
		uint64_t n = ns[q];
		double sum[16][16] = {{0}};
		for (uint64_t key = 0; key < KEYS; key++) {
			struct permute p;
			permute_init(&p, n, 1000 + key);
			for (uint64_t i = 0; i < n; i++)
				v[i] = permute_at(&p, i);
			for (unsigned bit = 0; (uint64_t)1 << bit < n; bit++)
				for (unsigned lag = 0; (uint64_t)2 << lag < n; lag++) {
					uint64_t distance = (uint64_t)1 << lag,
						 terms = n - distance;
					int64_t s = 0;
					for (uint64_t i = 0; i < terms; i++)
						s += 1 -
						     2 * (int64_t)((v[i] ^ v[i + distance]) >> bit &
								   1);
					sum[bit][lag] += (double)(s * s) / (double)terms;
				}
		}
		for (unsigned bit = 0; bit < 16; bit++)
			for (unsigned lag = 0; lag < 16; lag++)
				if (sum[bit][lag] / KEYS > 3)
					fail_msg("n %llu bit %u distance 2^%u: %f",
						 (unsigned long long)n, bit, lag,
						 sum[bit][lag] / KEYS);
	}
	free(v);
}

static void few_indexes_stay_in_place(void **state)
{
	uint64_t fixed = 0;

	for (uint64_t key = 0; key < 2000; key++) {
		struct permute p;
		permute_init(&p, 100 + key % 50, key);
		for (uint64_t i = 0; i < p.n; i++)
			fixed += permute_at(&p, i) == i;
	}
	assert_in_range(fixed, 1750, 2250); /* one a key expected */
}

/* Every index once, in an order of its own; also across the table of small n. */
static void next_goes_through_all(void **state)
{
	(void)state;
	for (uint64_t n = 1; n < 3000; n += n < 200 ? 1 : 37) {
		struct permute p;
		uint64_t at = 0, out[PERMUTE_AHEAD], seen = 0;
		unsigned k;
		uint8_t *hit = calloc(n, 1);
		assert_non_null(hit);
		permute_init(&p, n, n * 7 + 1);
		while ((k = permute_next(&p, &at, out)) > 0) {
			assert_true(k <= PERMUTE_AHEAD);
			for (unsigned i = 0; i < k; i++) {
				assert_true(out[i] < n);
				assert_int_equal(hit[out[i]]++, 0);
			}
			seen += k;
		}
		assert_true(seen == n);
		free(hit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(next_goes_through_all),
		cmocka_unit_test(every_index_comes_exactly_once),
		cmocka_unit_test(huge_ranges_stay_within_and_do_not_collide),
		cmocka_unit_test(same_key_same_order_other_key_other_order),
		cmocka_unit_test(positions_are_uniform_over_keys),
		cmocka_unit_test(small_ranges_have_all_orders),
		cmocka_unit_test(neighbours_are_unrelated),
		cmocka_unit_test(few_indexes_stay_in_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
