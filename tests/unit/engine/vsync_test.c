/* vsync: what a short vector means to its parts. */
#include "rig.h"

enum { BLOCK = 4096 };

static void a_short_vector_ends_at_the_end_of_file_only(void **state)
{
	int fd = rig_file(2 * BLOCK + 100, NULL);
	struct io *ios[4], *out[4];
	struct rig r;

	rig_init(&r, "vsync", 4, BLOCK);
	rig_open(&r);
	rig_attach(&r, fd, 4 * BLOCK);
	for (unsigned i = 0; i < 4; i++)
		ios[i] = rig_io(&r, i, IO_READ, i * BLOCK, BLOCK);
	assert_int_equal(r.ops->submit(&r.e, ios, 4), 4);
	assert_int_equal(r.ops->reap(&r.e, out, 4, 4, UINT64_MAX), 4);
	for (unsigned i = 0; i < 4; i++)
		assert_ptr_equal(out[i], ios[i]);
	assert_int_equal(ios[0]->result, BLOCK);
	assert_int_equal(ios[1]->result, BLOCK);
	assert_int_equal(ios[2]->result, 100);
	assert_int_equal(ios[3]->result, 0);
	rig_close(&r);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_vector_ends_at_the_end_of_file_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
