#include "base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define KIB ((uint64_t)1024)
#define SEC ((uint64_t)1000000000)

struct good {
	const char *text;
	uint64_t v1024, v1000;
	unsigned notes; /* for 1024 */
};

static void sizes_follow_the_suffix_table(void **state)
{
	static const struct good good[] = {
		{"0", 0, 0, 0},
		{"512", 512, 512, 0},
		{"+7", 7, 7, 0},
		{"1b", 1, 1, 0},
		{"1B", 1, 1, 0},
		{"4k", 4096, 4000, 0},
		{"4K", 4096, 4000, 0},
		{"4kb", 4096, 4000, 0},
		{"4KB", 4096, 4000, 0},
		{"4ki", 4096, 4096, 0},
		{"4Ki", 4096, 4096, 0},
		{"4kib", 4000, 4096, UNITS_IEC_SWAPPED},
		{"4KiB", 4000, 4096, UNITS_IEC_SWAPPED},
		{"1m", KIB * KIB, 1000000, 0},
		{"1MiB", 1000000, KIB * KIB, UNITS_IEC_SWAPPED},
		{"2g", 2 * KIB * KIB * KIB, 2000000000, 0},
		{"2Gi", 2 * KIB * KIB * KIB, 2 * KIB * KIB * KIB, 0},
		{"3t", 3 * KIB * KIB * KIB * KIB, 3000000000000, 0},
		{"1tb", KIB * KIB * KIB * KIB, 1000000000000, 0},
		{"1p", KIB * KIB * KIB * KIB * KIB, 1000000000000000, 0},
		{"1pib", 1000000000000000, KIB * KIB * KIB * KIB * KIB, UNITS_IEC_SWAPPED},
		{"0x10", 16, 16, 0},
		{"0X1F", 31, 31, 0},
		{"0x10b", 0x10b, 0x10b, 0},
		{"0x10k", 16 * KIB, 16000, 0},
		{"1.5m", 1572864, 1500000, 0},
		{"0.5k", 512, 500, 0},
		{".5k", 512, 500, 0},
		{"1.0", 1, 1, 0},
		{"18446744073709551615", UINT64_MAX, UINT64_MAX, 0},
		{"0xffffffffffffffff", UINT64_MAX, UINT64_MAX, 0},
		{"16383p", 16383 * KIB * KIB * KIB * KIB * KIB, 16383000000000000000u, 0},
		{"007", 7, 7, 0},
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		uint64_t v = 99;
		unsigned notes = 99;
		if (units_parse_size(good[i].text, 1024, &v, &notes) || v != good[i].v1024 ||
		    notes != good[i].notes)
			fail_msg("%s: %llu notes %u", good[i].text, (unsigned long long)v, notes);
		if (units_parse_size(good[i].text, 1000, &v, &notes) || v != good[i].v1000 || notes)
			fail_msg("%s with kb_base 1000: %llu notes %u", good[i].text,
				 (unsigned long long)v, notes);
	}
}

static void wrong_sizes_are_refused_and_leave_the_output(void **state)
{
	static const struct {
		const char *text;
		int ret;
	} bad[] = {
		{"", -EINVAL},
		{" 4k", -EINVAL},
		{"4k ", -EINVAL},
		{"4 k", -EINVAL},
		{"16mfoo", -EINVAL},
		{"4kk", -EINVAL},
		{"4x", -EINVAL},
		{"4kib1", -EINVAL},
		{"1e3", -EINVAL},
		{"-4k", -EINVAL},
		{"-0", -EINVAL},
		{"--4", -EINVAL},
		{"k", -EINVAL},
		{".", -EINVAL},
		{"1.", -EINVAL},
		{".k", -EINVAL},
		{"1.5", -EINVAL},
		{"1.0001k", -EINVAL},
		{"1..5k", -EINVAL},
		{"1.5.5k", -EINVAL},
		{"0x", -EINVAL},
		{"0xg", -EINVAL},
		{"0x1.8k", -EINVAL},
		{"50%", -EINVAL},
		{"2z", -EINVAL},
		{"1,5k", -EINVAL},
		{"0.00000000000000000000000000001k", -EINVAL},
		{"18446744073709551616", -ERANGE},
		{"0x10000000000000000", -ERANGE},
		{"16384p", -ERANGE},
		{"99999999999999999999999999", -ERANGE},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint64_t v = 99;
		unsigned notes = 99;
		int ret = units_parse_size(bad[i].text, 1024, &v, &notes);
		if (ret != bad[i].ret || v != 99 || notes != 99)
			fail_msg("\"%s\": %d, %llu", bad[i].text, ret, (unsigned long long)v);
	}
}

