#include "report/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void every_name_finds_its_format(void **state)
{
	assert_ptr_equal(format_find("normal"), &format_normal);
	assert_ptr_equal(format_find("terse"), &format_terse);
	assert_ptr_equal(format_find("minimal"), &format_terse);
	assert_ptr_equal(format_find("csv"), &format_terse);
	assert_ptr_equal(format_find("json"), &format_json);
	assert_ptr_equal(format_find("json+"), &format_json_plus);
	assert_ptr_equal(format_find("jsonl"), &format_jsonl);
	assert_null(format_find("xml"));
	assert_null(format_find(""));
}

static void several_are_printed_terse_json_normal(void **state)
{
	unsigned n;
	const struct format *const *list = format_list(&n);

	assert_ptr_equal(list[0], &format_terse);
	assert_ptr_equal(list[1], &format_json);
	assert_ptr_equal(list[n - 1], &format_normal);
	for (unsigned i = 0; i < n; i++)
		assert_ptr_equal(format_find(list[i]->name), list[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_finds_its_format),
		cmocka_unit_test(several_are_printed_terse_json_normal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
