#include "judge/trend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "noise.h"

#include <errno.h>

enum { N = 60, TRIALS = 1000 };

static void steady_series_are_seldom_called_drifting_or_jumping(void **state)
{
	struct rng r;
	double v[N];

	noise_seed(&r);
	for (unsigned k = 0; k < 2; k++) {
		unsigned drift = 0, jump = 0;
		for (unsigned t = 0; t < TRIALS; t++) {
			struct trend tr;
			struct trend_change ch;
			noise_series(&r, v, N, 100, 0.04, k ? 0.5 : 0);
			assert_int_equal(trend_find(&(struct stats_values){v, N}, &tr), 0);
			assert_int_equal(trend_change(&(struct stats_values){v, N}, &ch), 0);
			drift += tr.p < 0.01;
			jump += ch.p < 0.01;
		}
		print_message("rho %.1f: %u drift, %u jump of %u at 1 %%\n", k * 0.5, drift, jump,
			      TRIALS);
		assert_true(drift <= TRIALS * 4 / 100 && jump <= TRIALS * 4 / 100);
	}
}

static void a_drift_and_a_jump_are_found_where_they_are(void **state)
{
	struct rng r;
	double v[N];
	unsigned drift = 0, jump = 0;

	noise_seed(&r);
	for (unsigned t = 0; t < 200; t++) {
		struct trend tr;
		struct trend_change ch;
		noise_series(&r, v, N, 100, 0.02, 0.3);
		for (unsigned i = 0; i < N; i++)
			v[i] += 0.2 * i;
		assert_int_equal(trend_find(&(struct stats_values){v, N}, &tr), 0);
		drift += tr.p < 0.01 && fabs(tr.slope - 0.2) < 0.1;
		noise_series(&r, v, N, 100, 0.02, 0.3);
		for (unsigned i = 40; i < N; i++)
			v[i] -= 10;
		assert_int_equal(trend_change(&(struct stats_values){v, N}, &ch), 0);
		jump += ch.p < 0.01 && ch.at >= 36 && ch.at <= 44 &&
			fabs(ch.before - ch.after - 10) < 3;
	}
	print_message("%u drifts, %u jumps of 200\n", drift, jump);
	assert_true(drift >= 190 && jump >= 180);
}

static void a_start_on_another_level_is_told_from_noise(void **state)
{
	struct rng r;
	double v[N];
	struct trend_settle se;

	noise_seed(&r);
	for (unsigned k = 0; k < 3; k++) {
		unsigned wrong = 0, found = 0;
		for (unsigned t = 0; t < TRIALS; t++) {
			noise_series(&r, v, N, 100, 0.05, k * 0.4);
			assert_int_equal(trend_settling(&(struct stats_values){v, N}, &se), 0);
			wrong += se.p < 0.01 && fabs(se.head - se.tail) > 5;
			/* It climbs over the first tenth. */
			for (unsigned i = 0; i < N / 10; i++)
				v[i] -= 50 * exp(-(double)i / 3);
			assert_int_equal(trend_settling(&(struct stats_values){v, N}, &se), 0);
			found += se.p < 0.01 && se.head < se.tail - 5 && se.until <= N / 5;
		}
		print_message("rho %.1f: %u called settling, %u of those that do, of %u\n", k * 0.4,
			      wrong, found, TRIALS);
		assert_true(wrong <= TRIALS * 2 / 100);
		assert_true(found >= TRIALS * (k == 2 ? 50u : 95u) / 100);
	}
}

static void constant_series_do_neither(void **state)
{
	double v[N] = {0};
	struct trend tr;
	struct trend_change ch;
	struct trend_settle se;

	assert_int_equal(trend_find(&(struct stats_values){v, N}, &tr), 0);
	assert_true(tr.p == 1 && tr.slope == 0);
	assert_int_equal(trend_change(&(struct stats_values){v, N}, &ch), 0);
	assert_true(ch.p == 1 && ch.before == ch.after);
	assert_int_equal(trend_settling(&(struct stats_values){v, N}, &se), 0);
	assert_true(se.p == 1);
	assert_int_equal(trend_settling(&(struct stats_values){v, 19}, &se), -EINVAL);
	assert_int_equal(trend_find(&(struct stats_values){v, 7}, &tr), -EINVAL);
	assert_int_equal(trend_change(&(struct stats_values){v, 7}, &ch), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady_series_are_seldom_called_drifting_or_jumping),
		cmocka_unit_test(a_drift_and_a_jump_are_found_where_they_are),
		cmocka_unit_test(a_start_on_another_level_is_told_from_noise),
		cmocka_unit_test(constant_series_do_neither),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
