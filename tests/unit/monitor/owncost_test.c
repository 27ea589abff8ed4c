#include "monitor/owncost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* A clock that moves on by `step` with each reading, and by `jump` more with some of them. */
static struct {
	uint64_t now, step, jump, readings, every;
} made;

static uint64_t read_made(const struct clock *c)
{
	(void)c;
	made.now += made.step;
	if (made.jump && ++made.readings % made.every == 0)
		made.now += made.jump;
	return made.now;
}

static void an_io_costs_two_readings_of_the_clock_at_least(void **state)
{
	struct clock c = {.kind = CLOCK_KIND_MONOTONIC, .read = read_made};

	for (uint64_t step = 1; step < 5000; step = 2 * step + 1) {
		made.now = 0;
		made.step = step;
		assert_in_range(owncost_measure(&c), 2 * step, 2 * step + step / 256 + 1);
	}
}

static void what_disturbed_a_round_does_not_count(void **state)
{
	struct clock c = {.kind = CLOCK_KIND_MONOTONIC, .read = read_made};

	made.now = made.readings = 0;
	made.step = 10;
	made.jump = 50000;
	made.every = 2000; /* about every second round */
	assert_in_range(owncost_measure(&c), 20, 21);
	made.jump = 0;
}

static void simulated_time_costs_nothing(void **state)
{
	struct clock c;

	clock_init_virtual(&c, 0);
	assert_int_equal(owncost_measure(&c), 0);
}

static void this_machine_needs_some_time_for_an_io(void **state)
{
	struct clock c;

	assert_int_equal(clock_init(&c, -1), 0);
	uint64_t ns = owncost_measure(&c);
	print_message("%llu ns an I/O\n", (unsigned long long)ns);
	assert_in_range(ns, 1, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_io_costs_two_readings_of_the_clock_at_least),
		cmocka_unit_test(what_disturbed_a_round_does_not_count),
		cmocka_unit_test(simulated_time_costs_nothing),
		cmocka_unit_test(this_machine_needs_some_time_for_an_io),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
