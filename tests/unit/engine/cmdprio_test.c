/* Priorities of single I/Os. */
#include "rig.h"

enum { BLOCK = 4096 };

static void priorities_are_drawn_at_their_share(void **state)
{
	static const char *const engines[] = {"libaio", "io_uring"};

	for (int k = 0; k < 2; k++) {
		int fd = rig_file(BLOCK, NULL), n = 0;
		struct rig r;

		rig_init(&r, engines[k], 1, BLOCK);
		rig_option(&r, "cmdprio_percentage", "25");
		rig_option(&r, "cmdprio_class", "2");
		rig_option(&r, "cmdprio", "3");
		rig_open(&r);
		rig_attach(&r, fd, BLOCK);
		for (int i = 0; i < 400; i++) {
			assert_int_equal(rig_do(&r, IO_READ, 0, BLOCK), BLOCK);
			if (!(r.s.ios[0].flags & IO_PRIO))
				continue;
			assert_int_equal(r.s.ios[0].prio, 2 << 13 | 3);
			n++;
		}
		/* Seed 7: a fixed number within five deviations of 100. */
		assert_in_range(n, 57, 143);
		rig_close(&r);
		close(fd);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(priorities_are_drawn_at_their_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