static void integers_may_be_negative(void **state)
{
	int64_t v;
	unsigned notes;

	assert_int_equal(units_parse_int("-8k", 1024, &v, &notes), 0);
	assert_int_equal(v, -8192);
	assert_int_equal(units_parse_int("-1", 1024, &v, NULL), 0);
	assert_int_equal(v, -1);
	assert_int_equal(units_parse_int("1kib", 1024, &v, &notes), 0);
	assert_int_equal(v, 1000);
	assert_int_equal(notes, UNITS_IEC_SWAPPED);
	assert_int_equal(units_parse_int("9223372036854775807", 1024, &v, NULL), 0);
	assert_true(v == INT64_MAX);
	assert_int_equal(units_parse_int("-9223372036854775808", 1024, &v, NULL), 0);
	assert_true(v == INT64_MIN);
	assert_int_equal(units_parse_int("9223372036854775808", 1024, &v, NULL), -ERANGE);
	assert_int_equal(units_parse_int("-9223372036854775809", 1024, &v, NULL), -ERANGE);
	assert_int_equal(units_parse_int("-", 1024, &v, NULL), -EINVAL);
	assert_int_equal(units_parse_int("1.5", 1024, &v, NULL), -EINVAL);
	assert_true(v == INT64_MIN);
}

static void times_follow_their_suffix(void **state)
{
	static const struct {
		const char *text;
		uint64_t unit, ns;
	} good[] = {
		{"10", SEC, 10 * SEC},
		{"10", 1000, 10000},
		{"10sec", 1000, 10 * SEC},
		{"10S", 1000, 10 * SEC},
		{"1.5", SEC, 1500000000},
		{"1.5s", 1000, 1500000000},
		{"0.3", SEC, 300000000},
		{"2m", SEC, 120 * SEC},
		{"2min", SEC, 120 * SEC},
		{"1h", SEC, 3600 * SEC},
		{"1hour", SEC, 3600 * SEC},
		{"1d", SEC, 86400 * SEC},
		{"1day", 1, 86400 * SEC},
		{"5ms", SEC, 5000000},
		{"5msec", SEC, 5000000},
		{"5us", SEC, 5000},
		{"5usec", SEC, 5000},
		{"5ns", SEC, 5},
		{"5NSEC", SEC, 5},
		{"0", SEC, 0},
		{"0.0", SEC, 0},
		{"0.1s", SEC, 100000000},
		{"0x10", SEC, 16 * SEC},
		{"0x10ms", SEC, 16000000},
		{"0.5us", SEC, 500},
		{"0.333333333333s", SEC, 333333333},
		{"0.30000000000000000000000000004s", SEC, 300000000},
	};
	static const char *const bad[] = {
		"",    "s",	"-1",  "-1s", "10secs", "10x",
		"1.s", "1s ",	"1 s", "1s1", "0.1ns",	"0.00000000000000000000000000000001s",
		"1e3", "2m30s", "5%"};
	uint64_t ns;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (units_parse_time(good[i].text, good[i].unit, &ns) || ns != good[i].ns)
			fail_msg("%s: %llu", good[i].text, (unsigned long long)ns);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ns = 99;
		if (units_parse_time(bad[i], SEC, &ns) != -EINVAL || ns != 99)
			fail_msg("%s: %llu", bad[i], (unsigned long long)ns);
	}
	assert_int_equal(units_parse_time("213503d", SEC, &ns), 0);
	assert_int_equal(units_parse_time("213504d", SEC, &ns), -ERANGE);
	assert_int_equal(units_parse_time("99999999999999999999999", SEC, &ns), -ERANGE);
}

