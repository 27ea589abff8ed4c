#include "base/hist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static struct hist *hist_new(void)
{
	struct hist *h = calloc(1, sizeof(*h));
	assert_non_null(h);
	return h;
}

static void buckets_tile_the_range(void **state)
{
	uint64_t next = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		assert_true(hist_low(i) == next);
		assert_int_equal(hist_index(hist_low(i)), i);
		assert_int_equal(hist_index(hist_low(i) + hist_width(i) - 1), i);
		assert_int_equal(hist_index(hist_value(i)), i);
		next = hist_low(i) + hist_width(i);
	}
	assert_true(next == (uint64_t)1 << 42);
	assert_int_equal(hist_index(next), HIST_BUCKETS - 1);
	assert_int_equal(hist_index(UINT64_MAX), HIST_BUCKETS - 1);
}

/* Compatibility 17.3, computed the long way: below 128 exact, then 64 equal buckets a power of two,
 * midpoints. */
static void geometry_is_fios_below_2_to_34(void **state)
{
	unsigned index = 0;

	for (; index < 128; index++)
		assert_int_equal(hist_value(index), index);
	for (uint64_t power = 128; power < (uint64_t)1 << 34; power *= 2)
		for (uint64_t k = 0; k < 64; k++, index++) {
			uint64_t low = power + k * (power / 64), width = power / 64;
			assert_true(hist_low(index) == low);
			assert_true(hist_value(index) == low + width / 2);
		}
	assert_int_equal(index, HIST_FIO_BUCKETS);
	assert_int_equal(hist_value(hist_index(10630)), 10688);
	assert_int_equal(hist_value(hist_index(14146)), 14144);
}

static void percentiles_agree_with_sorted_values(void **state)
{
	static const double ps[] = {0,	0.01, 1,    5,	  25,	 50,	75,
				    90, 99,   99.5, 99.9, 99.95, 99.99, 100};
	struct rng r;
	uint64_t v[4000];

	print_message("seed 17\n");
	rng_seed(&r, 17);
	for (int round = 0; round < 60; round++) {
		struct hist *h = hist_new();
		size_t n = 1 + (size_t)rng_below(&r, round % 3 ? 4000 : 12);
		for (size_t i = 0; i < n; i++) {
			v[i] = rng_next(&r) >> (22 + rng_below(&r, 40));
			hist_add(h, v[i]);
		}
		qsort(v, n, sizeof(v[0]), by_value);
		assert_int_equal(hist_count(h), n);
		for (size_t k = 0; k < sizeof(ps) / sizeof(ps[0]); k++) {
			size_t rank = 0;
			while (rank < n - 1 &&
			       (long double)(rank + 1) < (long double)ps[k] / 100 * (long double)n)
				rank++;
			uint64_t want = hist_value(hist_index(v[rank]));
			want = want > v[n - 1] ? v[n - 1] : want;
			want = want < v[0] ? v[0] : want;
			want = ps[k] == 100 ? v[n - 1] : want;
			assert_true(hist_percentile(h, ps[k], v[0], v[n - 1]) == want);
		}
		free(h);
	}
}

static void percentiles_stay_within_minimum_and_maximum(void **state)
{
	struct hist *h = hist_new();

	assert_int_equal(hist_percentile(h, 50, 0, 0), 0);
	hist_add(h, 14146);
	assert_int_equal(hist_percentile(h, 1, 14146, 14146), 14146);
	assert_int_equal(hist_percentile(h, 99.99, 14146, 14146), 14146);
	memset(h, 0, sizeof(*h));
	for (int i = 0; i < 1000; i++)
		hist_add(h, i == 999 ? 10630 : 500);
	assert_int_equal(hist_percentile(h, 99.99, 500, 10630), 10630);
	assert_int_equal(hist_percentile(h, 100, 500, 10630), 10630);
	free(h);
}

static void long_latencies_keep_their_size(void **state)
{
	struct hist *h = hist_new();
	uint64_t hour = 3600000000000u;

	hist_add(h, 30000000000u);
	hist_add(h, hour);
	uint64_t p = hist_percentile(h, 99, 0, UINT64_MAX);
	assert_in_range(p, hour - hour / 64, hour + hour / 64);
	free(h);
}

