#include "faults.h"

#include "host/list.h"
#include "target/layout.h"

/* One case: what was there before and what is asked for. */
struct scene {
	const char *name;
	bool exists;
	size_t old;
	uint64_t size;
	bool fill;
	enum opt_fallocate fallocate;
};

static const struct scene scenes[] = {
	{"dir/in/new-read", false, 0, 200000, true, FALLOC_NATIVE},
	{"new-write", false, 0, 200000, false, FALLOC_NATIVE},
	{"new-posix", false, 0, 200000, false, FALLOC_POSIX},
	{"new-none", false, 0, 200000, false, FALLOC_NONE},
	{"dir2/new-keep", false, 0, 200000, false, FALLOC_KEEP},
	{"new-truncate", false, 0, 200000, true, FALLOC_TRUNCATE},
	{"short-read", true, 70001, 200000, true, FALLOC_NATIVE},
	{"short-read-none", true, 70001, 200000, true, FALLOC_NONE},
	{"short-keep", true, 70001, 200000, false, FALLOC_KEEP},
	{"short-write", true, 70001, 200000, false, FALLOC_TRUNCATE},
	{"short-posix", true, 70001, 200000, false, FALLOC_POSIX},
	{"empty", true, 0, 200000, true, FALLOC_POSIX},
	{"large", true, 300000, 200000, true, FALLOC_NATIVE},
};
#define SCENES (sizeof(scenes) / sizeof(*scenes))

static void make_old(const char *path, size_t n)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	for (size_t i = 0; i < n; i++)
		fputc((int)(i * 7 + i / 251) & 0xff, f);
	assert_int_equal(fclose(f), 0);
}

static void check_old(const char *path, size_t n)
{
	size_t len;
	char *text = file_read(path, &len);
	assert_true(len >= n);
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] != ((i * 7 + i / 251) & 0xff))
			fail_msg("%s: byte %zu changed", path, i);
	free(text);
}

static uint64_t size_of(const char *path)
{
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	return (uint64_t)st.st_size;
}

static struct layout_file prepare(struct tree *t, const struct scene *s, char *path, size_t room)
{
	snprintf(path, room, "%s/%s", t->root, s->name);
	if (s->exists)
		make_old(path, s->old);
	struct layout_file f = {
		.path = path, .size = s->size, .fill = s->fill, .fallocate = s->fallocate};
	return f;
}

static struct layout plain(void)
{
	struct layout l = {.may_create = true, .fsync = true, .seed = 1, .block = 65536};
	return l;
}

static void folder_is_empty_but_for(struct tree *t, const char *path, bool exists)
{
	struct arena a;
	struct host_names l = {0};
	arena_init(&a, 0);
	assert_int_equal(host_list_dir(&t->host, &a, &l, "/"), 0);
	assert_int_equal(l.n, exists);
	assert_int_equal(file_exists(path), exists);
	arena_release(&a);
}

static void sizes_come_out_and_old_data_stay(void **state)
{
	struct layout l = plain();
	for (size_t i = 0; i < SCENES; i++) {
		const struct scene *s = &scenes[i];
		struct tree t;
		struct err e = {0};
		char path[256];
		tree_init(&t);
		struct layout_file f = prepare(&t, s, path, sizeof(path));
		assert_int_equal(layout_file(&l, &f, &e), 0);
		bool same_size =
			!s->fill && (s->fallocate == FALLOC_KEEP || s->fallocate == FALLOC_NONE);
		uint64_t want = same_size || s->old > s->size ? s->old : s->size;
		assert_int_equal(size_of(path), want);
		assert_int_equal(f.new_size, want);
		assert_int_equal(f.old_size, s->old);
		assert_int_equal(f.written, s->fill && s->old < s->size ? s->size - s->old : 0);
		assert_int_equal(f.created, !s->exists);
		if (s->exists)
			check_old(path, s->old);
		assert_int_equal(layout_undo(&l, &f), 0);
		if (s->exists) {
			assert_int_equal(size_of(path), s->old);
			check_old(path, s->old);
		}
		folder_is_empty_but_for(&t, path, s->exists);
		tree_release(&t);
	}
}

