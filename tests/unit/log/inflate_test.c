#include "log/inflate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What fio 3.33 wrote for two reads with log_offset (first stream) and one with log_prio and
 * prioclass=1 (second). */
static const unsigned char sample[] = {
	0x78, 0x9c, 0x63, 0x60, 0x80, 0x00, 0x53, 0x3e, 0x06, 0x18, 0x68, 0x00, 0x93,
	0x02, 0x0c, 0x58, 0x81, 0x1b, 0x03, 0x0e, 0x75, 0x50, 0x1a, 0x00, 0x49, 0xaa,
	0x01, 0xba, 0x78, 0x9c, 0x63, 0x60, 0x80, 0x00, 0x2d, 0x49, 0x06, 0x18, 0x70,
	0x60, 0x51, 0x00, 0x92, 0x02, 0x10, 0x0e, 0x00, 0x0b, 0x8f, 0x00, 0xb8,
};

static int inflate_bytes(const void *data, size_t n, char **text, struct err *err)
{
	char path[] = "/tmp/fathom-inflate-XXXXXX";
	int fd = mkstemp(path);
	size_t size = 0;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, n), n);
	close(fd);
	*text = NULL;
	FILE *to = open_memstream(text, &size);
	int rc = inflate_log(path, to, err);
	fclose(to);
	unlink(path);
	return rc;
}

static void prints_what_fio_stored(void **state)
{
	char *text;
	struct err err = {0};
	int rc = inflate_bytes(sample, sizeof(sample), &text, &err);

	if (rc == -ENOTSUP) {
		free(text);
		skip();
	}
	assert_int_equal(rc, 0);
	assert_string_equal(
		text,
		"0, 3637, 0, 4096, 0, 0\n0, 70, 0, 4096, 4096, 0\n0, 6442, 0, 4096, 0x2004\n");
	free(text);
}

static void damage_and_other_files_are_refused(void **state)
{
	static const char plain[] = "0, 3637, 0, 4096, 0\n";
	char *text;
	struct err err = {0};

	int rc = inflate_bytes(plain, sizeof(plain), &text, &err);
	free(text);
	if (rc == -ENOTSUP)
		skip();
	assert_int_equal(rc, -EINVAL);
	assert_int_equal(inflate_bytes(sample, sizeof(sample) - 3, &text, &err), -EINVAL);
	free(text);
	assert_int_equal(inflate_log("/nonexistent", stdout, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints_what_fio_stored),
		cmocka_unit_test(damage_and_other_files_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
