#include "base/dist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 200000
#define CELLS 64

static int chi_is_bad(double chi, double freedom)
{
	return chi > freedom + 6 * sqrt(2 * freedom) + 6;
}

static struct dist make(enum dist_kind kind, uint64_t n, double param, double center, uint64_t seed)
{
	struct dist d;

	assert_int_equal(dist_init(&d, kind, n, param, center, seed), 0);
	return d;
}

/* Ranks against the weights computed one by one; the tail beyond the cells is one more. */
static void zipf_has_the_exact_shape(void **state)
{
	static const double thetas[] = {0,	  0.2, 0.5, 0.8, 0.99, 0.999999, 1,
					1.000001, 1.1, 1.2, 1.5, 2,    3};
	static const uint64_t ns[] = {1, 2, 3, 10, 1024, 100000};
	struct rng r;

	print_message("seed 38\n");
	rng_seed(&r, 38);
	for (size_t t = 0; t < sizeof(thetas) / sizeof(thetas[0]); t++)
		for (size_t k = 0; k < sizeof(ns) / sizeof(ns[0]); k++) {
			struct dist d = make(DIST_ZIPF, ns[k], thetas[t], -1, 1);
			double count[CELLS + 1] = {0}, weight[CELLS + 1] = {0}, total = 0, chi = 0,
					     freedom = -1;
			for (uint64_t i = 0; i < ns[k]; i++) {
				double w = pow((double)(i + 1), -thetas[t]);
				weight[i < CELLS ? i : CELLS] += w;
				total += w;
			}
			for (int i = 0; i < DRAWS / 4; i++) {
				uint64_t rank = dist_rank(&d, &r);
				assert_true(rank < ns[k]);
				count[rank < CELLS ? rank : CELLS]++;
			}
			for (int i = 0; i <= CELLS; i++) {
				double e = weight[i] / total * (DRAWS / 4);
				if (e < 5)
					continue;
				chi += (count[i] - e) * (count[i] - e) / e;
				freedom++;
			}
			if (freedom > 0 && chi_is_bad(chi, freedom))
				fail_msg("theta %f n %llu: chi %f of %f", thetas[t],
					 (unsigned long long)ns[k], chi, freedom);
		}
}

static int descending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x < y) - (x > y);
}

/* The shares that the published measurement of the usual approximation misses. */
static void zipf_head_over_offsets(void **state)
{
	static const struct {
		double theta, top1, top10;
	} rows[] = {{1.2, 0.2303, 0.5684}, {0.8, 0, 0.229}};
	struct rng r;

	print_message("seed 1991\n");
	rng_seed(&r, 1991);
	for (int k = 0; k < 2; k++) {
		struct dist d = make(DIST_ZIPF, 1024, rows[k].theta, -1, 7);
		double count[1024] = {0}, top10 = 0;
		for (int i = 0; i < 65536; i++)
			count[dist_draw(&d, &r)]++;
		qsort(count, 1024, sizeof(count[0]), descending);
		for (int i = 0; i < 10; i++)
			top10 += count[i] / 65536;
		if (rows[k].top1 > 0)
			assert_true(fabs(count[0] / 65536 - rows[k].top1) < 0.006);
		assert_true(fabs(top10 - rows[k].top10) < 0.008);
	}
}

static void pareto_gives_one_minus_h_to_h(void **state)
{
	static const double hs[] = {0.05, 0.2, 0.3, 0.5, 0.7};
	struct rng r;

	print_message("seed 80\n");
	rng_seed(&r, 80);
	for (int k = 0; k < 5; k++) {
		struct dist d = make(DIST_PARETO, 1000000, hs[k], -1, 1);
		double first = 0, second = 0;
		for (int i = 0; i < DRAWS; i++) {
			double x = (double)dist_rank(&d, &r) / 1e6;
			first += x < hs[k];
			second += x < hs[k] * hs[k];
		}
		assert_true(fabs(first / DRAWS - (1 - hs[k])) < 0.006);
		assert_true(fabs(second / DRAWS - (1 - hs[k]) * (1 - hs[k])) < 0.006);
	}
}

