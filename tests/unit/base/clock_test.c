#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void virtual_clock_says_what_it_is_told(void **state)
{
	struct clock c;

	clock_init_virtual(&c, 1000);
	assert_int_equal(clock_now(&c), 0);
	c.virtual_now = 12345;
	assert_int_equal(clock_now(&c), 12345);
	assert_int_equal(clock_wall(&c, clock_now(&c)), 13345);
	assert_true(clock_drift_ppm(&c) == 0);
	clock_restart(&c);
	assert_int_equal(clock_now(&c), 0);
	assert_int_equal(clock_wall(&c, 0), 13345);
}

static void real_clocks_go_forward_from_their_epoch(void **state)
{
	for (int want = -1; want <= CLOCK_KIND_MONOTONIC; want++) {
		struct clock c;
		assert_int_equal(clock_init(&c, want), 0);
		if (want == CLOCK_KIND_MONOTONIC)
			assert_int_equal(c.kind, CLOCK_KIND_MONOTONIC);
		uint64_t last = clock_now(&c);
		assert_true(last < (uint64_t)600 * 1000000000);
		for (int i = 0; i < 100000; i++) {
			uint64_t now = clock_now(&c);
			assert_true(now >= last);
			last = now;
		}
		assert_true(last > 0);
		/* Bounds that hold on a slow machine too; NTP may slew by 500 ppm. */
		clock_restart(&c);
		assert_true(clock_now(&c) < (uint64_t)600 * 1000000000);
		assert_true(clock_wall(&c, 0) > UINT64_C(1500000000) * 1000000000);
		if (c.kind == CLOCK_KIND_TSC)
			print_message("TSC %.6f GHz\n", c.tsc_hz / 1e9);
		else
			assert_true(clock_drift_ppm(&c) == 0);
	}
}

/* A clock that moves on with its readings, by what `steps` says in turn. */
static struct {
	const uint64_t *steps;
	unsigned n, at;
	uint64_t now;
} made;

static uint64_t read_made(const struct clock *c)
{
	(void)c;
	made.now += made.steps[made.at++ % made.n];
	return made.now;
}

static uint64_t resolution_of(const uint64_t *steps, unsigned n)
{
	struct clock c = {.kind = CLOCK_KIND_MONOTONIC, .read = read_made};

	made.steps = steps;
	made.n = n;
	made.at = 0;
	return clock_resolution(&c);
}

static void the_smallest_step_is_the_resolution(void **state)
{
	static const uint64_t even[] = {30}, coarse[] = {0, 0, 0, 4000}, mixed[] = {50, 0, 7, 300},
			      still[] = {0};
	struct clock c;

	assert_int_equal(resolution_of(even, 1), 30);
	assert_int_equal(resolution_of(coarse, 4), 4000);
	assert_int_equal(resolution_of(mixed, 4), 7);
	assert_int_equal(resolution_of(still, 1), 0);
	clock_init_virtual(&c, 0);
	assert_int_equal(clock_resolution(&c), 1);
	for (int want = -1; want <= CLOCK_KIND_MONOTONIC; want++) {
		assert_int_equal(clock_init(&c, want), 0);
		print_message("resolution %llu ns\n", (unsigned long long)clock_resolution(&c));
		assert_true(clock_resolution(&c) > 0);
	}
}

static void affinity_is_left_as_it_was(void **state)
{
	cpu_set_t before, after;
	struct clock c;

	if (sched_getaffinity(0, sizeof(before), &before))
		skip();
	assert_int_equal(clock_init(&c, -1), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
}

static void nonsense_is_refused(void **state)
{
	struct clock c;

	assert_int_equal(clock_init(&c, CLOCK_KIND_VIRTUAL), -EINVAL);
	assert_int_equal(clock_init(&c, 7), -EINVAL);
	assert_int_equal(clock_init(&c, -2), -EINVAL);
}

static void file_write(const char *root, const char *path, const char *text)
{
	char full[300];

	(void)snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *at = full + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		(void)mkdir(full, 0700);
		*at = '/';
	}
	FILE *f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void the_counter_is_trusted_only_with_all_its_marks(void **state)
{
	static const char source[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
#if defined(__x86_64__)
	static const char good[] =
		"processor\t: 0\nflags\t\t: fpu tsc constant_tsc nopl nonstop_tsc\nbugs\t: x\n";
	char root[] = "/tmp/fathom-clock-XXXXXX", path[300];

	assert_non_null(mkdtemp(root));
	assert_false(clock_tsc_trusted(root));
	file_write(root, source, "tsc\n");
	assert_false(clock_tsc_trusted(root));
	file_write(root, "/proc/cpuinfo", good);
	assert_true(clock_tsc_trusted(root));
	file_write(root, "/proc/cpuinfo",
		   "processor\t: 0\nflags\t\t: constant_tsc\nmore\t: nonstop_tsc\n");
	assert_false(clock_tsc_trusted(root));
	file_write(root, "/proc/cpuinfo",
		   "processor\t: 0\nflags\t\t: constant_tsc xnonstop_tsc nonstop_tsc2\n");
	assert_false(clock_tsc_trusted(root));
	file_write(root, "/proc/cpuinfo", "processor\t: 0\nflags\t\t: nonstop_tsc constant_tsc");
	assert_true(clock_tsc_trusted(root));
#else
	char root[] = "/tmp/fathom-clock-XXXXXX", path[300];

	assert_non_null(mkdtemp(root));
	assert_false(clock_tsc_trusted(root));
	file_write(root, "/proc/cpuinfo", "processor\t: 0\n");
	file_write(root, source, "tsc\n");
	assert_false(clock_tsc_trusted(root));
	file_write(root, source, "arch_sys_counter\n");
#if defined(__aarch64__)
	assert_true(clock_tsc_trusted(root));
#else
	assert_false(clock_tsc_trusted(root));
#endif
#endif
	file_write(root, source, "hpet\n");
	assert_false(clock_tsc_trusted(root));

	(void)snprintf(path, sizeof(path), "%s%s", root, source);
	(void)unlink(path);
	for (char *end; (end = strrchr(path, '/')) && end > path + strlen(root);) {
		*end = '\0';
		(void)rmdir(path);
	}
	(void)snprintf(path, sizeof(path), "%s/proc/cpuinfo", root);
	(void)unlink(path);
	*strrchr(path, '/') = '\0';
	(void)rmdir(path);
	assert_int_equal(rmdir(root), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(virtual_clock_says_what_it_is_told),
		cmocka_unit_test(real_clocks_go_forward_from_their_epoch),
		cmocka_unit_test(the_smallest_step_is_the_resolution),
		cmocka_unit_test(affinity_is_left_as_it_was),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(the_counter_is_trusted_only_with_all_its_marks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
