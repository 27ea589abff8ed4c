/* mmap: faults and refusals. */
#include "rig.h"

enum { BLOCK = 4096 };

static void a_fault_in_a_mapping_is_an_io_error(void **state)
{
#ifdef __SANITIZE_THREAD__
	print_message("skipped: ThreadSanitizer delays signals; a fault has to be handled where "
		      "it happens\n");
	skip();
#endif
	int fd = rig_file(4 * BLOCK, NULL);
	struct io *ios[4], *out[4];
	struct rig r;

	rig_init(&r, "mmap", 4, BLOCK);
	rig_open(&r);
	rig_attach(&r, fd, 4 * BLOCK);
	assert_int_equal(ftruncate(fd, 2 * BLOCK), 0);
	for (unsigned i = 0; i < 4; i++)
		ios[i] = rig_io(&r, i, i & 2 ? IO_WRITE : IO_READ, i * 3 % 4 * BLOCK, BLOCK);
	assert_int_equal(r.ops->submit(&r.e, ios, 4), 4);
	assert_int_equal(r.ops->reap(&r.e, out, 4, 4, UINT64_MAX), 4);
	assert_int_equal(ios[0]->result, BLOCK);
	assert_int_equal(ios[1]->result, -EIO);
	assert_int_equal(ios[2]->result, -EIO);
	assert_int_equal(ios[3]->result, BLOCK);
	rig_close(&r);
	close(fd);
}

static void a_mapping_refuses_what_it_cannot_do(void **state)
{
	int fd = rig_file(BLOCK, NULL), ro = open("/proc/self/exe", O_RDONLY);
	struct rig r;

	rig_init(&r, "mmap", 1, BLOCK);
	rig_open(&r);
	r.e.files[0] = (struct engine_file){.fd = fd, .size = 2 * BLOCK, .path = "file"};
	assert_int_equal(r.ops->attach(&r.e, 0, &r.err), -EINVAL);
	r.e.files[0] = (struct engine_file){.fd = ro, .size = BLOCK, .path = "file"};
	assert_int_equal(r.ops->attach(&r.e, 0, &r.err), -EACCES);
	rig_close(&r);
	close(fd);
	close(ro);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fault_in_a_mapping_is_an_io_error),
		cmocka_unit_test(a_mapping_refuses_what_it_cannot_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