static void percents_are_numbers_up_to_a_maximum(void **state)
{
	double v = -1;

	assert_int_equal(units_parse_percent("12", 100, &v), 0);
	assert_true(v == 12);
	assert_int_equal(units_parse_percent("12%", 100, &v), 0);
	assert_true(v == 12);
	assert_int_equal(units_parse_percent("12.5%", 100, &v), 0);
	assert_true(v == 12.5);
	assert_int_equal(units_parse_percent("100", 100, &v), 0);
	assert_int_equal(units_parse_percent("0", 100, &v), 0);
	assert_true(v == 0);
	assert_int_equal(units_parse_percent("101%", 100, &v), -ERANGE);
	assert_int_equal(units_parse_percent("99999999999999999999999", 1e30, &v), -ERANGE);
	assert_int_equal(units_parse_percent("-1", 100, &v), -EINVAL);
	assert_int_equal(units_parse_percent("0x10", 100, &v), -EINVAL);
	assert_int_equal(units_parse_percent("1%%", 100, &v), -EINVAL);
	assert_int_equal(units_parse_percent("%", 100, &v), -EINVAL);
	assert_int_equal(units_parse_percent("5k", 100, &v), -EINVAL);
	assert_true(v == 0);
}

static void numbers_print_in_fio_style(void **state)
{
	static const struct {
		uint64_t value;
		unsigned mult, digits;
		bool pow2;
		enum units_family family;
		const char *text;
	} rows[] = {
		{1234567, 1, 4, false, UNITS_NONE, "1235k"},
		{1536, 1, 4, true, UNITS_BYTES_SEC, "1536B/s"},
		{2097152, 1, 4, true, UNITS_BYTES_SEC, "2048KiB/s"},
		{62500, 1, 4, false, UNITS_NONE, "62.5k"},
		{516000, 1, 4, false, UNITS_NONE, "516k"},
		{1000, 1, 4, false, UNITS_NONE, "1000"},
		{32000, 1, 4, false, UNITS_NONE, "32.0k"},
		{1230000, 1, 4, false, UNITS_NONE, "1230k"},
		{12544, 1, 4, true, UNITS_BYTES, "12.2KiB"},
		{32000, 1, 4, true, UNITS_BYTES, "31.2KiB"},
		{12450, 1, 4, false, UNITS_BYTES, "12.5kB"},
		{10239, 1, 4, true, UNITS_BYTES, "10.00KiB"},
		{99951, 1, 4, false, UNITS_BYTES, "100.0kB"},
		{10250000000, 1, 4, false, UNITS_BYTES, "10.2GB"},
		{1826700, 1, 6, false, UNITS_NONE, "1826.7k"},
		{1677721600, 1, 4, true, UNITS_BYTES, "1600MiB"},
		{12345, 1024, 4, true, UNITS_BYTES, "12.1MiB"},
		{1048576, 8, 4, true, UNITS_BITS_SEC, "8192Kibit/s"},
		{1000000, 8, 4, false, UNITS_BITS_SEC, "8000kbit/s"},
		{7, 8, 4, false, UNITS_BITS, "56bit"},
		{UINT64_MAX, 1, 4, true, UNITS_BYTES, "16.0EiB"},
		{UINT64_MAX, 1, 10, false, UNITS_NONE, "18446744.1T"},
		{0, 1, 4, true, UNITS_BYTES, "0B"},
		{99999, 1, 1, false, UNITS_NONE, "0M"},
	};
	char buf[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		units_print(rows[i].value, rows[i].mult, rows[i].digits, rows[i].pow2,
			    rows[i].family, buf, sizeof(buf));
		if (strcmp(buf, rows[i].text))
			fail_msg("row %zu: %s, not %s", i, buf, rows[i].text);
	}
}