static void merge_is_addition(void **state)
{
	struct hist *a = hist_new(), *b = hist_new(), *all = hist_new();
	struct rng r;

	print_message("seed 5\n");
	rng_seed(&r, 5);
	for (int i = 0; i < 20000; i++) {
		uint64_t v = rng_next(&r) >> rng_below(&r, 64);
		hist_add(i & 1 ? a : b, v);
		hist_add(all, v);
	}
	a->n = b->n = 10000;
	all->n = 20000;
	hist_merge(a, b);
	assert_memory_equal(a, all, sizeof(*a));
	free(a);
	free(b);
	free(all);
}

static void a_percentile_that_is_a_whole_rank_is_that_sample(void **state)
{
	/* 60 % of 200 is the 120th, 99.9 % of 1000 the 999th, whatever 0.6 and 99.9 are in binary.
	 */
	static const uint64_t counts[] = {200, 1000, 100000, 3000};
	static const double percents[] = {60, 99.9, 0.1, 7, 29, 57, 58, 99.99};
	static const unsigned per_myriad[] = {6000, 9990, 10, 700, 2900, 5700, 5800, 9999};

	for (unsigned c = 0; c < 4; c++)
		for (unsigned i = 0; i < 8; i++) {
			uint64_t exact = counts[c] * per_myriad[i];
			struct hist h = {0};
			if (exact % 10000)
				continue;
			for (uint64_t k = 0; k < counts[c]; k++)
				hist_add(&h, k < exact / 10000 ? 10 : 100);
			assert_int_equal(hist_percentile(&h, percents[i], 10, 100), 10);
			h.bucket[hist_index(10)]--;
			h.bucket[hist_index(100)]++;
			assert_int_equal(hist_percentile(&h, percents[i], 10, 100), 100);
		}
}

/* The bin by search, for any ns. */
static unsigned lat_bin_by_search(uint64_t ns)
{
	unsigned b = 0;

	while (b < HIST_LAT_BINS - 1 && ns >= hist_lat_limit[b])
		b++;
	return b;
}

static void latency_bins_match_the_labels(void **state)
{
	static const uint64_t labels[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000};
	unsigned bin = 0;
	uint64_t low = 0;

	for (uint64_t unit = 1; unit <= 1000000; unit *= 1000)
		for (int i = 0; i < 10; i++, bin++) {
			uint64_t high = labels[i] * unit;
			assert_int_equal(lat_bin_by_search(low), bin);
			assert_int_equal(lat_bin_by_search(high - 1), bin);
			low = high;
		}
	assert_int_equal(lat_bin_by_search(1999999999), 30);
	assert_int_equal(lat_bin_by_search(2000000000), 31);
	assert_int_equal(lat_bin_by_search(UINT64_MAX), 31);
	assert_int_equal(lat_bin_by_search(2000), 11);
	assert_int_equal(lat_bin_by_search(999000), 19);
}

static void check_bin(uint64_t v)
{
	if (hist_lat_bin(hist_index(v), v) != lat_bin_by_search(v))
		fail_msg("%llu", (unsigned long long)v);
}

static void latency_bins_by_table_are_exact(void **state)
{
	struct rng r;

	print_message("seed 9\n");
	rng_seed(&r, 9);
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		check_bin(hist_low(i));
		check_bin(hist_low(i) + hist_width(i) - 1);
	}
	for (unsigned b = 0; b < HIST_LAT_BINS; b++)
		for (uint64_t d = 0; d < 3; d++)
			check_bin(hist_lat_limit[b] - 1 + d);
	for (uint64_t v = 0; v < 300000; v++)
		check_bin(v);
	for (int i = 0; i < 1000000; i++)
		check_bin(rng_next(&r) >> rng_below(&r, 64));
	check_bin(UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_tile_the_range),
		cmocka_unit_test(geometry_is_fios_below_2_to_34),
		cmocka_unit_test(percentiles_agree_with_sorted_values),
		cmocka_unit_test(percentiles_stay_within_minimum_and_maximum),
		cmocka_unit_test(a_percentile_that_is_a_whole_rank_is_that_sample),
		cmocka_unit_test(long_latencies_keep_their_size),
		cmocka_unit_test(merge_is_addition),
		cmocka_unit_test(latency_bins_match_the_labels),
		cmocka_unit_test(latency_bins_by_table_are_exact),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
