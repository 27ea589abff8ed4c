#include "base/signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <time.h>

static void each_of_them_is_seen_until_it_is_taken(void **state)
{
	static const int all[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
	const struct timespec now = {0};
	sigset_t set;

	(void)state;
	signals_ending(&set);
	assert_int_equal(sigprocmask(SIG_BLOCK, &set, NULL), 0);
	assert_int_equal(signals_pending(), 0);
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		raise(all[i]);
		assert_int_equal(signals_pending(), all[i]);
		assert_int_equal(sigtimedwait(&set, NULL, &now), all[i]);
		assert_int_equal(signals_pending(), 0);
	}
	assert_int_equal(sigismember(&set, SIGUSR1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_of_them_is_seen_until_it_is_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