static void normal_is_a_bell_about_the_center(void **state)
{
	static const double centers[] = {-1, 0.3};
	struct rng r;

	print_message("seed 68\n");
	rng_seed(&r, 68);
	for (int k = 0; k < 2; k++) {
		double mid = centers[k] < 0 ? 0.5 : centers[k], chi = 0;
		double count[CELLS] = {0}, sum = 0, sq = 0;
		struct dist d = make(DIST_NORMAL, 64000, 5, centers[k], 1);
		for (int i = 0; i < DRAWS; i++) {
			double x = ((double)dist_draw(&d, &r) + 0.5) / 64000;
			count[(int)(x * CELLS)]++;
			sum += x;
			sq += (x - mid) * (x - mid);
		}
		assert_true(fabs(sum / DRAWS - mid) < 0.001);
		assert_true(fabs(sqrt(sq / DRAWS) - 0.05) < 0.001);
		int cells = 0;
		for (int i = 0; i < CELLS; i++) {
			double a = ((double)i / CELLS - mid) / 0.05,
			       b = ((double)(i + 1) / CELLS - mid) / 0.05;
			double e = DRAWS * 0.5 * (erf(b / sqrt(2)) - erf(a / sqrt(2)));
			if (e < 5)
				continue;
			chi += (count[i] - e) * (count[i] - e) / e;
			cells++;
		}
		assert_false(chi_is_bad(chi, cells - 1));
	}
}

static void normal_edges_are_mirrored(void **state)
{
	struct rng r;
	double low = 0, count[10] = {0};
	struct dist d = make(DIST_NORMAL, 1000, 20, 0, 1);

	print_message("seed 4\n");
	rng_seed(&r, 4);
	for (int i = 0; i < DRAWS; i++)
		low += dist_draw(&d, &r) < 200;
	assert_true(fabs(low / DRAWS - erf(1 / sqrt(2))) < 0.005);
	d = make(DIST_NORMAL, 1000, 100, 0.5, 1);
	for (int i = 0; i < DRAWS; i++)
		count[dist_draw(&d, &r) / 100]++;
	for (int i = 0; i < 10; i++)
		assert_true(fabs(count[i] / DRAWS - 0.1) <
			    0.01); /* wide bells are nearly flat, without heaps */
	d = make(DIST_NORMAL, 1000, 0, -1, 1);
	for (int i = 0; i < 100; i++)
		assert_int_equal(dist_draw(&d, &r), 500);
	d = make(DIST_NORMAL, 1000, 0, 1, 1);
	assert_int_equal(dist_draw(&d, &r), 999);
}

static void uniform_is_uniform(void **state)
{
	struct rng r;
	double count[CELLS] = {0}, chi = 0;
	struct dist d = make(DIST_UNIFORM, CELLS, 0, -1, 1);

	print_message("seed 6\n");
	rng_seed(&r, 6);
	for (int i = 0; i < DRAWS; i++)
		count[dist_draw(&d, &r)]++;
	for (int i = 0; i < CELLS; i++)
		chi += (count[i] - DRAWS / CELLS) * (count[i] - DRAWS / CELLS) / (DRAWS / CELLS);
	assert_false(chi_is_bad(chi, CELLS - 1));
}

static uint64_t hottest(const struct dist *d, struct rng *r, double *distance)
{
	double count[1000] = {0}, best = 0, sum = 0;
	uint64_t at = 0;

	for (int i = 0; i < 20000; i++)
		count[dist_draw(d, r)]++;
	for (uint64_t i = 0; i < 1000; i++)
		if (count[i] > best) {
			best = count[i];
			at = i;
		}
	/* mean distance of the warm ones from the hottest */
	int n = 0;
	for (uint64_t i = 0; i < 1000; i++)
		if (i != at && count[i] > 200) {
			sum += fabs((double)i - (double)at);
			n++;
		}
	*distance = n ? sum / n : 0;
	return at;
}

static void the_hot_spot_is_at_the_center_and_the_warm_ones_scattered(void **state)
{
	static const double centers[] = {0, 0.25, 0.5, 1};
	static const uint64_t want[] = {0, 250, 500, 999};
	struct rng r;
	double distance;

	print_message("seed 12\n");
	rng_seed(&r, 12);
	for (int k = 0; k < 4; k++)
		for (int kind = DIST_ZIPF; kind <= DIST_PARETO; kind++) {
			struct dist d = make((enum dist_kind)kind, 1000,
					     kind == DIST_ZIPF ? 1.1 : 0.2, centers[k], 3);
			assert_int_equal(hottest(&d, &r, &distance), want[k]);
			assert_true(distance > 100);
		}
}

