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
	static const uint64_t ns[] = {2,  3,   5,   16,	 48,  49,  64,	65,  96,
				      97, 100, 127, 128, 129, 160, 255, 256, 257};
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
	static const uint64_t ns[] = {64, 128, 256, 512, 1024, 2048, 4096, 16384};
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

/* How far an index lies from the one that comes `distance` later takes all values alike: those that
 * come twice among some are as many as chance brings. A hash that is linear shows here first. */
static void differences_repeat_as_chance_has_it(void **state)
{
	static const uint64_t ns[] = {1 << 20,	 1000003, 52428800,	 (1 << 26) - 5,
				      419430400, 1 << 29, (1 << 30) - 7, ((uint64_t)1 << 31) - 5};
	enum { SAMPLES = 4096, KEYS = 20 };
	uint64_t *v = malloc(SAMPLES * sizeof(*v));

	assert_non_null(v);
	for (size_t q = 0; q < sizeof(ns) / sizeof(ns[0]); q++) {
		uint64_t n = ns[q];
		double repeats = 0, expected = 0;
		for (uint64_t key = 0; key < KEYS; key++) {
			struct permute p;
			permute_init(&p, n, 77 + key);
			for (uint64_t distance = 1; distance <= 4096; distance *= 16) {
				for (uint64_t i = 0; i < SAMPLES; i++)
					v[i] = (permute_at(&p, 997 * key + i + distance) + n -
						permute_at(&p, 997 * key + i)) %
					       n;
				qsort(v, SAMPLES, sizeof(*v), by_value);
				for (int i = 1; i < SAMPLES; i++)
					repeats += v[i] == v[i - 1];
				expected += (double)SAMPLES * (SAMPLES - 1) / 2 / (double)n;
			}
		}
		if (fabs(repeats - expected) > 6 * sqrt(expected) + 6)
			fail_msg("n %llu: %.0f repeats, %.1f expected", (unsigned long long)n,
				 repeats, expected);
	}
	free(v);
}

/* Pairs and triples of neighbours fall into all cells alike. */
static void neighbours_fall_everywhere(void **state)
{
	static const uint64_t ns[] = {1 << 20, 52428800, 419430400, (1 << 30) - 7,
				      ((uint64_t)1 << 33) + 1};
	enum { SAMPLES = 200000, PAIRS = 1024, TRIPLES = 4096 };
	static double count[PAIRS + TRIPLES], expected[PAIRS + TRIPLES];

	for (unsigned i = 0; i < PAIRS + TRIPLES; i++)
		expected[i] = (double)SAMPLES / (i < PAIRS ? PAIRS : TRIPLES);
	for (size_t q = 0; q < sizeof(ns) / sizeof(ns[0]); q++) {
		uint64_t n = ns[q];
		struct permute p;
		permute_init(&p, n, 4711 + q);
		memset(count, 0, sizeof(count));
		uint64_t a = permute_at(&p, 0), b = permute_at(&p, 1);
		for (uint64_t i = 2; i < SAMPLES + 2; i++) {
			uint64_t c = permute_at(&p, i);
			count[b * 32 / n * 32 + c * 32 / n]++;
			count[PAIRS + (a * 16 / n * 16 + b * 16 / n) * 16 + c * 16 / n]++;
			a = b;
			b = c;
		}
		assert_false(chi_is_bad(chi_square(count, expected, PAIRS), PAIRS - 1));
		assert_false(chi_is_bad(chi_square(count + PAIRS, expected + PAIRS, TRIPLES),
					TRIPLES - 1));
	}
}

static void check_next(uint64_t n, uint64_t key)
{
	struct permute p;
	uint64_t at = 0, out[PERMUTE_AHEAD], seen = 0;
	unsigned k;
	uint8_t *hit = calloc(n, 1);

	assert_non_null(hit);
	permute_init(&p, n, key);
	while ((k = permute_next(&p, &at, out)) > 0) {
		assert_true(k <= PERMUTE_AHEAD);
		for (unsigned j = 0; j < k; j++) {
			assert_true(out[j] < n);
			assert_int_equal(hit[out[j]]++, 0);
			/* Both ways agree until something beyond n was left out. */
			if (seen == at - k)
				assert_true(out[j] == permute_at(&p, seen + j));
		}
		seen += k;
	}
	assert_true(seen == n);
	free(hit);
}

/* Every index once, in an order of its own; also across the table of small n. */
static void next_goes_through_all(void **state)
{
	(void)state;
	for (uint64_t n = 1; n < 3000; n += n < 200 ? 1 : 37)
		check_next(n, n * 7 + 1);
	/* Many at a time: with and without something beyond, odd and even sizes of the halves. */
	for (uint64_t n = 4095; n < 70000; n = n * 2 + 1) {
		check_next(n, n);
		check_next(n + 1, n);
		check_next(n + 2, n);
		check_next(n + n / 3, n);
	}
}

/* Spans too large to go through: pieces from their begin, middle and end. */
static void check_pieces(uint64_t n, uint64_t key)
{
	struct permute p;
	unsigned compared = 0;

	permute_init(&p, n, key);
	for (unsigned piece = 0; piece < 8; piece++) {
		uint64_t at = n / 8 * piece / 64 * 64, out[PERMUTE_AHEAD];
		for (unsigned turn = 0; turn < 20; turn++) {
			uint64_t from = at;
			unsigned k = permute_next(&p, &at, out);
			/* What is beyond n was left out, and what followed it moved up. */
			for (unsigned j = 0; at - from == k && j < k; j++, compared++)
				assert_true(out[j] == permute_at(&p, from + j));
			for (unsigned j = 0; j < k; j++)
				assert_true(out[j] < n);
		}
	}
	assert_true(compared > 8 * 20 * PERMUTE_AHEAD / 2);
}

static void next_of_large_spans_is_that_of_single_ones(void **state)
{
	(void)state;
	for (unsigned bits = 24; bits <= 62; bits++) {
		uint64_t n = UINT64_C(1) << bits;
		check_pieces(n - 1, bits);
		check_pieces(n / 2 + n / 3, bits);
		check_pieces(n + 1, bits);
		check_pieces(n, bits);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(next_goes_through_all),
		cmocka_unit_test(next_of_large_spans_is_that_of_single_ones),
		cmocka_unit_test(every_index_comes_exactly_once),
		cmocka_unit_test(huge_ranges_stay_within_and_do_not_collide),
		cmocka_unit_test(same_key_same_order_other_key_other_order),
		cmocka_unit_test(positions_are_uniform_over_keys),
		cmocka_unit_test(small_ranges_have_all_orders),
		cmocka_unit_test(neighbours_are_unrelated),
		cmocka_unit_test(differences_repeat_as_chance_has_it),
		cmocka_unit_test(neighbours_fall_everywhere),
		cmocka_unit_test(few_indexes_stay_in_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
