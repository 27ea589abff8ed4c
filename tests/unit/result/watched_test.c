/* What workers saw of the machine, put together. */
#include "result/watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

/* Four workers of a job see the same thief, the same stop, the same foreign I/O: it happened once.
 * What each of them waited adds up. */
static void what_all_saw_counts_once(void **state)
{
	static const struct {
		enum disturbance kind;
		unsigned times;
	} rows[] = {
		{DISTURB_CPU_WAIT, 4}, {DISTURB_PREEMPT, 4}, {DISTURB_STEAL, 1},
		{DISTURB_IRQ, 1},      {DISTURB_MEMORY, 1},  {DISTURB_OTHER_IO, 1},
		{DISTURB_IOWQ, 1},     {DISTURB_STOPPED, 1}, {DISTURB_REMOTE, 4},
	};
	struct watched one = {.on = true, .seconds = 10}, all = {0};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		watched_mark(&one.kind[rows[i].kind], 3, 1000, true);
	one.device = (struct watched_device){.ios = 5000, .bytes = 20000, .foreign_bytes = 4000};
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(watched_merge(&all, &one), 0);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(all.kind[rows[i].kind].amount, 1000 * rows[i].times);
		assert_int_equal(all.kind[rows[i].kind].seconds, 4);
	}
	assert_int_equal(all.seconds, 40);
	assert_memory_equal(&all.device, &one.device, sizeof(all.device));
}

static void the_tightest_crowd_stands_for_all(void **state)
{
	static const struct watched_competition in[] = {{0, 0}, {4, 2}, {3, 2},
							{5, 1}, {0, 0}, {6, 2}};
	struct watched all = {0};

	(void)state;
	for (unsigned i = 0; i < sizeof(in) / sizeof(in[0]); i++) {
		struct watched one = {.competition = in[i]};
		assert_int_equal(watched_merge(&all, &one), 0);
	}
	assert_int_equal(all.competition.workers, 5);
	assert_int_equal(all.competition.cpus, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_all_saw_counts_once),
		cmocka_unit_test(the_tightest_crowd_stands_for_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