static void without_a_center_the_seed_chooses(void **state)
{
	struct rng r;
	double distance;
	uint64_t first[8];
	int same = 0;

	rng_seed(&r, 5);
	for (uint64_t seed = 0; seed < 8; seed++) {
		struct dist d = make(DIST_ZIPF, 1000, 1.5, -1, seed);
		first[seed] = hottest(&d, &r, &distance);
		assert_int_equal(hottest(&d, &r, &distance), first[seed]);
		same += first[seed] == first[0];
	}
	assert_in_range(same, 1, 2);
}

static void draws_cover_exactly_the_range(void **state)
{
	struct rng r;

	rng_seed(&r, 3);
	for (int kind = DIST_UNIFORM; kind <= DIST_NORMAL; kind++)
		for (uint64_t n = 1; n < 20; n++) {
			struct dist d = make((enum dist_kind)kind, n,
					     kind == DIST_NORMAL ? 50 : 0.5, 0.7, n);
			uint64_t seen = 0;
			for (int i = 0; i < 3000; i++) {
				uint64_t v = dist_draw(&d, &r);
				assert_true(v < n);
				seen |= (uint64_t)1 << v;
			}
			assert_true(seen == ((uint64_t)1 << n) - 1);
		}
}

static void huge_ranges_and_extreme_parameters_hold(void **state)
{
	static const double zipf[] = {0, 1e-9, 0.5, 1, 1.2, 10, 1000};
	struct rng r;
	uint64_t n = (uint64_t)1 << 63;

	rng_seed(&r, 3);
	for (int k = 0; k < 7; k++) {
		struct dist d = make(DIST_ZIPF, n, zipf[k], -1, 1);
		for (int i = 0; i < 2000; i++)
			assert_true(dist_draw(&d, &r) < n);
	}
	struct dist d = make(DIST_PARETO, n, 0.001, -1, 1);
	for (int i = 0; i < 2000; i++)
		assert_true(dist_draw(&d, &r) < n);
	d = make(DIST_NORMAL, n, 100, 1, 1);
	for (int i = 0; i < 2000; i++)
		assert_true(dist_draw(&d, &r) < n);
}

static void wrong_parameters_are_refused(void **state)
{
	struct dist d;

	assert_int_equal(dist_init(&d, DIST_UNIFORM, 0, 0, -1, 1), -EINVAL);
	assert_int_equal(dist_init(&d, DIST_ZIPF, 10, -0.1, -1, 1), -EINVAL);
	assert_int_equal(dist_init(&d, DIST_ZIPF, 10, NAN, -1, 1), -EINVAL);
	assert_int_equal(dist_init(&d, DIST_ZIPF, 10, INFINITY, -1, 1), -EINVAL);
	assert_int_equal(dist_init(&d, DIST_PARETO, 10, 0, -1, 1), -EINVAL);
	assert_int_equal(dist_init(&d, DIST_PARETO, 10, 1, -1, 1), -EINVAL);
	assert_int_equal(dist_init(&d, DIST_NORMAL, 10, 101, -1, 1), -EINVAL);
	assert_int_equal(dist_init(&d, DIST_NORMAL, 10, -1, -1, 1), -EINVAL);
	assert_int_equal(dist_init(&d, DIST_ZIPF, 10, 1.2, 1.1, 1), -EINVAL);
	assert_int_equal(dist_init(&d, DIST_ZIPF, 10, 1.2, NAN, 1), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zipf_has_the_exact_shape),
		cmocka_unit_test(zipf_head_over_offsets),
		cmocka_unit_test(pareto_gives_one_minus_h_to_h),
		cmocka_unit_test(normal_is_a_bell_about_the_center),
		cmocka_unit_test(normal_edges_are_mirrored),
		cmocka_unit_test(uniform_is_uniform),
		cmocka_unit_test(the_hot_spot_is_at_the_center_and_the_warm_ones_scattered),
		cmocka_unit_test(without_a_center_the_seed_chooses),
		cmocka_unit_test(draws_cover_exactly_the_range),
		cmocka_unit_test(huge_ranges_and_extreme_parameters_hold),
		cmocka_unit_test(wrong_parameters_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
