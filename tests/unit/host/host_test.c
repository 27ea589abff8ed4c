#include "tree.h"

#include "host/list.h"

static void text_is_trimmed_and_cut(void **state)
{
	struct tree t;
	char buf[8] = "as was";
	tree_init(&t);
	tree_put(&t, "/a/b", "  word \n\n");
	tree_put(&t, "/a/long", "0123456789");
	tree_put(&t, "/a/empty", "\n");
	assert_int_equal(host_read_text(&t.host, buf, sizeof(buf), "/a/none%d", 1), -ENOENT);
	assert_string_equal(buf, "as was");
	assert_int_equal(host_read_text(&t.host, buf, sizeof(buf), "/%s/b", "a"), 0);
	assert_string_equal(buf, "word");
	assert_int_equal(host_read_text(&t.host, buf, sizeof(buf), "/a/long"), 0);
	assert_string_equal(buf, "0123456");
	assert_int_equal(host_read_text(&t.host, buf, sizeof(buf), "/a/empty"), 0);
	assert_string_equal(buf, "");
	tree_release(&t);
}

static void numbers_are_numbers(void **state)
{
	struct tree t;
	uint64_t u = 7;
	int64_t i = 7;
	tree_init(&t);
	tree_put(&t, "/n", "18446744073709551615\n");
	tree_put(&t, "/hex", "0x10");
	tree_put(&t, "/neg", "-1\n");
	tree_put(&t, "/word", "none\n");
	tree_put(&t, "/big", "18446744073709551616\n");
	assert_int_equal(host_read_u64(&t.host, &u, "/word"), -EINVAL);
	assert_int_equal(host_read_u64(&t.host, &u, "/neg"), -EINVAL);
	assert_int_equal(host_read_u64(&t.host, &u, "/big"), -EINVAL);
	assert_int_equal(host_read_u64(&t.host, &u, "/none"), -ENOENT);
	assert_int_equal(u, 7);
	assert_int_equal(host_read_u64(&t.host, &u, "/n"), 0);
	assert_true(u == UINT64_MAX);
	assert_int_equal(host_read_u64(&t.host, &u, "/hex"), 0);
	assert_int_equal(u, 16);
	assert_int_equal(host_read_i64(&t.host, &i, "/word"), -EINVAL);
	assert_int_equal(host_read_i64(&t.host, &i, "/neg"), 0);
	assert_int_equal(i, -1);
	tree_release(&t);
}

static void whole_files_of_any_size_are_read(void **state)
{
	struct tree t;
	size_t len, want = 100000;
	char *big = malloc(want + 1), *got;
	tree_init(&t);
	memset(big, 'x', want);
	big[want] = '\0';
	tree_put(&t, "/big", big);
	assert_int_equal(host_read_all(&t.host, &got, &len, "/big"), 0);
	assert_int_equal(len, want);
	assert_string_equal(got, big);
	free(got);
	free(big);
	assert_int_equal(host_read_all(&t.host, &got, &len, "/none"), -ENOENT);
	tree_release(&t);
}

static void links_and_lists(void **state)
{
	struct tree t;
	struct arena a;
	struct host_names l = {0};
	char buf[16];
	tree_init(&t);
	arena_init(&a, 0);
	tree_link(&t, "/driver", "../../bus/pci/drivers/nvme");
	assert_int_equal(host_read_link(&t.host, buf, sizeof(buf), "/driver"), 0);
	assert_string_equal(buf, "nvme");
	for (unsigned i = 0; i < 40; i++) {
		char path[32];
		snprintf(path, sizeof(path), "/d/e%02u", 39 - i);
		tree_put(&t, path, "");
	}
	tree_put(&t, "/d/.hidden", "");
	assert_int_equal(host_names_add(&l, &a, "first"), 0);
	assert_int_equal(host_list_dir(&t.host, &a, &l, "/d"), 0);
	assert_int_equal(host_list_dir(&t.host, &a, &l, "/d"), 0);
	assert_int_equal(l.n, 41);
	assert_string_equal(l.v[0], "first");
	for (unsigned i = 1; i < 41; i++)
		assert_int_equal(strtol(l.v[i] + 1, NULL, 10), i - 1);
	assert_int_equal(host_list_dir(&t.host, &a, &l, "/none"), -ENOENT);
	arena_release(&a);
	tree_release(&t);
}

MAIN(cmocka_unit_test(text_is_trimmed_and_cut), cmocka_unit_test(numbers_are_numbers),
     cmocka_unit_test(whole_files_of_any_size_are_read), cmocka_unit_test(links_and_lists))
