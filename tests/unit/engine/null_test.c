/* null: synchronous at depth 1, first in first out. */
#include "rig.h"

static void null_is_synchronous_at_depth_one_only(void **state)
{
	const struct engine_ops *null = engine_find("null"), *uring = engine_find("io_uring");
	struct rig r;

	assert_true(null->caps_with(null, NULL, 1) & ENGINE_SYNC);
	assert_false(null->caps_with(null, NULL, 2) & ENGINE_SYNC);
	rig_init(&r, "io_uring", 1, 4096);
	assert_false(uring->caps_with(uring, r.options, 1) & ENGINE_POLL);
	rig_option(&r, "hipri", "1");
	assert_true(uring->caps_with(uring, r.options, 1) & ENGINE_POLL);
	rig_free(&r);
}

static void null_completes_in_order_and_keeps_what_was_not_reaped(void **state)
{
	struct io *ios[4], *out[4];
	struct rig r;

	rig_init(&r, "null", 4, 4096);
	rig_open(&r);
	for (unsigned i = 0; i < 4; i++)
		ios[i] = rig_io(&r, i, i == 3 ? IO_FSYNC : IO_READ, i, 100 + i);
	assert_int_equal(r.ops->submit(&r.e, ios, 4), 4);
	assert_int_equal(r.ops->reap(&r.e, out, 1, 1, UINT64_MAX), 1);
	assert_ptr_equal(out[0], ios[0]);
	assert_int_equal(r.ops->reap(&r.e, out, 0, 4, 0), 3);
	for (unsigned i = 0; i < 3; i++)
		assert_ptr_equal(out[i], ios[i + 1]);
	assert_int_equal(ios[1]->result, 101);
	assert_int_equal(ios[3]->result, 0);
	assert_int_equal(r.ops->reap(&r.e, out, 1, 4, UINT64_MAX), 0);
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_is_synchronous_at_depth_one_only),
		cmocka_unit_test(null_completes_in_order_and_keeps_what_was_not_reaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