static void times_print_for_people(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {
		{0, "0ns"},
		{250, "250ns"},
		{999, "999ns"},
		{1000, "1.00us"},
		{1500000, "1.50ms"},
		{999994, "999.99us"},
		{999996, "1.00ms"},
		{59990000000, "59.99s"},
		{59999999999, "1m00s"},
		{150 * SEC, "2m30s"},
		{3599 * SEC, "59m59s"},
		{3660 * SEC, "1h01m"},
		{90000 * SEC, "1d01h"},
	};
	char buf[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		units_print_time(rows[i].ns, buf, sizeof(buf));
		assert_string_equal(buf, rows[i].text);
	}
}

static void printed_sizes_read_back(void **state)
{
	static const struct {
		uint64_t v;
		const char *text;
	} rows[] = {{0, "0"},
		    {4096, "4k"},
		    {1 << 20, "1m"},
		    {1000, "1000"},
		    {1536, "1536"},
		    {1572864, "1536k"},
		    {KIB * KIB * KIB * KIB * KIB * KIB, "1024p"}};
	struct rng r;
	char buf[64];
	uint64_t back;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		units_print_size(rows[i].v, buf, sizeof(buf));
		assert_string_equal(buf, rows[i].text);
	}
	rng_seed(&r, 11);
	print_message("seed 11\n");
	for (int i = 0; i < 20000; i++) {
		uint64_t v = rng_next(&r) >> (rng_next(&r) & 63) << (rng_next(&r) & 31);
		units_print_size(v, buf, sizeof(buf));
		assert_int_equal(units_parse_size(buf, 1024, &back, NULL), 0);
		assert_true(back == v);
	}
}

/* Random text over the letters that matter: never a crash, outputs only on success, and accepted
 * values print and read back. */
static void any_text_is_safe(void **state)
{
	static const char letters[] =
		"0123456789..--+xXkKmMgGtTpPiIbBsSuUnNeEcCdDhHaArRyY% \t,:f\xff";
	struct rng r;
	unsigned accepted = 0;

	rng_seed(&r, 20);
	print_message("seed 20\n");
	for (int i = 0; i < 300000; i++) {
		char text[40], buf[64];
		size_t len = (size_t)rng_below(&r, i % 16 ? 6 : sizeof(text));
		for (size_t k = 0; k < len; k++)
			text[k] =
				letters[rng_below(&r, rng_below(&r, 3) ? 10 : sizeof(letters) - 1)];
		text[len] = '\0';
		uint64_t v = 77, back;
		int64_t s = 77;
		double p = 77;
		unsigned base = i & 1 ? 1000 : 1024;
		if (units_parse_size(text, base, &v, NULL) == 0) {
			accepted++;
			units_print_size(v, buf, sizeof(buf));
			assert_int_equal(units_parse_size(buf, 1024, &back, NULL), 0);
			assert_true(back == v);
			if (v <= INT64_MAX) {
				assert_int_equal(units_parse_int(text, base, &s, NULL), 0);
				assert_true((uint64_t)s == v);
			}
		} else {
			assert_int_equal(v, 77);
		}
		v = 77;
		if (units_parse_time(text, 1000, &v))
			assert_int_equal(v, 77);
		units_print_time(v, buf, sizeof(buf));
		units_print(v, 1, (unsigned)rng_below(&r, 12), base == 1024, UNITS_BYTES, buf,
			    sizeof(buf));
		if (units_parse_percent(text, 100, &p) == 0)
			assert_true(p >= 0 && p <= 100);
		else
			assert_true(p == 77);
	}
	assert_in_range(accepted, 10000, 300000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_follow_the_suffix_table),
		cmocka_unit_test(wrong_sizes_are_refused_and_leave_the_output),
		cmocka_unit_test(integers_may_be_negative),
		cmocka_unit_test(times_follow_their_suffix),
		cmocka_unit_test(percents_are_numbers_up_to_a_maximum),
		cmocka_unit_test(numbers_print_in_fio_style),
		cmocka_unit_test(times_print_for_people),
		cmocka_unit_test(printed_sizes_read_back),
		cmocka_unit_test(any_text_is_safe),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