/* The law of this file: whatever call fails, what was there is there, and what was not is not. */
static void any_call_may_fail(void **state)
{
	static const int errors[] = {EIO, ENOSPC};
	struct layout l = plain();
	l.sys = &faulty;
	for (size_t i = 0; i < SCENES * 2; i++) {
		const struct scene *s = &scenes[i / 2];
		unsigned failed = 0;
		for (unsigned n = 1;; n++) {
			struct tree t;
			struct err e = {0};
			char path[256];
			tree_init(&t);
			struct layout_file f = prepare(&t, s, path, sizeof(path));
			faults_arm(n, errors[i % 2]);
			int ret = layout_file(&l, &f, &e);
			bool done = faults_calls < n;
			assert_int_equal(faults_open, 0);
			faults_arm(0, 0);
			if (ret) {
				failed++;
				assert_true(e.cls == ERR_SETUP && e.sys == errors[i % 2]);
				assert_non_null(strstr(e.text, path));
				assert_false(f.created || f.extended);
				if (s->exists)
					assert_int_equal(size_of(path), s->old);
				folder_is_empty_but_for(&t, path, s->exists);
			}
			if (s->exists)
				check_old(path, s->old);
			tree_release(&t);
			if (done)
				break;
			assert_true(n < 200);
		}
		assert_true(failed >= 1);
	}
}

static void undo_may_fail_but_never_harms(void **state)
{
	struct layout l = plain();
	for (size_t i = 0; i < SCENES; i++)
		for (unsigned n = 1; n < 8; n++) {
			struct tree t;
			char path[256];
			tree_init(&t);
			struct layout_file f = prepare(&t, &scenes[i], path, sizeof(path));
			l.sys = NULL;
			assert_int_equal(layout_file(&l, &f, NULL), 0);
			l.sys = &faulty;
			faults_arm(n, EIO);
			IGNORE_RESULT(layout_undo(&l, &f));
			assert_int_equal(faults_open, 0);
			faults_arm(0, 0);
			if (scenes[i].exists)
				check_old(path, scenes[i].old);
			tree_release(&t);
		}
}

static void files_of_others_are_not_undone(void **state)
{
	struct layout l = plain();
	struct tree t;
	char path[256];
	tree_init(&t);
	struct layout_file f = prepare(&t, &scenes[1], path, sizeof(path));
	assert_int_equal(layout_file(&l, &f, NULL), 0);
	assert_int_equal(unlink(path), 0);
	make_old(path, 5);
	assert_int_equal(layout_undo(&l, &f), 0);
	check_old(path, 5);
	assert_int_equal(size_of(path), 5);
	assert_int_equal(unlink(path), 0);
	f.created = true;
	assert_int_equal(layout_undo(&l, &f), 0);
	tree_release(&t);
}

static void refusals_name_both_sizes(void **state)
{
	struct layout l = plain();
	struct tree t;
	struct err e = {0};
	char path[256];
	tree_init(&t);
	l.may_create = false;
	struct layout_file f = prepare(&t, &scenes[6], path, sizeof(path));
	assert_int_equal(layout_file(&l, &f, &e), -EFBIG);
	assert_non_null(strstr(e.text, "200000"));
	assert_non_null(strstr(e.text, "70001"));
	assert_int_equal(size_of(path), 70001);
	check_old(path, 70001);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(layout_file(&l, &f, &e), -ENOENT);
	assert_non_null(strstr(e.text, "200000"));
	folder_is_empty_but_for(&t, path, false);
	tree_release(&t);
}

static void nothing_is_made_below_dev(void **state)
{
	static const char *const paths[] = {"/dev/fathom-no-such-disk",
					    "/dev/fathom-no-such-folder/disk",
					    "/dev/../dev//fathom-no-such-disk"};
	struct layout l = plain();
	struct tree t;
	char path[256];
	for (size_t i = 0; i < 3; i++) {
		struct err e = {0};
		struct layout_file f = {.path = paths[i], .size = 4096, .fill = true};
		assert_int_equal(layout_file(&l, &f, &e), -EPERM);
		assert_non_null(strstr(e.text, "mistyped"));
		assert_false(file_exists(paths[i]));
	}
	assert_false(file_exists("/dev/fathom-no-such-folder"));
	/* Through a link to a folder, and through a link to a file that is not there. */
	tree_init(&t);
	tree_link(&t, "/folder", "/dev");
	tree_link(&t, "/file", "/dev/fathom-no-such-disk");
	snprintf(path, sizeof(path), "%s/folder/fathom-no-such-disk", t.root);
	struct layout_file f = {.path = path, .size = 4096, .fill = true};
	assert_int_equal(layout_file(&l, &f, NULL), -EPERM);
	snprintf(path, sizeof(path), "%s/file", t.root);
	assert_int_not_equal(layout_file(&l, &f, NULL), 0);
	assert_false(file_exists("/dev/fathom-no-such-disk"));
	assert_true(file_exists(path));
	tree_release(&t);
}

static uint64_t progressed;
static atomic_int stop_flag;

static void stop_midway(void *ctx, uint64_t bytes)
{
	progressed += bytes;
	if (progressed >= 100000)
		atomic_store(&stop_flag, 1);
}

