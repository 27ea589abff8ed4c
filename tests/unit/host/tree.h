/* A small /proc and /sys in a temporary folder, built by a test and removed after it. */
#ifndef FATHOM_TESTS_TREE_H
#define FATHOM_TESTS_TREE_H

#include <ftw.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "host/host.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
	char root[64];
	struct host host;
};

static inline void tree_init(struct tree *t)
{
	snprintf(t->root, sizeof(t->root), "/tmp/fathom-test-XXXXXX");
	assert_non_null(mkdtemp(t->root));
	t->host.root = t->root;
}

static inline int tree_remove_one(const char *path, const struct stat *st, int type,
				  struct FTW *where)
{
	return remove(path);
}

static inline void tree_release(struct tree *t)
{
	assert_int_equal(nftw(t->root, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* The full name of path, with its folders made. */
static inline const char *tree_path(struct tree *t, const char *path, char *full, size_t size)
{
	snprintf(full, size, "%s%s", t->root, path);
	for (char *p = full + strlen(t->root) + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			assert_true(!mkdir(full, 0755) || errno == EEXIST);
			*p = '/';
		}
	return full;
}

static inline void tree_put(struct tree *t, const char *path, const char *text)
{
	char full[512];
	FILE *f = fopen(tree_path(t, path, full, sizeof(full)), "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static inline void tree_dir(struct tree *t, const char *path)
{
	char full[512];
	tree_path(t, path, full, sizeof(full));
	assert_true(!mkdir(full, 0755) || errno == EEXIST);
}

static inline void tree_link(struct tree *t, const char *path, const char *to)
{
	char full[512];
	assert_int_equal(symlink(to, tree_path(t, path, full, sizeof(full))), 0);
}

/* A block device below /sys/devices/<above>/block/<name> (partition: <disk>/<name>) with its links.
 */
static inline void tree_disk(struct tree *t, const char *above, const char *name,
			     const char *number, uint64_t sectors)
{
	char path[256], to[256], text[32];
	const char *leaf = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)sectors);
	snprintf(path, sizeof(path), "/sys/devices/%s/block/%s/size", above, name);
	tree_put(t, path, text);
	snprintf(path, sizeof(path), "/sys/devices/%s/block/%s/dev", above, name);
	tree_put(t, path, number);
	snprintf(path, sizeof(path), "/sys/devices/%s/block/%s/ro", above, name);
	tree_put(t, path, "0\n");
	snprintf(path, sizeof(path), "/sys/devices/%s/block/%s/holders", above, name);
	tree_dir(t, path);
	snprintf(path, sizeof(path), "/sys/class/block/%s", leaf);
	snprintf(to, sizeof(to), "../../devices/%s/block/%s", above, name);
	tree_link(t, path, to);
	snprintf(path, sizeof(path), "/sys/dev/block/%.*s", (int)strcspn(number, "\n"), number);
	tree_link(t, path, to);
	if (leaf == name) {
		snprintf(path, sizeof(path), "/sys/block/%s", leaf);
		snprintf(to, sizeof(to), "../devices/%s/block/%s", above, name);
		tree_link(t, path, to);
	}
}

#define MAIN(...)                                                                                  \
	int main(void)                                                                             \
	{                                                                                          \
		const struct CMUnitTest tests[] = {__VA_ARGS__};                                   \
		return cmocka_run_group_tests(tests, NULL, NULL);                                  \
	}

#endif
