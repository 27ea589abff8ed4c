/* The list of formats, and every format of a result made by hand, to the byte.
 * FATHOM_GOLDEN_UPDATE=1 writes what is printed now: read the difference before you commit it. */
#include "report/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "print.h"
#include "sample.h"
#include "result/merge.h"

#include <time.h>

static void messages(struct diag *d)
{
	static const struct place at = {"job\tfile.fio", 7, 3};

	diag_init(d);
	diag_add(d, DIAG_WARNING, ERR_NONE, "depth-unreached", &at, 0, "use io_uring",
		 "depth %d cannot be reached", 8);
	diag_add(d, DIAG_ERROR, ERR_SETUP, "open", NULL, 4, "", "cannot open \"/x\"");
	diag_add(d, DIAG_NOTE, ERR_NONE, "note", NULL, -1, "", "caf\xc3\xa9 and \xff");
}

static void golden(const char *name, const struct format *f, const struct format_options *fo)
{
	struct result r;
	struct diag d;

	messages(&d);
	sample_result(&r, &d);
	char *text = print_result(f, &r, fo);
	golden_text(name, text);
	free(text);
	result_release(&r);
	diag_release(&d);
}

static void normal(void **state)
{
	golden("normal", &format_normal, &(struct format_options){0});
}

static void terse(void **state)
{
	static const char *const name[] = {"terse2", "terse3", "terse4", "terse5"};

	for (unsigned v = 2; v <= 5; v++)
		golden(name[v - 2], &format_terse, &(struct format_options){.terse_version = v});
}

static void json(void **state)
{
	golden("json", &format_json, &(struct format_options){0});
}

static void jsonl(void **state)
{
	golden("jsonl", &format_jsonl, &(struct format_options){0});
}

static void table(void **state)
{
	golden("table", &format_table, &(struct format_options){0});
}

static void nothing_ran(void **state)
{
	static const struct format *const formats[] = {&format_normal, &format_terse, &format_json};
	static const char *const name[] = {"empty-normal", "empty-terse", "empty-json"};
	const struct result r = {.version = "fio-3.42-fathom-0.1", .final = true};
	const struct format_options fo = {0};

	for (unsigned i = 0; i < 3; i++) {
		char *text = print_result(formats[i], &r, &fo);
		if (i != 1)
			golden_text(name[i], text);
		else
			assert_string_equal(text, "");
		free(text);
	}
}

static void several_are_printed_in_the_order_of_the_table(void **state)
{
	unsigned n;
	const struct format *const *list = format_list(&n);

	assert_int_equal(n, 6);
	assert_ptr_equal(list[0], &format_terse);
	assert_ptr_equal(list[1], &format_json);
	assert_ptr_equal(list[2], &format_json_plus);
	assert_ptr_equal(list[3], &format_normal);
	assert_ptr_equal(list[4], &format_table);
	assert_ptr_equal(list[5], &format_jsonl);
}

static void a_format_has_the_name_of_its_row(void **state)
{
	static const char *const words[] = {
#define FORMAT(ID, object, word) word,
#define FORMAT_ALIAS(ID, word)
#include "conf/formats.def"
#undef FORMAT
#undef FORMAT_ALIAS
	};
	unsigned n;
	const struct format *const *list = format_list(&n);

	for (unsigned i = 0; i < n; i++)
		assert_string_equal(list[i]->name, words[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_format_has_the_name_of_its_row),
		cmocka_unit_test(several_are_printed_in_the_order_of_the_table),
		cmocka_unit_test(normal),
		cmocka_unit_test(terse),
		cmocka_unit_test(table),
		cmocka_unit_test(json),
		cmocka_unit_test(jsonl),
		cmocka_unit_test(nothing_ran),
	};
	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
