#include "base/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void count(void *ctx, const struct diag_item *item)
{
	(void)item;
	++*(int *)ctx;
}

static void items_are_kept_counted_and_passed_on(void **state)
{
	struct diag d;
	int seen = 0;
	char file[] = "a.fio";
	struct place at = {.file = file, .line = 3, .col = 5};

	diag_init(&d);
	d.sink = count;
	d.sink_ctx = &seen;
	assert_int_equal(diag_class(&d), ERR_NONE);
	diag_add(&d, DIAG_NOTE, ERR_NONE, "note", NULL, -1, NULL, "n");
	diag_add(&d, DIAG_WARNING, ERR_NONE, "warn", &at, 2, "do that", "w %d", 7);
	file[0] = 'X'; /* the place was copied */
	diag_add(&d, DIAG_ERROR, ERR_IO, "io", NULL, 2, "", "e");
	assert_int_equal(d.n, 3);
	assert_int_equal(seen, 3);
	assert_int_equal(d.errors, 1);
	assert_int_equal(d.warnings, 1);
	assert_string_equal(d.items[1].text, "w 7");
	assert_string_equal(d.items[1].remedy, "do that");
	assert_string_equal(d.items[1].at.file, "a.fio");
	assert_string_equal(d.items[0].remedy, "");
	assert_int_equal(d.items[1].job, 2);
	assert_int_equal(diag_class(&d), ERR_IO);
	diag_release(&d);
}

static void the_same_again_is_dropped(void **state)
{
	struct diag d;

	diag_init(&d);
	for (int i = 0; i < 3; i++)
		diag_add(&d, DIAG_WARNING, ERR_NONE, "c", NULL, 1, NULL, "same");
	diag_add(&d, DIAG_WARNING, ERR_NONE, "c", NULL, 2, NULL, "same");
	diag_add(&d, DIAG_WARNING, ERR_NONE, "d", NULL, 1, NULL, "same");
	diag_add(&d, DIAG_WARNING, ERR_NONE, "c", NULL, 1, NULL, "other");
	assert_int_equal(d.n, 4);
	assert_int_equal(d.warnings, 4);
	diag_release(&d);
}

static void worst_class_wins(void **state)
{
	struct diag d;
	struct err e;

	diag_init(&d);
	(void)err_set(&e, ERR_VERIFY, 0, "differs");
	diag_add_err(&d, "v", 0, &e);
	(void)err_set(&e, ERR_USAGE, 0, "wrong");
	diag_add_err(&d, "u", 0, &e);
	assert_int_equal(diag_class(&d), ERR_VERIFY);
	assert_int_equal(d.items[1].cls, ERR_USAGE);
	diag_release(&d);
}

static void warnings_can_be_fatal(void **state)
{
	struct diag d;

	diag_init(&d);
	d.warnings_fatal = true;
	diag_add(&d, DIAG_NOTE, ERR_NONE, "n", NULL, -1, NULL, "n");
	diag_add(&d, DIAG_WARNING, ERR_NONE, "w", NULL, -1, NULL, "w");
	assert_int_equal(d.items[1].level, DIAG_ERROR);
	assert_int_equal(d.items[1].cls, ERR_USAGE);
	assert_int_equal(d.errors, 1);
	assert_int_equal(d.warnings, 0);
	diag_release(&d);
}

static void later_items_are_only_counted(void **state)
{
	struct diag d;

	diag_init(&d);
	for (int i = 0; i < 10050; i++)
		diag_add(&d, DIAG_ERROR, i == 10020 ? ERR_VERIFY : ERR_IO, "c", NULL, i, NULL,
			 "job %d", i);
	assert_int_equal(d.n, 10000);
	assert_int_equal(d.errors, 10050);
	assert_int_equal(diag_class(&d), ERR_VERIFY);
	diag_release(&d);
}

static void format_names_place_level_and_remedy(void **state)
{
	struct diag_item it = {
		.level = DIAG_ERROR, .text = (char[]){"bad"}, .remedy = (char[]){""}};
	char buf[100];

	diag_format(&it, buf, sizeof(buf));
	assert_string_equal(buf, "error: bad");
	it.remedy = (char[]){"be good"};
	it.at = (struct place){"x.fio", 2, 9};
	diag_format(&it, buf, sizeof(buf));
	assert_string_equal(buf, "x.fio:2:9: error: bad; be good");
	it.at = (struct place){"command line", 0, 4};
	it.level = DIAG_WARNING;
	diag_format(&it, buf, sizeof(buf));
	assert_string_equal(buf, "command line, argument 4: warning: bad; be good");
	diag_format(&it, buf, 8);
	assert_string_equal(buf, "command");
}

static void *say_much(void *ctx)
{
	for (int i = 0; i < 500; i++)
		diag_add(ctx, DIAG_WARNING, ERR_NONE, "c", NULL, i, NULL, "by %lu",
			 (unsigned long)pthread_self());
	return NULL;
}

static void threads_may_speak_at_once(void **state)
{
	struct diag d;
	pthread_t threads[4];

	diag_init(&d);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, say_much, &d), 0);
	for (int i = 0; i < 4; i++)
		(void)pthread_join(threads[i], NULL);
	assert_in_range(d.n, 500, 2000); /* an ended thread's id may come again */
	assert_int_equal(d.n, d.warnings);
	diag_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_are_kept_counted_and_passed_on),
		cmocka_unit_test(the_same_again_is_dropped),
		cmocka_unit_test(worst_class_wins),
		cmocka_unit_test(warnings_can_be_fatal),
		cmocka_unit_test(later_items_are_only_counted),
		cmocka_unit_test(format_names_place_level_and_remedy),
		cmocka_unit_test(threads_may_speak_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
