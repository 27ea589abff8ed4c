/* Lines and pages of one run to files, and destinations that collide. */
#include "live/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../report/sample.h"
#include "place.h"
#include <errno.h>

static const struct endpoint lines = {.kind = ENDPOINT_PATH, .path = "lines"};
static const struct endpoint page = {.kind = ENDPOINT_PATH, .path = "m.prom"};

/* The return value of follow_open(), which must not succeed; the message is in text. */
static int refused(const struct cmdline *cl, char *text, size_t size)
{
	static const struct plan plan;
	struct follow *f = NULL;
	struct diag diag;

	diag_init(&diag);
	int ret = follow_open(cl, &plan, "v", STDOUT_FILENO, &diag, &f);
	assert_null(f);
	assert_int_equal(diag.errors, 1);
	(void)snprintf(text, size, "%s", diag.items[0].text);
	diag_release(&diag);
	return ret;
}

static void nothing_asked_is_nothing_followed(void **state)
{
	const struct cmdline cl = {0};
	static const struct plan plan;
	struct follow *f;
	struct diag diag;

	diag_init(&diag);
	assert_int_equal(follow_open(&cl, &plan, "v", STDOUT_FILENO, &diag, &f), 0);
	assert_null(f);
	assert_int_equal(follow_period(f), 0);
	follow_show(f, NULL, NULL);
	follow_close(f);
	diag_release(&diag);
}

static void lines_and_page_are_complete_at_the_end(void **state)
{
	const struct cmdline cl = {.live = lines, .metrics = page, .live_interval_ns = 7};
	static const struct plan plan = {.virtual_clock = true};
	static char buf[65536];
	struct follow *f;
	struct diag diag;
	struct result r;

	sample_result(&r, NULL);
	diag_init(&diag);
	assert_int_equal(follow_open(&cl, &plan, "v", STDOUT_FILENO, &diag, &f), 0);
	assert_int_equal(follow_period(f), 7);
	r.final = false;
	follow_show(f, &r, NULL);
	r.final = true;
	follow_show(f, &r, NULL);
	follow_close(f);
	assert_int_equal(diag.n, 0);
	place_read(open("lines", O_RDONLY), buf, sizeof(buf));
	assert_non_null(strstr(buf, "\"final\":false"));
	assert_non_null(strstr(buf, "\"final\":true"));
	place_read(open("m.prom", O_RDONLY), buf, sizeof(buf));
	assert_non_null(strstr(buf, "fathom_finished 1\n"));
	unlink("lines");
	unlink("m.prom");
	diag_release(&diag);
	result_release(&r);
}

/* The report has no name yet when the run starts: names decide, however they are written. */
static void one_file_for_two_things_is_refused(void **state)
{
	struct endpoint other = {.kind = ENDPOINT_PATH};
	char text[512], whole[64];

	(void)snprintf(whole, sizeof(whole), "%s/m.prom", place_folder);
	const char *const names[] = {"m.prom", "./m.prom", whole};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		other.path = names[i];
		struct cmdline cl = {.metrics = page, .output = names[i]};
		assert_int_equal(refused(&cl, text, sizeof(text)), -EINVAL);
		assert_non_null(strstr(text, "go to the same file"));
		cl = (struct cmdline){.metrics = page, .live = other};
		assert_int_equal(refused(&cl, text, sizeof(text)), -EINVAL);
		cl = (struct cmdline){.live = other, .output = "m.prom"};
		assert_int_equal(refused(&cl, text, sizeof(text)), -EINVAL);
		assert_int_equal(access("m.prom", F_OK), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_asked_is_nothing_followed, place_setup,
						place_teardown),
		cmocka_unit_test_setup_teardown(lines_and_page_are_complete_at_the_end, place_setup,
						place_teardown),
		cmocka_unit_test_setup_teardown(one_file_for_two_things_is_refused, place_setup,
						place_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
