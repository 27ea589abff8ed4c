#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

static void grows_and_stays_terminated(void **state)
{
	struct str s;

	str_init(&s, 0);
	assert_string_equal(s.s, "");
	str_clear(&s);
	for (int i = 0; i < 1000; i++) {
		str_add(&s, "ab");
		str_addc(&s, 'c');
		str_addn(&s, "defg", 2);
		str_printf(&s, "%03d", i);
		assert_int_equal(s.len, (size_t)(i + 1) * 8);
		assert_int_equal(strlen(s.s), s.len);
	}
	assert_memory_equal(s.s, "abcde000abcde001", 16);
	assert_false(s.bad);
	str_clear(&s);
	assert_string_equal(s.s, "");
	assert_int_equal(s.len, 0);
	str_release(&s);
	assert_string_equal(s.s, "");
}

static void maximum_marks_bad_and_keeps_the_text(void **state)
{
	struct str s;

	str_init(&s, 10);
	str_add(&s, "0123456");
	str_printf(&s, "%s", "789a");
	assert_true(s.bad);
	assert_string_equal(s.s, "0123456");
	str_addc(&s, 'x');
	assert_string_equal(s.s, "0123456");
	str_clear(&s);
	assert_false(s.bad);
	str_printf(&s, "%s", "0123456789");
	assert_string_equal(s.s, "0123456789");
	assert_false(s.bad);
	str_addc(&s, 'x');
	assert_true(s.bad);
	assert_string_equal(s.s, "0123456789");
	str_release(&s);
}

static void bytes_may_be_zero(void **state)
{
	struct str s;

	str_init(&s, 100);
	str_addn(&s, "a\0b", 3);
	assert_int_equal(s.len, 3);
	assert_memory_equal(s.s, "a\0b", 4);
	str_addn(&s, NULL, 0);
	assert_int_equal(s.len, 3);
	str_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_and_stays_terminated),
		cmocka_unit_test(maximum_marks_bad_and_keeps_the_text),
		cmocka_unit_test(bytes_may_be_zero),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
