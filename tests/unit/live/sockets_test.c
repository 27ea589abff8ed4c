/* Sockets on the loopback and in a directory: connections, refusals, sockets left behind. */
#include "live/sockets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "place.h"
#include <errno.h>
#include <sys/stat.h>

static const struct endpoint local = {.kind = ENDPOINT_UNIX, .path = "s"};

static void a_free_port_is_chosen_and_can_be_reached(void **state)
{
	struct endpoint at = {.kind = ENDPOINT_TCP, .host = "127.0.0.1"};
	struct err err = {0};
	unsigned port = 0;
	int fd = socket_listen(&at, &port, &err);

	assert_true(fd >= 0 && port > 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	at.port = port;
	int client = socket_connect(&at, &err);
	assert_true(client >= 0);
	assert_true(fcntl(client, F_GETFD) & FD_CLOEXEC);
	/* A port in use is refused with text. */
	assert_int_equal(socket_listen(&at, &port, &err), -EADDRINUSE);
	assert_non_null(strstr(err.text, "127.0.0.1"));
	close(client);
	close(fd);
}

static void nobody_listening_is_an_error_with_text(void **state)
{
	struct err err = {0};

	assert_int_equal(socket_connect(&local, &err), -ENOENT);
	assert_non_null(strstr(err.text, "unix:s"));
	assert_int_equal(err.cls, ERR_SETUP);
}

static void only_a_socket_without_owner_is_replaced(void **state)
{
	struct err err = {0};
	unsigned port = 0;
	int fd = socket_listen(&local, &port, &err);

	assert_true(fd >= 0);
	assert_int_equal(socket_listen(&local, &port, &err), -EADDRINUSE);
	close(fd); /* the name stays */
	fd = socket_listen(&local, &port, &err);
	assert_true(fd >= 0);
	int client = socket_connect(&local, &err);
	assert_true(client >= 0);
	close(client);
	close(fd);
	unlink("s");
	close(open("s", O_WRONLY | O_CREAT, 0644));
	assert_int_equal(socket_listen(&local, &port, &err), -EADDRINUSE);
	assert_int_equal(unlink("s"), 0); /* the file is still there */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_free_port_is_chosen_and_can_be_reached,
						place_setup, place_teardown),
		cmocka_unit_test_setup_teardown(nobody_listening_is_an_error_with_text, place_setup,
						place_teardown),
		cmocka_unit_test_setup_teardown(only_a_socket_without_owner_is_replaced,
						place_setup, place_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
