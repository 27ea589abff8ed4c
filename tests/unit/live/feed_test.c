/* Lines to a file and to pipes whose readers are slow or gone. */
#include "live/feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "place.h"
#include <errno.h>

static void put(struct feed *f, const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	feed_put(f, copy, strlen(copy));
}

static void lines_come_in_order(void **state)
{
	const struct endpoint to = {.kind = ENDPOINT_PATH, .path = "lines"};
	struct feed *f;
	struct err err = {0};
	char buf[64];

	assert_int_equal(feed_open(&to, true, &f, &err), 0);
	for (const char *line = "a\0b\0c\0"; *line; line += 2) {
		assert_true(feed_room(f));
		put(f, line);
	}
	assert_int_equal(feed_close(f, 60000), 0);
	place_read(open("lines", O_RDONLY), buf, sizeof(buf));
	assert_string_equal(buf, "abc");
	unlink("lines");
}

/* The pipe is full from the start, so that nothing is taken. */
static void a_stuck_reader_costs_lines_that_are_counted(void **state)
{
	struct err err = {0};
	struct feed *f;
	int p[2];
	unsigned put_n = 0;

	assert_int_equal(pipe2(p, O_NONBLOCK), 0);
	while (write(p[1], place_folder, 1) == 1)
		;
	const struct endpoint to = {.kind = ENDPOINT_FD, .fd = p[1]};
	assert_int_equal(feed_open(&to, false, &f, &err), 0);
	while (feed_room(f) && put_n < 1000) {
		put(f, "line\n");
		put_n++;
	}
	assert_in_range(put_n, 1, 100);
	assert_int_equal(feed_dropped(f), 1);
	assert_false(feed_room(f));
	assert_int_equal(feed_dropped(f), 2);
	assert_int_equal(feed_error(f), 0);
	assert_int_equal(feed_close(f, 0), put_n);
	close(p[0]);
}

static void a_reader_that_left_ends_the_feed(void **state)
{
	struct err err = {0};
	struct feed *f;
	int p[2];

	assert_int_equal(pipe(p), 0);
	close(p[0]);
	const struct endpoint to = {.kind = ENDPOINT_FD, .fd = p[1]};
	assert_int_equal(feed_open(&to, false, &f, &err), 0);
	assert_true(feed_room(f));
	put(f, "line\n");
	while (!feed_error(f))
		usleep(1000);
	assert_int_equal(feed_error(f), EPIPE);
	assert_int_equal(feed_close(f, 0), 1);
}

static void what_takes_no_lines_is_refused(void **state)
{
	const struct endpoint bad[] = {{.kind = ENDPOINT_PATH, .path = "."},
				       {.kind = ENDPOINT_PATH, .path = "none/lines"},
				       {.kind = ENDPOINT_FD, .fd = 999},
				       {.kind = ENDPOINT_UNIX, .path = "nobody"}};
	struct feed *f = NULL;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = {0};
		assert_true(feed_open(&bad[i], false, &f, &err) < 0);
		assert_true(err.text[0]);
	}
	assert_null(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines_come_in_order, place_setup, place_teardown),
		cmocka_unit_test_setup_teardown(a_stuck_reader_costs_lines_that_are_counted,
						place_setup, place_teardown),
		cmocka_unit_test_setup_teardown(a_reader_that_left_ends_the_feed, place_setup,
						place_teardown),
		cmocka_unit_test_setup_teardown(what_takes_no_lines_is_refused, place_setup,
						place_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