static void a_stop_takes_back(void **state)
{
	struct layout l = plain();
	l.sys = &faulty;
	l.stop = &stop_flag;
	l.progress = stop_midway;
	faults_arm(0, 0);
	for (size_t i = 0; i < 7; i += 6) {
		struct tree t;
		struct err e = {0};
		char path[256];
		tree_init(&t);
		progressed = 0;
		atomic_store(&stop_flag, 0);
		struct layout_file f = prepare(&t, &scenes[i], path, sizeof(path));
		assert_int_equal(layout_file(&l, &f, &e), -EINTR);
		assert_int_equal(e.cls, ERR_INTERRUPTED);
		assert_true(progressed >= 100000 && progressed < 140001);
		if (scenes[i].exists)
			assert_int_equal(size_of(path), scenes[i].old);
		folder_is_empty_but_for(&t, path, scenes[i].exists);
		tree_release(&t);
	}
}

/* Every pwrite from the third on finds the disk full. */
static ssize_t full_pwrite(int fd, const void *buf, size_t n, off_t offset)
{
	if (offset >= 131072) {
		errno = ENOSPC;
		return -1;
	}
	return pwrite(fd, buf, n, offset);
}

static void a_full_disk_may_be_wanted(void **state)
{
	struct sys_ops sys = sys_real;
	struct layout l = plain();
	struct tree t;
	struct err e = {0};
	char path[256];
	sys.pwrite = full_pwrite;
	l.sys = &sys;
	tree_init(&t);
	struct layout_file f = prepare(&t, &scenes[0], path, sizeof(path));
	assert_int_equal(layout_file(&l, &f, &e), -ENOSPC);
	folder_is_empty_but_for(&t, path, false);
	l.enospc_ok = true;
	assert_int_equal(layout_file(&l, &f, &e), 0);
	assert_true(f.full);
	assert_int_equal(f.new_size, 131072);
	assert_int_equal(size_of(path), 131072);
	tree_release(&t);
}

/* Random bytes: every value about as often as any other, and no two blocks alike. */
static void data_do_not_compress(void **state)
{
	struct layout l = plain();
	struct tree t;
	char path[2][256];
	char *text[2];
	size_t len, n = 1 << 20;
	tree_init(&t);
	for (unsigned k = 0; k < 2; k++) {
		struct layout_file f = {.path = path[k], .size = n, .fill = true};
		snprintf(path[k], sizeof(path[k]), "%s/f%u", t.root, k);
		assert_int_equal(layout_file(&l, &f, NULL), 0);
		text[k] = file_read(path[k], &len);
		assert_int_equal(len, n);
	}
	uint64_t count[256] = {0};
	for (size_t i = 0; i < n; i++)
		count[(unsigned char)text[0][i]]++;
	double chi = 0;
	for (unsigned v = 0; v < 256; v++)
		chi += ((double)count[v] - 4096) * ((double)count[v] - 4096) / 4096;
	print_message("chi square with 255 degrees of freedom: %.1f\n", chi);
	assert_true(chi < 380);
	for (size_t i = 0; i < n; i += 65536) {
		assert_memory_not_equal(text[0] + i, text[1] + i, 64);
		if (i)
			assert_memory_not_equal(text[0] + i, text[0], 64);
	}
	free(text[0]);
	free(text[1]);
	tree_release(&t);
}

static void holes_of_old_files_stay(void **state)
{
	struct layout l = plain();
	struct tree t;
	struct stat st;
	char path[256];
	tree_init(&t);
	snprintf(path, sizeof(path), "%s/sparse", t.root);
	make_old(path, 4096);
	assert_int_equal(truncate(path, 64 << 20), 0);
	struct layout_file f = {.path = path, .size = (64 << 20) + 8192, .fill = true};
	assert_int_equal(layout_file(&l, &f, NULL), 0);
	assert_int_equal(f.written, 8192);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_blocks * 512 < 1 << 20);
	check_old(path, 4096);
	tree_release(&t);
}

static void devices_and_folders_are_left_alone(void **state)
{
	struct layout l = plain();
	struct layout_file f = {.path = "/dev/null", .size = 4096, .fill = true};
	assert_int_equal(layout_file(&l, &f, NULL), 0);
	f.path = "/tmp";
	assert_int_equal(layout_file(&l, &f, NULL), 0);
	assert_false(f.created || f.extended);
}

MAIN(cmocka_unit_test(sizes_come_out_and_old_data_stay), cmocka_unit_test(any_call_may_fail),
     cmocka_unit_test(undo_may_fail_but_never_harms),
     cmocka_unit_test(files_of_others_are_not_undone), cmocka_unit_test(refusals_name_both_sizes),
     cmocka_unit_test(nothing_is_made_below_dev), cmocka_unit_test(a_stop_takes_back),
     cmocka_unit_test(a_full_disk_may_be_wanted), cmocka_unit_test(data_do_not_compress),
     cmocka_unit_test(holes_of_old_files_stay),
     cmocka_unit_test(devices_and_folders_are_left_alone))
