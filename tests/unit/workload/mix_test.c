#include "rig.h"
#include "workload/mix.h"

static void the_share_is_kept_at_any_time(void **state)
{
	static const double shares[] = {1, 30, 50, 70, 99.5};
	for (unsigned k = 0; k < 5; k++) {
		struct mix m;
		double reads = 0;
		mix_init(&m, shares[k], RIG_SEED + k);
		for (unsigned i = 1; i <= 100000; i++) {
			unsigned d = mix_draw(&m);
			mix_took(&m, d);
			reads += d == DIR_READ;
			assert_true(reads - i * shares[k] / 100 < 9.01 &&
				    reads - i * shares[k] / 100 > -9.01);
		}
	}
}

static void all_and_nothing_are_exact(void **state)
{
	struct mix all, none;
	mix_init(&all, 100, RIG_SEED);
	mix_init(&none, 0, RIG_SEED);
	for (unsigned i = 0; i < 100000; i++) {
		unsigned a = mix_draw(&all), b = mix_draw(&none);
		mix_took(&all, a);
		mix_took(&none, b);
		assert_int_equal(a, DIR_READ);
		assert_int_equal(b, DIR_WRITE);
	}
}

/* Runs of equal directions are those of fair draws: no alternation. */
static void directions_stay_random(void **state)
{
	struct mix m;
	unsigned changes = 0, last = 9;
	mix_init(&m, 50, RIG_SEED);
	for (unsigned i = 0; i < 100000; i++) {
		unsigned d = mix_draw(&m);
		mix_took(&m, d);
		changes += d != last;
		last = d;
	}
	assert_true(changes > 49000 && changes < 53000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_share_is_kept_at_any_time),
		cmocka_unit_test(all_and_nothing_are_exact),
		cmocka_unit_test(directions_stay_random),
	};
	print_message("seed %llu\n", (unsigned long long)RIG_SEED);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
