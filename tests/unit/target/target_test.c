#include "faults.h"

#include "target/target.h"
#include "target/open.h"

static const struct host here = {""};

static void kinds_are_told_apart(void **state)
{
	struct tree t;
	struct target_info i;
	struct err e = {0};
	char path[256];
	tree_init(&t);
	tree_put(&t, "/file", "12345");
	snprintf(path, sizeof(path), "%s/file", t.root);
	assert_int_equal(target_probe(&here, NULL, path, &i, &e), 0);
	assert_int_equal(i.kind, TARGET_REGULAR);
	assert_int_equal(i.size, 5);
	assert_true(i.fs[0] != '\0');
	assert_true(i.alignment >= 1 && i.memory_alignment >= 1);
	assert_ptr_equal(i.path, path);
	snprintf(path, sizeof(path), "%s/fifo", t.root);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(target_probe(&here, NULL, path, &i, &e), 0);
	assert_int_equal(i.kind, TARGET_FIFO);
	assert_int_equal(i.alignment, 1);
	assert_int_equal(target_probe(&here, NULL, t.root, &i, &e), 0);
	assert_int_equal(i.kind, TARGET_DIRECTORY);
	assert_int_equal(target_probe(&here, NULL, "/dev/null", &i, &e), 0);
	assert_int_equal(i.kind, TARGET_CHAR);
	snprintf(path, sizeof(path), "%s/no/such", t.root);
	assert_int_equal(target_probe(&here, NULL, path, &i, &e), 0);
	assert_int_equal(i.kind, TARGET_MISSING);
	assert_true(i.fs[0] != '\0');
	snprintf(path, sizeof(path), "%s/file/below", t.root);
	assert_int_equal(target_probe(&here, NULL, path, &i, &e), -ENOTDIR);
	assert_non_null(strstr(e.text, path));
	for (int k = TARGET_MISSING; k <= TARGET_DIRECTORY; k++)
		assert_true(strlen(target_kind_word((enum target_kind)k)) > 3);
	tree_release(&t);
}

static void direct_alignment_is_named(void **state)
{
	struct target_info i = {.path = "f",
				.kind = TARGET_REGULAR,
				.fs = "xfs",
				.direct = TARGET_DIRECT_YES,
				.alignment = 4096};
	struct err e = {0};
	assert_int_equal(target_check_direct(&i, 8192, &e), 0);
	assert_int_equal(target_check_direct(&i, 1000, &e), -EINVAL);
	assert_non_null(strstr(e.text, "4096"));
	assert_non_null(strstr(e.text, "xfs"));
	i.direct = TARGET_DIRECT_NO;
	assert_int_equal(target_check_direct(&i, 4096, &e), -EINVAL);
	assert_non_null(strstr(e.remedy, "direct=0"));
}

/* A file system that refuses O_DIRECT, after it has made the file as some do. */
static int no_direct_open(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags & ~O_DIRECT, mode);
	if (fd >= 0 && flags & O_DIRECT) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

static void refused_direct_leaves_no_file(void **state)
{
	struct sys_ops sys = sys_real;
	struct tree t;
	struct err e = {0};
	char path[256];
	int fd = -7;
	sys.open = no_direct_open;
	tree_init(&t);
	snprintf(path, sizeof(path), "%s/f", t.root);
	struct target_open o = {.path = path, .write = true, .direct = true, .create = true};
	assert_int_equal(target_open(&sys, &o, &fd, &e), -EINVAL);
	assert_int_equal(fd, -7);
	assert_non_null(strstr(e.text, "O_DIRECT"));
	assert_non_null(strstr(e.remedy, "direct=0"));
	assert_false(file_exists(path));
	/* One that was there stays. */
	tree_put(&t, "/f", "old");
	assert_int_equal(target_open(&sys, &o, &fd, &e), -EINVAL);
	assert_true(file_exists(path));
	tree_release(&t);
}

static void open_creates_only_when_asked(void **state)
{
	struct tree t;
	struct err e = {0};
	struct stat st;
	char path[256], *text;
	size_t len;
	int fd;
	tree_init(&t);
	snprintf(path, sizeof(path), "%s/f", t.root);
	struct target_open o = {.path = path, .write = true, .sync = SYNC_DSYNC, .hint = HINT_AUTO};
	assert_int_equal(target_open(NULL, &o, &fd, &e), -ENOENT);
	assert_false(file_exists(path));
	o.create = true;
	assert_int_equal(target_open(NULL, &o, &fd, &e), 0);
	assert_int_equal(fcntl(fd, F_GETFL) & (O_ACCMODE | O_SYNC), O_WRONLY | O_DSYNC);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	close(fd);
	tree_put(&t, "/f", "content");
	o.read = o.noatime = true;
	o.sync = SYNC_SYNC;
	assert_int_equal(target_open(NULL, &o, &fd, &e), 0);
	assert_int_equal(fcntl(fd, F_GETFL) & (O_ACCMODE | O_SYNC), O_RDWR | O_SYNC);
	close(fd);
	o.write = false;
	assert_int_equal(target_open(NULL, &o, &fd, &e), 0);
	assert_int_equal(fcntl(fd, F_GETFL) & (O_ACCMODE | O_SYNC), O_RDONLY);
	close(fd);
	text = file_read(path, &len);
	assert_string_equal(text, "content");
	free(text);
	o.path = "/dev/fathom-no-such-disk";
	o.write = true;
	assert_int_equal(target_open(NULL, &o, &fd, &e), -EPERM);
	assert_false(file_exists(o.path));
	tree_release(&t);
}

static void failing_calls_leak_nothing(void **state)
{
	for (unsigned n = 1; n < 12; n++) {
		struct tree t;
		struct err e = {0};
		char path[256];
		int fd = -1;
		tree_init(&t);
		snprintf(path, sizeof(path), "%s/f", t.root);
		struct target_open o = {
			.path = path, .write = true, .create = true, .hint = HINT_RANDOM};
		faults_arm(n, EIO);
		int ret = target_open(&faulty, &o, &fd, &e);
		faults_arm(0, 0);
		assert_int_equal(faults_open, ret ? 0 : 1);
		if (ret)
			assert_false(file_exists(path));
		else
			faulty.close(fd);
		tree_release(&t);
	}
}

MAIN(cmocka_unit_test(kinds_are_told_apart), cmocka_unit_test(direct_alignment_is_named),
     cmocka_unit_test(refused_direct_leaves_no_file),
     cmocka_unit_test(open_creates_only_when_asked), cmocka_unit_test(failing_calls_leak_nothing))
