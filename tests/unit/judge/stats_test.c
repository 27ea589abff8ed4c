#include "judge/stats.h"
#include "judge/student.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "noise.h"

#include <errno.h>

/* The noise of the reference jobs: a minute of one-second intervals that vary by 4 % and hang
 * together.
 */
enum { MINUTE = 60, REPS = 399, TRIALS = 2000 };
#define CV  0.04
#define RHO 0.5

static double cover(double rho, unsigned n, unsigned trials, uint64_t stream)
{
	struct rng r;
	double v[600];
	unsigned in = 0;

	rng_seed(&r, rng_derive(noise_seed(&r), 1, stream));
	for (unsigned t = 0; t < trials; t++) {
		struct stats_interval iv;
		noise_series(&r, v, n, 100, CV, rho);
		assert_int_equal(stats_series_mean(&(struct stats_values){v, n}, REPS, t, &iv), 0);
		in += iv.low <= 100 && 100 <= iv.high;
	}
	double share = 100.0 * in / trials;
	print_message("rho %.1f n %u: %.2f %% of %u intervals cover the truth\n", rho, n, share,
		      trials);
	return share;
}

static void intervals_cover_the_truth_of_white_noise(void **state)
{
	double share = cover(0, MINUTE, noise_trials(TRIALS), 1);

	assert_true(share >= 93 && share <= 97);
}

static void intervals_cover_the_truth_of_autocorrelated_noise(void **state)
{
	double half = cover(RHO, MINUTE, noise_trials(TRIALS), 2);
	double strong = cover(0.7, MINUTE, noise_trials(TRIALS), 3);

	assert_true(half >= 93 && half <= 97);
	assert_true(strong >= 93 && strong <= 97);
}

/* Share of comparisons of two series that are called different. */
static double called(double shift, double rho, unsigned n, unsigned trials, uint64_t stream)
{
	struct rng r;
	double a[600], b[600];
	unsigned found = 0;

	rng_seed(&r, rng_derive(noise_seed(&r), 2, stream));
	for (unsigned t = 0; t < trials; t++) {
		struct stats_values x = {a, n}, y = {b, n};
		struct stats_interval iv;
		noise_series(&r, a, n, 100, CV, rho);
		noise_series(&r, b, n, 100 * (1 + shift), CV, rho);
		assert_int_equal(stats_series_ratio(&x, &y, REPS, t, &iv), 0);
		found += iv.low > 0 || iv.high < 0;
	}
	double share = 100.0 * found / trials;
	print_message("shift %.1f %% rho %.1f n %u: %.2f %% of %u called different\n", 100 * shift,
		      rho, n, share, trials);
	return share;
}

static void equals_are_seldom_called_different(void **state)
{
	assert_true(called(0, 0, MINUTE, noise_trials(TRIALS), 1) <= 5);
	assert_true(called(0, RHO, MINUTE, noise_trials(TRIALS), 2) <= 5);
}

/* Two single minutes cannot do it, whoever judges: the standard error of their ratio is 1.26 %, so
 * that even the exact normal test finds 3 % in 66 of 100. Two minutes and a half can. */
static void three_percent_are_found_in_long_runs(void **state)
{
	double one = called(0.03, RHO, MINUTE, noise_trials(TRIALS / 2), 3);
	double long_run = called(0.03, RHO, 150, noise_trials(TRIALS / 4), 4);

	assert_true(one >= 45 && one <= 70);
	assert_true(long_run >= 90);
}

static double called_repeats(double shift, unsigned repeats, unsigned trials, uint64_t stream)
{
	struct rng r;
	double v[MINUTE], a[16], b[16];
	unsigned found = 0;

	rng_seed(&r, rng_derive(noise_seed(&r), 3, stream));
	for (unsigned t = 0; t < trials; t++) {
		struct stats_interval iv;
		for (unsigned k = 0; k < repeats; k++) {
			noise_series(&r, v, MINUTE, 100, CV, RHO);
			a[k] = stats_mean(&(struct stats_values){v, MINUTE});
			noise_series(&r, v, MINUTE, 100 * (1 + shift), CV, RHO);
			b[k] = stats_mean(&(struct stats_values){v, MINUTE});
		}
		assert_int_equal(stats_repeats_ratio(&(struct stats_values){a, repeats},
						     &(struct stats_values){b, repeats}, &iv),
				 0);
		found += iv.low > 0 || iv.high < 0;
	}
	double share = 100.0 * found / trials;
	print_message("shift %.1f %% in %u repeats: %.2f %% of %u called different\n", 100 * shift,
		      repeats, share, trials);
	return share;
}

