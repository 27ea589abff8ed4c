/* Places of live numbers and metrics, and what is no place. */
#include "conf/endpoint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

static int setup(void **state)
{
	static struct arena arena;

	arena_init(&arena, 0);
	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_release(*state);
	return 0;
}

static void live_numbers_go_to_four_kinds_of_places(void **state)
{
	struct endpoint e;
	struct err err = {0};

	assert_int_equal(endpoint_live("fd:3", *state, &e, &err), 0);
	assert_int_equal(e.kind, ENDPOINT_FD);
	assert_int_equal(e.fd, 3);
	assert_int_equal(endpoint_live("unix:/run/x.sock", *state, &e, &err), 0);
	assert_int_equal(e.kind, ENDPOINT_UNIX);
	assert_string_equal(e.path, "/run/x.sock");
	assert_int_equal(endpoint_live("tcp:host.example:8086", *state, &e, &err), 0);
	assert_int_equal(e.kind, ENDPOINT_TCP);
	assert_string_equal(e.host, "host.example");
	assert_int_equal(e.port, 8086);
	assert_int_equal(endpoint_live("tcp:[::1]:1", *state, &e, &err), 0);
	assert_string_equal(e.host, "::1");
	assert_int_equal(endpoint_live("live.jsonl", *state, &e, &err), 0);
	assert_int_equal(e.kind, ENDPOINT_PATH);
	assert_string_equal(e.path, "live.jsonl");
	assert_int_equal(endpoint_live("./udp:x", *state, &e, &err), 0);
	assert_int_equal(e.kind, ENDPOINT_PATH);
}

static void metrics_listen_on_this_machine_only_unless_asked(void **state)
{
	struct endpoint e;
	struct err err = {0};

	assert_int_equal(endpoint_metrics("0", *state, &e, &err), 0);
	assert_string_equal(e.host, "127.0.0.1");
	assert_int_equal(e.port, 0);
	assert_int_equal(endpoint_metrics("0.0.0.0:9100", *state, &e, &err), 0);
	assert_string_equal(e.host, "0.0.0.0");
	assert_int_equal(e.port, 9100);
	assert_int_equal(endpoint_metrics("[::]:65535", *state, &e, &err), 0);
	assert_string_equal(e.host, "::");
	assert_int_equal(endpoint_metrics("unix:m.sock", *state, &e, &err), 0);
	assert_int_equal(e.kind, ENDPOINT_UNIX);
}

static void metrics_go_to_a_file_by_its_slash_or_ending(void **state)
{
	const char *const files[] = {"./9100", "/var/lib/x", "m.prom", "host:1.prom", "a:1/b"};
	struct endpoint e;
	struct err err = {0};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		assert_int_equal(endpoint_metrics(files[i], *state, &e, &err), 0);
		assert_int_equal(e.kind, ENDPOINT_PATH);
		assert_string_equal(e.path, files[i]);
	}
}

/* A path one byte too long for a socket. */
static const char *long_path(char text[160], const char *prefix)
{
	size_t n = strlen(prefix);

	memcpy(text, prefix, n);
	memset(text + n, 'a', 108);
	text[n + 108] = '\0';
	return text;
}

static void what_is_no_place_is_refused_with_a_remedy(void **state)
{
	char text[160];
	const char *const live[] = {
		"",	   "fd:",	  "fd:-1",	"fd:3x",     "fd:99999999999",
		"unix:",   "tcp:",	  "tcp:host",	"tcp:host:", "tcp::80",
		"tcp:h:0", "tcp:h:65536", "tcp:::1:80", "udp:h:1",   long_path(text, "unix:")};
	const char *const metrics[] = {
		"", "x", "-1", "65536", "host:", ":80", "::1:80", "unix:", "tcp:h:1", ".prom"};
	struct endpoint e = {.kind = ENDPOINT_FD, .fd = 77};

	for (size_t i = 0; i < sizeof(live) / sizeof(live[0]); i++) {
		struct err err = {0};
		assert_int_equal(endpoint_live(live[i], *state, &e, &err), -EINVAL);
		assert_true(err.text[0] && err.remedy[0]);
	}
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		struct err err = {0};
		assert_int_equal(endpoint_metrics(metrics[i], *state, &e, &err), -EINVAL);
		assert_true(err.text[0] && err.remedy[0]);
	}
	assert_int_equal(e.fd, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(live_numbers_go_to_four_kinds_of_places, setup,
						teardown),
		cmocka_unit_test_setup_teardown(metrics_listen_on_this_machine_only_unless_asked,
						setup, teardown),
		cmocka_unit_test_setup_teardown(metrics_go_to_a_file_by_its_slash_or_ending, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_is_no_place_is_refused_with_a_remedy, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
