#include "base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

static void failure_is_negative_errno_with_words(void **state)
{
	struct err e;

	assert_int_equal(err_set(&e, ERR_IO, EIO, "read of %d bytes failed", 512), -EIO);
	assert_int_equal(e.cls, ERR_IO);
	assert_int_equal(e.sys, EIO);
	assert_string_equal(e.text, "read of 512 bytes failed");
	assert_string_equal(e.remedy, "");
	assert_null(e.at.file);
	assert_ptr_equal(err_remedy(&e, "check %s", "the disk"), &e);
	assert_string_equal(e.remedy, "check the disk");
	err_clear(&e);
	assert_int_equal(e.cls, ERR_NONE);
	assert_string_equal(e.text, "");
}

static void failure_without_errno_is_invalid(void **state)
{
	struct err e;

	assert_int_equal(err_set(&e, ERR_USAGE, 0, "no"), -EINVAL);
	assert_int_equal(e.sys, 0);
}

static void no_err_is_allowed(void **state)
{
	assert_int_equal(err_set(NULL, ERR_SETUP, ENOENT, "x"), -ENOENT);
	assert_null(err_remedy(NULL, "x"));
	err_clear(NULL);
}

static void text_may_wrap_itself_and_is_cut(void **state)
{
	struct err e;
	char longer[2000];

	(void)err_set(&e, ERR_SETUP, ENOENT, "inner");
	(void)err_set(&e, ERR_SETUP, ENOENT, "outer: %s", e.text);
	assert_string_equal(e.text, "outer: inner");
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	(void)err_set(&e, ERR_SETUP, ENOENT, "%s", longer);
	(void)err_remedy(&e, "%s", longer);
	assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
	assert_int_equal(strlen(e.remedy), sizeof(e.remedy) - 1);
}

static void exit_codes_are_fixed(void **state)
{
	static const int codes[] = {0, 1, 2, 3, 4, 5, 128};

	for (int c = ERR_NONE; c <= ERR_INTERRUPTED; c++)
		assert_int_equal(err_exit_code((enum err_class)c), codes[c]);
}

static void names_of_errnos_lead_back(void **state)
{
	int known = 0;

	for (int sys = 1; sys < 200; sys++) {
		const char *name = err_sys_name(sys);
		if (!name)
			continue;
		known++;
		assert_int_equal(err_sys_number(name), sys);
	}
	assert_in_range(known, 100, 199);
	assert_string_equal(err_sys_name(EIO), "EIO");
	assert_int_equal(err_sys_number("EWOULDBLOCK"), EAGAIN);
	assert_int_equal(err_sys_number("EILSEQ"), EILSEQ);
	assert_null(err_sys_name(0));
	assert_null(err_sys_name(-5));
	assert_null(err_sys_name(4000));
	assert_int_equal(err_sys_number("ENONSENSE"), 0);
	assert_int_equal(err_sys_number(""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failure_is_negative_errno_with_words),
		cmocka_unit_test(failure_without_errno_is_invalid),
		cmocka_unit_test(no_err_is_allowed),
		cmocka_unit_test(text_may_wrap_itself_and_is_cut),
		cmocka_unit_test(exit_codes_are_fixed),
		cmocka_unit_test(names_of_errnos_lead_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
