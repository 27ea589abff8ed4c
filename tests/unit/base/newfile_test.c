#include "base/newfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/newfile-XXXXXX";

static int enter(void **state)
{
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	char command[64];

	(void)snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") || system(command);
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void holds(const char *path, const char *want)
{
	char got[64] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	assert_int_equal(fclose(f), 0);
	assert_string_equal(got, want);
}

static void it_has_its_name_when_it_is_finished(void **state)
{
	struct newfile f;
	struct stat st;

	put("old", "before");
	assert_int_equal(chmod("old", 0640), 0);
	assert_int_equal(newfile_open(&f, "old", 0644), 0);
	assert_non_null(f.part);
	assert_int_equal(write(f.fd, "after", 5), 5);
	assert_int_equal(close(f.fd), 0);
	holds("old", "before");
	assert_int_equal(newfile_finish(&f, "old"), 0);
	holds("old", "after");
	assert_int_equal(stat("old", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
}

static void nothing_is_left_of_one_that_is_dropped(void **state)
{
	struct newfile f;

	assert_int_equal(newfile_open(&f, "new", 0644), 0);
	assert_int_equal(access(f.part, F_OK), 0);
	char *part = strdup(f.part);
	assert_non_null(part);
	assert_int_equal(close(f.fd), 0);
	newfile_drop(&f);
	assert_int_equal(access("new", F_OK), -1);
	assert_int_equal(access(part, F_OK), -1);
	free(part);
}

static void what_cannot_be_replaced_is_written_in_place(void **state)
{
	static const char *const names[] = {"link", "twin", "fifo", "/dev/null"};
	struct newfile f;
	int reader;

	put("file", "x");
	put("other", "x");
	assert_int_equal(symlink("file", "link"), 0);
	assert_int_equal(link("other", "twin"), 0);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	reader = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(newfile_open(&f, names[i], 0644), 0);
		assert_null(f.part);
		assert_int_equal(write(f.fd, "y", 1), 1);
		assert_int_equal(close(f.fd), 0);
		assert_int_equal(newfile_finish(&f, names[i]), 0);
	}
	holds("file", "xy");
	holds("other", "xy");
	assert_int_equal(close(reader), 0);
}

static void what_cannot_be_opened_is_an_error(void **state)
{
	struct newfile f;

	assert_int_equal(newfile_open(&f, "none/file", 0644), -ENOENT);
	assert_int_equal(mkdir("folder", 0755), 0);
	assert_int_equal(newfile_open(&f, "folder", 0644), -EISDIR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_its_name_when_it_is_finished),
		cmocka_unit_test(nothing_is_left_of_one_that_is_dropped),
		cmocka_unit_test(what_cannot_be_replaced_is_written_in_place),
		cmocka_unit_test(what_cannot_be_opened_is_an_error),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