static void repeats_find_three_percent_and_nothing_else(void **state)
{
	assert_true(called_repeats(0.03, 5, noise_trials(TRIALS), 1) >= 90);
	for (unsigned n = 2; n <= 6; n++)
		assert_true(called_repeats(0, n, noise_trials(TRIALS), n + 1) <= 5);
}

/* A single run against repeats, and the other way round, borrows their spread. */
static void a_single_run_is_judged_by_the_spread_of_the_repeats(void **state)
{
	struct rng r;
	unsigned called_n = 0, trials = noise_trials(TRIALS);

	noise_seed(&r);
	for (unsigned t = 0; t < trials; t++) {
		double a[5], b;
		struct stats_interval iv;
		noise_series(&r, a, 5, 50, 0.02, 0);
		noise_series(&r, &b, 1, 50, 0.02, 0);
		assert_int_equal(stats_repeats_ratio(&(struct stats_values){a, 5},
						     &(struct stats_values){&b, 1}, &iv),
				 0);
		called_n += iv.low > 0 || iv.high < 0;
	}
	print_message("%u of %u called different\n", called_n, trials);
	assert_true(called_n <= trials / 20);
}

/* The standard error is an estimate itself, so that nine in ten hold on average only. The promise
 * behind "cannot tell: run so much longer". */
static void running_as_long_as_advised_finds_the_difference(void **state)
{
	struct rng r;
	double a[600], b[600];
	unsigned found = 0, runs = 200;

	noise_seed(&r);
	for (unsigned t = 0; t < runs; t++) {
		struct stats_interval iv;
		struct stats_values x = {a, 80}, y = {b, 80};
		noise_series(&r, a, 80, 100, CV, 0.3);
		noise_series(&r, b, 80, 100, CV, 0.3);
		assert_int_equal(stats_series_ratio(&x, &y, REPS, t, &iv), 0);
		x.n = y.n = (unsigned)ceil(80 * stats_more(iv.se, 0.02));
		if (x.n > 600)
			x.n = y.n = 600;
		noise_series(&r, a, x.n, 100, CV, 0.3);
		noise_series(&r, b, y.n, 102, CV, 0.3);
		assert_int_equal(stats_series_ratio(&x, &y, REPS, t, &iv), 0);
		found += iv.low > 0;
	}
	print_message("%u of %u found\n", found, runs);
	assert_true(found >= runs * 75 / 100);
}

static void same_seed_same_interval(void **state)
{
	struct rng r;
	double v[MINUTE];
	struct stats_interval one, two;
	struct stats_values x = {v, MINUTE};

	noise_seed(&r);
	noise_series(&r, v, MINUTE, 7, CV, RHO);
	assert_int_equal(stats_series_mean(&x, STATS_REPS, 9, &one), 0);
	assert_int_equal(stats_series_mean(&x, STATS_REPS, 9, &two), 0);
	assert_memory_equal(&one, &two, sizeof(one));
}

static void series_without_noise_have_no_width(void **state)
{
	double a[20], b[20];
	struct stats_interval iv;

	for (unsigned i = 0; i < 20; i++) {
		a[i] = 0.1;
		b[i] = 0.2;
	}
	assert_int_equal(stats_series_mean(&(struct stats_values){a, 20}, REPS, 1, &iv), 0);
	assert_true(iv.low == iv.high && fabs(iv.value - 0.1) < 1e-12);
	assert_int_equal(stats_series_ratio(&(struct stats_values){a, 20},
					    &(struct stats_values){b, 20}, REPS, 1, &iv),
			 0);
	assert_true(fabs(iv.low - log(2)) < 1e-12 && iv.low == iv.high);
}

