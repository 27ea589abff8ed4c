/* The letters of workers, by report entry. */
#include "result/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void every_letter_belongs_to_one_entry(void **state)
{
	static const unsigned entries[] = {0, 1, 0, 2, 1};
	const struct progress p = {.states = "RwX_P", .states_n = 5, .entries = entries};
	unsigned at = 0;

	assert_int_equal(progress_letter(&p, 0, &at), 'R');
	assert_int_equal(progress_letter(&p, 0, &at), 'X');
	assert_int_equal(progress_letter(&p, 0, &at), '\0');
	at = 1;
	assert_int_equal(progress_letter(&p, 1, &at), 'w');
	assert_int_equal(progress_letter(&p, 1, &at), 'P');
	at = 0;
	assert_int_equal(progress_letter(&p, 2, &at), '_');
	assert_int_equal(progress_letter(&p, 3, &at), '\0');
}

static void waiting_and_ended_workers_do_not_run(void **state)
{
	for (const char *c = "PCIp_EXK"; *c; c++)
		assert_false(progress_running(*c));
	for (const char *c = "/rRwWmMdDFV"; *c; c++)
		assert_true(progress_running(*c) && !progress_ended(*c));
	assert_true(progress_ended('_') && progress_ended('X') && progress_ended('K'));
	assert_false(progress_ended('P') || progress_ended('\0') || progress_running('\0'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_letter_belongs_to_one_entry),
		cmocka_unit_test(waiting_and_ended_workers_do_not_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
