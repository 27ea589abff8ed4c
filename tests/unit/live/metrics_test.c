/* Pages in a file and over HTTP. A build without libmicrohttpd skips the latter. */
#include "live/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "live/sockets.h"
#include "place.h"
#include <errno.h>
#include <sys/stat.h>

static void publish(struct metrics *m, const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	metrics_publish(m, copy, strlen(copy));
}

static void a_file_keeps_the_last_page(void **state)
{
	const struct endpoint at = {.kind = ENDPOINT_PATH, .path = "m.prom"};
	struct metrics *m;
	struct err err = {0};
	char buf[64];

	assert_int_equal(metrics_open(&at, &m, &err), 0);
	assert_int_equal(access("m.prom", F_OK), -1);
	assert_int_equal(metrics_format(m), OPENMETRICS_PROMETHEUS);
	assert_string_equal(metrics_url(m), "m.prom");
	publish(m, "one\n");
	publish(m, "two\n");
	metrics_close(m);
	place_read(open("m.prom", O_RDONLY), buf, sizeof(buf));
	assert_string_equal(buf, "two\n");
	unlink("m.prom");
}

static void what_cannot_be_replaced_is_refused(void **state)
{
	const char *const paths[] = {".", "pipe", "link", "none/m.prom"};
	struct metrics *m = NULL;

	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_int_equal(symlink("elsewhere", "link"), 0);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		const struct endpoint at = {.kind = ENDPOINT_PATH, .path = paths[i]};
		struct err err = {0};
		assert_true(metrics_open(&at, &m, &err) < 0);
		assert_int_equal(err.cls, ERR_SETUP);
		assert_true(err.text[0] && err.remedy[0]);
	}
	assert_null(m);
	unlink("pipe");
	unlink("link");
}

/* One request; the whole answer is in buf. */
static void ask(const struct endpoint *at, const char *request, char *buf, size_t size)
{
	struct err err = {0};
	int fd = socket_connect(at, &err);

	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_SETFL, 0), 0);
	assert_int_equal(write(fd, request, strlen(request)), strlen(request));
	place_read(fd, buf, size);
}

static void the_newest_page_is_served(void **state)
{
	static const char get[] = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
	const struct endpoint at = {.kind = ENDPOINT_UNIX, .path = "s"};
	struct metrics *m;
	struct err err = {0};
	char buf[1024];
	int ret = metrics_open(&at, &m, &err);

	if (ret == -ENOTSUP) {
		assert_non_null(strstr(err.text, "libmicrohttpd"));
		skip();
	}
	assert_int_equal(ret, 0);
	ask(&at, get, buf, sizeof(buf));
	assert_non_null(strstr(buf, "HTTP/1.1 503 "));
	publish(m, "one\n");
	publish(m, "two\n");
	ask(&at, get, buf, sizeof(buf));
	assert_non_null(strstr(buf, "HTTP/1.1 200 "));
	assert_non_null(strstr(buf, "Content-Type: " OPENMETRICS_TYPE "\r\n"));
	assert_non_null(strstr(buf, "\r\n\r\ntwo\n"));
	ask(&at, "HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n", buf, sizeof(buf));
	assert_non_null(strstr(buf, "Content-Length: 4\r\n"));
	assert_null(strstr(buf, "two"));
	ask(&at, "PUT /metrics HTTP/1.1\r\nHost: x\r\n\r\n", buf, sizeof(buf));
	assert_non_null(strstr(buf, "HTTP/1.1 405 "));
	assert_non_null(strstr(buf, "Allow: GET, HEAD\r\n"));
	ask(&at, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", buf, sizeof(buf));
	assert_non_null(strstr(buf, "HTTP/1.1 404 "));
	metrics_close(m);
	assert_int_equal(access("s", F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_keeps_the_last_page, place_setup,
						place_teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_replaced_is_refused, place_setup,
						place_teardown),
		cmocka_unit_test_setup_teardown(the_newest_page_is_served, place_setup,
						place_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
