#include "log/logline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hist.h"
#include "base/rng.h"
#include "engine/io.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(const struct logline_style *s, const struct log_rec *r, const char *want)
{
	char line[LOGLINE_MAX + 1];

	*logline_record(line, s, r) = '\0';
	assert_string_equal(line, want);
}

static void one_line_for_each_io(void **state)
{
	const struct logline_style plain = {0},
				   full = {.offset = true, .prio = true, .issue = true};
	struct log_rec r = {.time_ns = 12999999,
			    .value = 37891,
			    .offset = 8192,
			    .issue_ns = 77,
			    .len = 4096,
			    .prio = 0x4003};

	r.kind = LOGK_CLAT;
	r.dir = 1;
	expect(&plain, &r, "12, 37891, 1, 4096, 0\n");
	expect(&full, &r, "12, 37891, 1, 4096, 8192, 0x4003, 77\n");
	r.prio = 0x2004;
	expect(&plain, &r, "12, 37891, 1, 4096, 1\n");
	r.kind = LOGK_IOPS;
	r.value = 1;
	expect(&full, &r, "12, 1, 1, 4096, 8192, 0x2004, 0\n");
	r.kind = LOGK_BW;
	r.value = 108099 * 1024ull;
	expect(&plain, &r, "12, 108099, 1, 4096, 1\n");
}

static void one_line_for_each_window(void **state)
{
	const struct logline_style s = {.averaged = true, .offset = true};
	const struct logline_style both = {.averaged = true, .max = true, .issue = true};
	struct log_rec r = {.time_ns = 100000000,
			    .value = 1000500,
			    .max = 2000499,
			    .offset = 1,
			    .issue_ns = 2,
			    .len = 3};

	r.kind = LOGK_IOPS;
	expect(&s, &r, "100, 1001, 0, 0, 0, 0\n");
	expect(&both, &r, "100, 1001, 2000, 0, 0, 0, 0\n");
	r.kind = LOGK_BW;
	r.value = 1024 * 500 + 511;
	expect(&s, &r, "100, 500, 0, 0, 0, 0\n");
	r.value++;
	expect(&s, &r, "100, 501, 0, 0, 0, 0\n");
}

static void an_epoch_shifts_the_time(void **state)
{
	const struct logline_style s = {.epoch_ns = 1796023431143000000};
	const struct log_rec r = {.time_ns = 5000000, .value = 9, .kind = LOGK_LAT, .len = 512};

	expect(&s, &r, "1796023431148, 9, 0, 512, 0\n");
}

/* Own number formatting agrees with that of the C library, and the widest line fits. */
static void numbers_are_those_of_printf(void **state)
{
	const struct logline_style s = {.max = true, .offset = true, .prio = true, .issue = true};
	struct rng rng; /* seed 3 */

	rng_seed(&rng, 3);
	for (unsigned i = 0; i < 20000; i++) {
		char want[256];
		struct log_rec r = {
			.value = rng_next(&rng) >> rng_below(&rng, 64),
			.max = i == 0 ? UINT64_MAX : rng_next(&rng) >> rng_below(&rng, 64),
			.offset = i == 0 ? UINT64_MAX : rng_next(&rng) >> rng_below(&rng, 64),
			.issue_ns = i == 0 ? UINT64_MAX : rng_below(&rng, 1000),
			.time_ns = rng_next(&rng) >> rng_below(&rng, 64),
			.len = (uint32_t)rng_next(&rng),
			.prio = (uint16_t)rng_next(&rng),
			.dir = 2,
			.kind = LOGK_SLAT};
		(void)snprintf(want, sizeof(want),
			       "%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", 2, %u, %" PRIu64
			       ", 0x%04x, %" PRIu64 "\n",
			       r.time_ns / 1000000, r.value, r.max, r.len, r.offset, r.prio,
			       r.issue_ns);
		expect(&s, &r, want);
	}
}

/* fio prints 1856 counts; what it cannot show is counted in the last. Every sample is in a line. */
static void histogram_lines_fold_what_fio_has_no_column_for(void **state)
{
	const struct logline_style s = {0};
	static uint64_t counts[HIST_BUCKETS];
	char *line = malloc(LOGLINE_HIST_MAX);

	assert_non_null(line);
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		counts[i] = i % 7;
	uint64_t total = 0;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		total += counts[i];
	for (unsigned c = 0; c <= 6; c++) {
		char *end = logline_hist(line, &s, c, 402999999, 1, 4096, counts);
		unsigned columns = 0;
		uint64_t sum = 0;

		assert_int_equal(end[-1], '\n');
		end[-1] = '\0';
		assert_memory_equal(line, "402, 1, 4096, ", 14);
		for (char *p = line + 12; p && *p == ','; columns++)
			sum += strtoull(p + 2, &p, 10);
		assert_int_equal(columns, 1856 >> c);
		assert_int_equal(sum, total);
	}
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		counts[i] = UINT64_MAX / HIST_BUCKETS;
	assert_true(logline_hist(line, &s, 0, UINT64_MAX, 1, UINT32_MAX, counts) - line <=
		    LOGLINE_HIST_MAX);
	free(line);
}

static void iolog_lines_are_version_three(void **state)
{
	static const struct {
		uint8_t what;
		const char *want;
	} rows[] = {
		{IOLOG_ADD, "15 f/a add\n"},
		{IOLOG_OPEN, "15 f/a open\n"},
		{IOLOG_CLOSE, "15 f/a close\n"},
		{IO_READ, "15 f/a read 4096 512\n"},
		{IO_WRITE, "15 f/a write 4096 512\n"},
		{IO_TRIM, "15 f/a trim 4096 512\n"},
		{IO_FSYNC, "15 f/a sync 4096 512\n"},
		{IO_FDATASYNC, "15 f/a datasync 4096 512\n"},
		{IO_SYNC_RANGE, "15 f/a sync 4096 512\n"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct log_rec r = {.time_ns = 15999,
				    .offset = 4096,
				    .len = 512,
				    .kind = LOGK_IOLOG,
				    .dir = rows[i].what};
		char line[LOGLINE_MAX + 8];
		*logline_iolog(line, &r, "f/a", 3) = '\0';
		assert_string_equal(line, rows[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_line_for_each_io),
		cmocka_unit_test(one_line_for_each_window),
		cmocka_unit_test(an_epoch_shifts_the_time),
		cmocka_unit_test(numbers_are_those_of_printf),
		cmocka_unit_test(histogram_lines_fold_what_fio_has_no_column_for),
		cmocka_unit_test(iolog_lines_are_version_three),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
