#include "report/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#define SECOND 1000000000u

static void expect(struct status_line *s, const struct progress *p, const char *want)
{
	struct str out;

	str_init(&out, 4096);
	status_line(s, p, &out);
	assert_false(out.bad);
	assert_string_equal(out.s, want);
	str_release(&out);
}

static void only_the_number_of_jobs_in_the_first_three_seconds(void **state)
{
	struct status_line s = {.kb_base = 1024};
	struct progress p = {
		.running = 1, .open_files = 1, .now_ns = 2999999999u, .states = "R", .states_n = 1};

	expect(&s, &p, "Jobs: 1 (f=1)");
}

/* Lines as fio 3.33 prints them. */
static void rates_are_since_the_previous_line(void **state)
{
	struct status_line s = {.kb_base = 1024};
	struct progress p = {.running = 3,
			     .open_files = 3,
			     .now_ns = 2ull * SECOND,
			     .states = "mWW",
			     .states_n = 3};

	p.rate_iops_max = 1600;
	p.bytes[0] = 1000000;
	p.ios[0] = 500;
	expect(&s, &p, "Jobs: 3 (f=3), 0-1600 IOPS");

	p.now_ns = 3ull * SECOND;
	p.done = 0.75;
	p.eta_ns = SECOND;
	p.bytes[0] += 2004 * 1024;
	p.ios[0] += 501;
	p.bytes[1] = 4404 * 1024;
	p.ios[1] = 1101;
	expect(&s, &p,
	       "Jobs: 3 (f=3), 0-1600 IOPS: "
	       "[m(1),W(2)][75.0%][r=2004KiB/s,w=4404KiB/s][r=501,w=1101 IOPS]"
	       "[eta 00m:01s]");
}

static void a_shorter_line_covers_the_longer_one(void **state)
{
	struct status_line s = {.kb_base = 1024};
	struct progress p = {.running = 10, .open_files = 100, .states = "", .now_ns = 1};

	expect(&s, &p, "Jobs: 10 (f=100)");
	p.running = 1;
	p.open_files = 1;
	expect(&s, &p, "Jobs: 1 (f=1)   ");
}

static void what_is_unknown_is_said(void **state)
{
	struct status_line s = {.kb_base = 1024};
	struct progress p = {.running = 2,
			     .open_files = 0,
			     .now_ns = 4ull * SECOND,
			     .states = "PC",
			     .states_n = 2};

	p.done = -1;
	p.eta_ns = UINT64_MAX;
	expect(&s, &p, "Jobs: 2 (f=0): [P(1),C(1)][-.-%][eta --]");
}

static void long_times_show_hours_and_days(void **state)
{
	struct status_line s = {.kb_base = 1024};
	struct progress p = {.running = 1,
			     .open_files = 1,
			     .now_ns = 4ull * SECOND,
			     .states = "R",
			     .states_n = 1};

	p.eta_ns = 3661ull * SECOND;
	expect(&s, &p, "Jobs: 1 (f=1): [R(1)][0.0%][eta 01h:01m:01s]");
	s.width = 0;
	p.now_ns += SECOND;
	p.eta_ns = 90000ull * SECOND;
	expect(&s, &p, "Jobs: 1 (f=1): [R(1)][0.0%][eta 01d:01h:00m:00s]");
}

/* A stall is news: the direction stays in the line. Bits when asked for. */
static void a_direction_that_stands_still_stays(void **state)
{
	struct status_line s = {.kb_base = 1024, .bits = true};
	struct progress p = {.running = 1,
			     .open_files = 1,
			     .now_ns = 4ull * SECOND,
			     .states = "R",
			     .states_n = 1};

	p.rate_min = 1 << 20;
	p.rate_max = 100 << 20;
	p.bytes[0] = 400ull << 20;
	p.ios[0] = 400;
	expect(&s, &p,
	       "Jobs: 1 (f=1), 1024KiB/s-100MiB/s: [R(1)][0.0%][r=800Mibit/s][r=100 IOPS][eta "
	       "00m:00s]");
	p.now_ns += SECOND;
	s.width = 0;
	expect(&s, &p,
	       "Jobs: 1 (f=1), 1024KiB/s-100MiB/s: [R(1)][0.0%][r=0bit/s][r=0 IOPS][eta 00m:00s]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_number_of_jobs_in_the_first_three_seconds),
		cmocka_unit_test(rates_are_since_the_previous_line),
		cmocka_unit_test(a_shorter_line_covers_the_longer_one),
		cmocka_unit_test(what_is_unknown_is_said),
		cmocka_unit_test(long_times_show_hours_and_days),
		cmocka_unit_test(a_direction_that_stands_still_stays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
