#include "tree.h"

#include "host/kernel.h"

static int read_release(const char *text, struct kernel *k)
{
	struct tree t;
	tree_init(&t);
	tree_put(&t, "/proc/sys/kernel/osrelease", text);
	int ret = kernel_read(&t.host, k);
	tree_release(&t);
	return ret;
}

static void releases_are_parsed(void **state)
{
	struct kernel k;
	assert_int_equal(read_release("6.1.0-18-amd64", &k), 0);
	assert_true(kernel_at_least(&k, 6, 1));
	assert_true(kernel_at_least(&k, 5, 19));
	assert_false(kernel_at_least(&k, 6, 2));
	assert_int_equal(read_release("5.4-rc2", &k), 0);
	assert_int_equal(k.patch, 0);
	assert_int_equal(read_release("6.18.44-fc-v657", &k), 0);
	assert_int_equal(k.patch, 44);
	assert_string_equal(k.release, "6.18.44-fc-v657");
	assert_int_equal(read_release("6", &k), -EINVAL);
	assert_int_equal(read_release("", &k), -EINVAL);
}

static void facts_below_a_root(void **state)
{
	struct tree t;
	struct kernel k;
	tree_init(&t);
	assert_int_equal(kernel_read(&t.host, &k), -ENOENT);
	assert_int_equal(kernel_uring_disabled(&t.host), -1);
	tree_put(&t, "/proc/sys/kernel/osrelease", "4.18.0-513.el8\n");
	tree_put(&t, "/proc/sys/kernel/io_uring_disabled", "2\n");
	assert_int_equal(kernel_read(&t.host, &k), 0);
	assert_int_equal(k.minor, 18);
	assert_int_equal(kernel_uring_disabled(&t.host), 2);
	tree_release(&t);
}

MAIN(cmocka_unit_test(releases_are_parsed), cmocka_unit_test(facts_below_a_root))
