/* What any engine makes of one I/O: ends of files, bad descriptors, refusals, nothing to reap. */
#include "rig.h"

enum { BLOCK = 4096 };

static const char *const real[] = {"psync",  "sync",	 "vsync", "pvsync",  "pvsync2",
				   "libaio", "io_uring", "mmap",  "posixaio"};
enum { REAL = sizeof(real) / sizeof(real[0]) };

static void reads_end_with_the_file(void **state)
{
	for (int i = 0; i < REAL; i++) {
		int fd = rig_file(BLOCK + 100, NULL);
		struct rig r;

		rig_init(&r, real[i], 1, BLOCK);
		r.s.writes = false;
		rig_open(&r);
		rig_attach(&r, fd, 1 << 20);
		assert_int_equal(rig_do(&r, IO_READ, 0, BLOCK), BLOCK);
		assert_int_equal(rig_do(&r, IO_READ, BLOCK, BLOCK), 100);
		assert_int_equal(rig_do(&r, IO_READ, 4 * BLOCK, BLOCK), 0);
		assert_int_equal(rig_do(&r, IO_READ, 0, BLOCK), BLOCK);
		rig_close(&r);
		close(fd);
	}
}

static void syncs_succeed_and_trims_of_files_are_refused(void **state)
{
	for (int i = 0; i < REAL; i++) {
		int fd = rig_file(BLOCK, NULL);
		struct rig r;

		rig_init(&r, real[i], 1, BLOCK);
		rig_open(&r);
		rig_attach(&r, fd, BLOCK);
		assert_int_equal(rig_do(&r, IO_WRITE, 0, BLOCK), BLOCK);
		assert_int_equal(rig_do(&r, IO_FSYNC, 0, 0), 0);
		assert_int_equal(rig_do(&r, IO_FDATASYNC, 0, 0), 0);
		assert_int_equal(rig_do(&r, IO_SYNC_RANGE, 0, BLOCK), 0);
		assert_int_equal(rig_do(&r, IO_TRIM, 0, BLOCK), -ENOTTY);
		rig_close(&r);
		close(fd);
	}
}

static void an_error_is_the_result_of_its_io(void **state)
{
	for (int i = 0; i < REAL; i++) {
		int fd = open("/dev/null", O_RDONLY);
		struct rig r;

		if (!strcmp(real[i], "mmap")) {
			close(fd);
			continue;
		}
		rig_init(&r, real[i], 1, BLOCK);
		rig_open(&r);
		rig_attach(&r, fd, BLOCK);
		assert_int_equal(rig_do(&r, IO_WRITE, 0, BLOCK), -EBADF);
		assert_int_equal(rig_do(&r, IO_READ, 0, BLOCK), 0);
		r.e.files[0].fd = -1;
		r.ops->detach(&r.e, 0);
		assert_int_equal(rig_do(&r, IO_READ, 0, BLOCK), -EBADF);
		r.ops->close(&r.e);
		rig_free(&r);
		close(fd);
	}
}

static void a_bad_io_leaves_its_neighbours_alone(void **state)
{
	for (int i = 0; i < REAL; i++) {
		bool direct = true;
		int fd = rig_file(4 * BLOCK, &direct);
		struct io *ios[4], *out[4];
		unsigned got = 0;
		struct rig r;

		rig_init(&r, real[i], 4, BLOCK);
		r.s.direct = direct;
		rig_open(&r);
		rig_attach(&r, fd, 4 * BLOCK);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(rig_do(&r, IO_WRITE, k * BLOCK, BLOCK), BLOCK);
		for (unsigned k = 0; k < 4; k++)
			ios[k] = rig_io(&r, k, IO_READ, k * BLOCK, BLOCK);
		/* Misaligned where direct I/O is to be had. */
		ios[1]->offset += direct ? 100 : 0;
		assert_int_equal(r.ops->submit(&r.e, ios, 4), 4);
		while (got < 4) {
			int n = r.ops->reap(&r.e, out + got, 1, 4 - got, UINT64_MAX);

			assert_true(n > 0);
			got += (unsigned)n;
		}
		if (direct && strcmp(real[i], "mmap"))
			assert_int_equal(ios[1]->result, -EINVAL);
		for (unsigned k = 0; k < 4; k++)
			if (k != 1)
				assert_int_equal(ios[k]->result, BLOCK);
		rig_close(&r);
		close(fd);
	}
}

static void reap_of_nothing_returns_at_once(void **state)
{
	for (int i = 0; i < REAL; i++) {
		struct io *out[4];
		struct rig r;

		rig_init(&r, real[i], 4, BLOCK);
		rig_open(&r);
		assert_int_equal(r.ops->reap(&r.e, out, 1, 4, UINT64_MAX), 0);
		assert_int_equal(r.ops->reap(&r.e, out, 0, 4, 0), 0);
		assert_true(r.ops->next(&r.e) == UINT64_MAX);
		r.ops->cancel(&r.e);
		r.ops->close(&r.e);
		rig_free(&r);
	}
}

static void close_does_not_leave_ios_behind(void **state)
{
	static const char *const engines[] = {"io_uring", "libaio", "posixaio"};

	for (int i = 0; i < 3; i++) {
		bool direct = true;
		int fd = rig_file(16 * BLOCK, &direct);
		struct io *ios[16];
		struct rig r;

		rig_init(&r, engines[i], 16, BLOCK);
		r.s.direct = direct;
		rig_open(&r);
		rig_attach(&r, fd, 16 * BLOCK);
		for (unsigned k = 0; k < 16; k++)
			ios[k] = rig_io(&r, k, IO_WRITE, k * BLOCK, BLOCK);
		assert_int_equal(r.ops->submit(&r.e, ios, 16), 16);
		rig_close(&r);
		close(fd);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_end_with_the_file),
		cmocka_unit_test(syncs_succeed_and_trims_of_files_are_refused),
		cmocka_unit_test(an_error_is_the_result_of_its_io),
		cmocka_unit_test(a_bad_io_leaves_its_neighbours_alone),
		cmocka_unit_test(reap_of_nothing_returns_at_once),
		cmocka_unit_test(close_does_not_leave_ios_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
