#include "base/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"

#include <errno.h>

static void values_gather_in_windows(void **state)
{
	struct series s;

	assert_int_equal(series_init(&s, 100, 8), 0);
	series_add(&s, 0, 3);
	series_add(&s, 99, 5);
	series_add(&s, 250, -1);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.points[0].n, 2);
	assert_true(s.points[0].sum == 8 && s.points[0].min == 3 && s.points[0].max == 5);
	assert_true(series_mean(&s.points[0]) == 4);
	assert_int_equal(s.points[1].n, 0);
	assert_true(series_mean(&s.points[1]) == 0);
	assert_true(s.points[2].min == -1 && s.points[2].max == -1);
	series_release(&s);
}

static void full_series_doubles_its_windows(void **state)
{
	struct series s;

	assert_int_equal(series_init(&s, 10, 4), 0);
	for (uint64_t t = 0; t < 40; t += 10)
		series_add(&s, t, (double)t);
	assert_int_equal(s.n, 4);
	series_add(&s, 40, 40);
	assert_int_equal(s.period_ns, 20);
	assert_int_equal(s.n, 3);
	assert_true(s.points[0].n == 2 && s.points[0].sum == 10 && s.points[0].max == 10);
	assert_true(s.points[1].n == 2 && s.points[1].sum == 50 && s.points[1].min == 20);
	assert_true(s.points[2].n == 1 && s.points[2].sum == 40);
	assert_int_equal(s.points[3].n, 0);
	series_release(&s);
}

static void nothing_is_lost_however_long_it_runs(void **state)
{
	struct series s;
	struct rng r;
	double sum = 0, got = 0;
	uint64_t n = 0, end = 0;

	print_message("seed 8\n");
	rng_seed(&r, 8);
	assert_int_equal(series_init(&s, 1000, 101), 0);
	assert_int_equal(s.cap, 102);
	for (uint64_t t = 0; t < UINT64_MAX / 4; t += t / 50 + 100) {
		double v = (double)rng_below(&r, 1000);
		series_add(&s, t, v);
		sum += v;
		n++;
		end = t;
		assert_true(s.n <= s.cap);
	}
	series_add(&s, UINT64_MAX, 1);
	series_add(&s, 0, 1);
	for (size_t i = 0; i < s.n; i++) {
		got += s.points[i].sum;
		n -= s.points[i].n;
	}
	assert_true(got == sum + 2);
	assert_true(n + 2 == 0);
	assert_true(end / s.period_ns < s.cap);
	assert_true(s.n > s.cap / 2);
	series_release(&s);
}

static void windows_do_not_depend_on_the_order_of_values(void **state)
{
	struct series a, b;

	assert_int_equal(series_init(&a, 7, 16), 0);
	assert_int_equal(series_init(&b, 7, 16), 0);
	for (uint64_t i = 0; i < 1000; i++) {
		series_add(&a, i * 13, (double)(i % 17));
		series_add(&b, (999 - i) * 13, (double)((999 - i) % 17));
	}
	assert_int_equal(a.n, b.n);
	assert_int_equal(a.period_ns, b.period_ns);
	assert_memory_equal(a.points, b.points, a.n * sizeof(*a.points));
	series_release(&a);
	series_release(&b);
}

static void no_period_is_refused(void **state)
{
	struct series s;

	assert_int_equal(series_init(&s, 0, 10), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_gather_in_windows),
		cmocka_unit_test(full_series_doubles_its_windows),
		cmocka_unit_test(nothing_is_lost_however_long_it_runs),
		cmocka_unit_test(windows_do_not_depend_on_the_order_of_values),
		cmocka_unit_test(no_period_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
