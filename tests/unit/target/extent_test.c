#include "faults.h"

#include "target/extent.h"
#include <linux/fiemap.h>
#include <linux/fs.h>

/* 64 KiB data, 64 KiB hole, 64 KiB preallocated, end of file at 192 KiB. */
static int make_file(struct tree *t, bool *prealloc)
{
	char path[256], buf[65536];
	memset(buf, 'x', sizeof(buf));
	snprintf(path, sizeof(path), "%s/f", t->root);
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 3 * 65536), 0);
	assert_int_equal(write(fd, buf, sizeof(buf)), sizeof(buf));
	*prealloc = !fallocate(fd, 0, 2 * 65536, 65536);
	assert_int_equal(fsync(fd), 0);
	return fd;
}

static void shares_add_up(void **state)
{
	struct tree t;
	struct extent_share s;
	bool prealloc;
	tree_init(&t);
	int fd = make_file(&t, &prealloc), ret = extent_measure(NULL, fd, 0, 5 * 65536, true, &s);
	if (ret == -EOPNOTSUPP) {
		print_message("neither FIEMAP nor SEEK_HOLE here: skipped\n");
		close(fd);
		tree_release(&t);
		skip();
	}
	assert_int_equal(ret, 0);
	print_message("exact %d, data %d, hole %d, unwritten %d\n", s.exact, (int)s.data,
		      (int)s.hole, (int)s.unwritten);
	if (s.exact) {
		assert_int_equal(s.data, 65536);
		assert_int_equal(s.unwritten, prealloc ? 65536 : 0);
	}
	assert_int_equal(s.data + s.hole + s.unwritten, 5 * 65536);
	assert_int_equal(extent_measure(NULL, fd, 1000, 2000, false, &s), 0);
	assert_true(s.data == 2000 && s.hole == 0);
	assert_int_equal(extent_measure(NULL, fd, 65536 - 4096, 8192, false, &s), 0);
	assert_true(s.data == 4096 && s.hole == 4096);
	assert_int_equal(extent_measure(NULL, fd, 1 << 30, 4096, false, &s), 0);
	assert_true(s.data == 0 && s.hole == 4096);
	close(fd);
	tree_release(&t);
}

static int no_fiemap(int fd, unsigned long request, void *arg)
{
	errno = EOPNOTSUPP;
	return -1;
}

static void without_fiemap_by_seeking(void **state)
{
	struct sys_ops sys = sys_real;
	struct tree t;
	struct extent_share s;
	bool prealloc;
	sys.ioctl = no_fiemap;
	tree_init(&t);
	int fd = make_file(&t, &prealloc);
	assert_int_equal(extent_measure(&sys, fd, 0, 3 * 65536, false, &s), 0);
	assert_false(s.exact);
	assert_true(s.data >= 65536);
	assert_int_equal(s.data + s.hole, 3 * 65536);
	close(fd);
	tree_release(&t);
}

/* A file system with 1000 extents of one page, every other unwritten, told in portions. */
static int many_extents(int fd, unsigned long request, void *arg)
{
	struct fiemap *map = arg;
	assert_int_equal(request, FS_IOC_FIEMAP);
	map->fm_mapped_extents = 0;
	for (uint64_t i = map->fm_start / 8192;
	     i < 1000 && map->fm_mapped_extents < map->fm_extent_count; i++) {
		struct fiemap_extent *e = &map->fm_extents[map->fm_mapped_extents];
		if (i * 8192 + 4096 <= map->fm_start)
			continue;
		if (i * 8192 >= map->fm_start + map->fm_length)
			break;
		e->fe_logical = i * 8192;
		e->fe_length = 4096;
		e->fe_flags = (i % 2 ? FIEMAP_EXTENT_UNWRITTEN : 0u) |
			      (i == 999 ? FIEMAP_EXTENT_LAST : 0u);
		map->fm_mapped_extents++;
	}
	return 0;
}

static void many_extents_are_summed(void **state)
{
	struct sys_ops sys = sys_real;
	struct tree t;
	struct extent_share s;
	char path[256];
	sys.ioctl = many_extents;
	tree_init(&t);
	snprintf(path, sizeof(path), "%s/f", t.root);
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, 1000 * 8192), 0);
	assert_int_equal(extent_measure(&sys, fd, 0, 1000 * 8192, false, &s), 0);
	assert_int_equal(s.data, 500 * 4096);
	assert_int_equal(s.unwritten, 500 * 4096);
	assert_int_equal(s.hole, 1000 * 4096);
	assert_int_equal(extent_measure(&sys, fd, 2048, 8192, false, &s), 0);
	assert_int_equal(s.data, 2048);
	assert_int_equal(s.unwritten, 2048);
	assert_int_equal(s.hole, 4096);
	close(fd);
	tree_release(&t);
}

static void only_regular_files(void **state)
{
	struct extent_share s = {.data = 5};
	int fd = open("/dev/null", O_RDONLY);
	assert_int_equal(extent_measure(NULL, fd, 0, 4096, false, &s), -EOPNOTSUPP);
	assert_int_equal(s.data, 5);
	close(fd);
}

MAIN(cmocka_unit_test(shares_add_up), cmocka_unit_test(without_fiemap_by_seeking),
     cmocka_unit_test(many_extents_are_summed), cmocka_unit_test(only_regular_files))
