/* io_uring: waiting with a limit, cancelling, registration, what the kernel offers. */
#include "rig.h"

enum { BLOCK = 4096 };

/* A read of an empty pipe goes on until it is fed. */
static void waiting_ends_with_the_time_limit(void **state)
{
	static const bool lazy[] = {false, true};

	for (int i = 0; i < 2; i++) {
		struct io *io, *out[2];
		struct rig r;
		int fds[2];

		assert_int_equal(pipe(fds), 0);
		rig_init(&r, "io_uring", 2, BLOCK);
		r.s.lazy = lazy[i];
		rig_open(&r);
		rig_attach(&r, fds[0], BLOCK);
		io = rig_io(&r, 1, IO_READ, 0, BLOCK);
		assert_int_equal(r.ops->submit(&r.e, &io, 1), 1);
		assert_int_equal(r.ops->reap(&r.e, out, 1, 2, 1000), 0);
		assert_int_equal(r.ops->reap(&r.e, out, 0, 2, 0), 0);
		assert_int_equal(r.ops->reap(&r.e, out, 2, 2, 1000), 0);
		assert_int_equal(write(fds[1], "abc", 3), 3);
		assert_int_equal(r.ops->reap(&r.e, out, 1, 2, UINT64_MAX), 1);
		assert_ptr_equal(out[0], io);
		assert_int_equal(io->result, 3);
		rig_close(&r);
		close(fds[0]);
		close(fds[1]);
	}
}

static void cancelled_ios_come_back(void **state)
{
	struct io *io, *out[1];
	struct rig r;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	rig_init(&r, "io_uring", 1, BLOCK);
	rig_open(&r);
	rig_attach(&r, fds[0], BLOCK);
	io = rig_io(&r, 0, IO_READ, 0, BLOCK);
	assert_int_equal(r.ops->submit(&r.e, &io, 1), 1);
	r.ops->cancel(&r.e);
	if (r.ops->reap(&r.e, out, 1, 1, 1000000000) == 0)
		print_message("this kernel cannot cancel from outside the ring\n");
	else
		assert_true(io->result == -ECANCELED || io->result == -EINTR);
	rig_close(&r);
	close(fds[0]);
	close(fds[1]);
}

static void registration_on_request_fails_loudly(void **state)
{
	static const bool given[] = {false, true};

	for (int i = 0; i < 2; i++) {
		char elsewhere[16];
		struct rig r;

		rig_init(&r, "io_uring", 1, BLOCK);
		if (given[i])
			rig_option(&r, "fixedbufs", "1");
		/* A slot outside the range of buffers cannot be registered with it. */
		r.s.ios[0].buf = elsewhere;
		if (given[i]) {
			assert_int_equal(r.ops->open(&r.e, &r.err), -EFAULT);
			assert_non_null(strstr(r.err.text, "fixedbufs"));
		} else {
			rig_open(&r);
			assert_non_null(strstr(r.e.note, "buffers plain"));
			r.ops->close(&r.e);
		}
		rig_free(&r);
	}
}

static void probes_tell_what_there_is(void **state)
{
	char found[200] = "x";
	struct err err;

	assert_int_equal(engine_find("io_uring")->probe(found, sizeof(found), &err), 0);
	print_message("io_uring: %s\n", found);
	assert_true(found[0] && found[0] != 'x');
	assert_int_equal(engine_find("libaio")->probe(found, sizeof(found), &err), 0);
	assert_int_equal(engine_find("io_uring")->probe(found, 4, &err), 0);
	assert_true(strlen(found) < 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waiting_ends_with_the_time_limit),
		cmocka_unit_test(cancelled_ios_come_back),
		cmocka_unit_test(registration_on_request_fails_loudly),
		cmocka_unit_test(probes_tell_what_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
