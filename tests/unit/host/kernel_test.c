#include "tree.h"

#include "host/kernel.h"

static void releases_are_parsed(void **state)
{
	struct kernel k;
	assert_int_equal(kernel_parse("6.1.0-18-amd64", &k), 0);
	assert_true(kernel_at_least(&k, 6, 1));
	assert_true(kernel_at_least(&k, 5, 19));
	assert_false(kernel_at_least(&k, 6, 2));
	assert_int_equal(kernel_parse("5.4-rc2", &k), 0);
	assert_int_equal(k.patch, 0);
	assert_int_equal(kernel_parse("6.18.44-fc-v657", &k), 0);
	assert_int_equal(k.patch, 44);
	assert_string_equal(k.release, "6.18.44-fc-v657");
	assert_int_equal(kernel_parse("6", &k), -EINVAL);
	assert_int_equal(kernel_parse("", &k), -EINVAL);
}

static void facts_below_a_root(void **state)
{
	struct tree t;
	struct kernel k;
	uint64_t max, used;
	tree_init(&t);
	assert_int_equal(kernel_read(&t.host, &k), -ENOENT);
	assert_int_equal(kernel_uring_disabled(&t.host), -1);
	assert_int_equal(kernel_aio_limits(&t.host, &max, &used), -ENOENT);
	tree_put(&t, "/proc/sys/kernel/osrelease", "4.18.0-513.el8\n");
	tree_put(&t, "/proc/sys/kernel/io_uring_disabled", "2\n");
	tree_put(&t, "/proc/sys/fs/aio-max-nr", "65536\n");
	tree_put(&t, "/proc/sys/fs/aio-nr", "12\n");
	assert_int_equal(kernel_read(&t.host, &k), 0);
	assert_int_equal(k.minor, 18);
	assert_int_equal(kernel_uring_disabled(&t.host), 2);
	assert_int_equal(kernel_aio_limits(&t.host, &max, &used), 0);
	assert_int_equal(max, 65536);
	assert_int_equal(used, 12);
	tree_release(&t);
}

static void probe_agrees_with_the_version(void **state)
{
	const struct host here = {""};
	struct kernel k;
	struct kernel_caps caps;
	assert_int_equal(kernel_read(&here, &k), 0);
	kernel_probe(&caps);
	if (!kernel_at_least(&k, 5, 8))
		assert_false(caps.mount_id);
	if (caps.cachestat)
		assert_true(kernel_at_least(&k, 5, 14)); /* some distributions carried it back */
}

MAIN(cmocka_unit_test(releases_are_parsed), cmocka_unit_test(facts_below_a_root),
     cmocka_unit_test(probe_agrees_with_the_version))