static void too_little_is_refused(void **state)
{
	double v[8] = {1, 2, 3, 4, 5, 6, 7, 8}, zero[8] = {0};
	struct stats_values few = {v, 7}, enough = {v, 8}, none = {zero, 8}, one = {v, 1};
	struct stats_interval iv;

	assert_int_equal(stats_series_mean(&few, REPS, 1, &iv), -EINVAL);
	assert_int_equal(stats_series_ratio(&few, &enough, REPS, 1, &iv), -EINVAL);
	assert_int_equal(stats_series_ratio(&none, &enough, REPS, 1, &iv), -EINVAL);
	assert_int_equal(stats_repeats_mean(&one, &iv), -EINVAL);
	assert_int_equal(stats_repeats_ratio(&one, &one, &iv), -EINVAL);
	assert_int_equal(stats_repeats_ratio(&enough, &none, &iv), -EINVAL);
}

static void dependence_is_measured(void **state)
{
	struct rng r;
	double v[600], rho = 0, effective = 0, block_white = 0, block = 0;

	noise_seed(&r);
	for (unsigned t = 0; t < 200; t++) {
		struct stats_values x = {v, 600};
		noise_series(&r, v, 600, 10, 1, 0);
		block_white += stats_block_length(&x) / 200.0;
		noise_series(&r, v, 600, 10, 1, 0.6);
		rho += stats_rho(&x) / 200;
		effective += stats_effective(&x) / 200;
		block += stats_block_length(&x) / 200.0;
	}
	print_message("rho %.3f effective %.0f blocks %.1f and %.1f\n", rho, effective, block_white,
		      block);
	assert_true(fabs(rho - 0.6) < 0.02);
	assert_true(fabs(effective - 150) < 12);
	assert_true(block_white < 5 && block > 2 * block_white);
}

/* Tables of Student's t. */
static void student_has_the_values_of_the_tables(void **state)
{
	static const struct {
		double df, level, t;
	} table[] = {{1, 0.95, 12.7062},  {2, 0.95, 4.30265}, {4, 0.95, 2.77645},
		     {10, 0.99, 3.16927}, {30, 0.9, 1.69726}, {1e6, 0.95, 1.95996}};

	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		assert_true(fabs(stats_student(table[i].df, table[i].level) - table[i].t) < 1e-4);
		assert_true(fabs(stats_student_p(table[i].df, table[i].t) - 1 + table[i].level) <
			    1e-5);
	}
	assert_true(fabs(stats_student_p(5, 0) - 1) < 1e-12);
}

/* Worked by hand: logs 0 and 2 against 1 and 3 (variances 2 and 2, two each). */
static void welch_is_what_the_formula_says(void **state)
{
	double a[2] = {1, exp(2)}, b[2] = {exp(1), exp(3)};
	struct stats_interval iv;

	assert_int_equal(stats_repeats_ratio(&(struct stats_values){a, 2},
					     &(struct stats_values){b, 2}, &iv),
			 0);
	assert_true(fabs(iv.value - 1) < 1e-12);
	assert_true(fabs(iv.se - sqrt(2)) < 1e-12);
	assert_true(fabs(iv.df - 2) < 1e-12);
	assert_true(fabs(iv.high - 1 - sqrt(2) * stats_student(2, 0.96)) < 1e-9);
}

static void advice_shrinks_with_the_difference_asked_for(void **state)
{
	assert_true(stats_more(0.01, 1) == 1);
	assert_true(stats_more(0.01, 0.01) > 10 && stats_more(0.01, 0.01) < 12);
	assert_true(stats_repeats_needed(0.01, 0.03) <= 5);
	assert_true(stats_repeats_needed(0.01, 0.01) > 20);
	assert_int_equal(stats_repeats_needed(1, 0.0001), 10000);
	assert_int_equal(stats_repeats_needed(0, 0.01), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_cover_the_truth_of_white_noise),
		cmocka_unit_test(intervals_cover_the_truth_of_autocorrelated_noise),
		cmocka_unit_test(equals_are_seldom_called_different),
		cmocka_unit_test(three_percent_are_found_in_long_runs),
		cmocka_unit_test(repeats_find_three_percent_and_nothing_else),
		cmocka_unit_test(a_single_run_is_judged_by_the_spread_of_the_repeats),
		cmocka_unit_test(running_as_long_as_advised_finds_the_difference),
		cmocka_unit_test(same_seed_same_interval),
		cmocka_unit_test(series_without_noise_have_no_width),
		cmocka_unit_test(too_little_is_refused),
		cmocka_unit_test(dependence_is_measured),
		cmocka_unit_test(student_has_the_values_of_the_tables),
		cmocka_unit_test(welch_is_what_the_formula_says),
		cmocka_unit_test(advice_shrinks_with_the_difference_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
