#include "base/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

static void distance_counts_edits(void **state)
{
	assert_int_equal(names_distance("", "", 9), 0);
	assert_int_equal(names_distance("iodepth", "iodepth", 9), 0);
	assert_int_equal(names_distance("iodept", "iodepth", 9), 1);
	assert_int_equal(names_distance("iodpeth", "iodepth", 9), 1);
	assert_int_equal(names_distance("kitten", "sitting", 9), 3);
	assert_int_equal(names_distance("", "abc", 9), 3);
	assert_int_equal(names_distance("ca", "abc", 9), 3);
	assert_int_equal(names_distance("kitten", "sitting", 2), 2);
	assert_int_equal(names_distance("a", "abcdefgh", 3), 3);
}

static void distance_is_symmetric(void **state)
{
	static const char *const w[] = {"bs",	     "bssplit",	      "blocksize", "rw",
					"readwrite", "iodepth_batch", "",	   "x"};

	for (size_t i = 0; i < 8; i++)
		for (size_t k = 0; k < 8; k++)
			assert_int_equal(names_distance(w[i], w[k], 50),
					 names_distance(w[k], w[i], 50));
}

static void very_long_words_are_far(void **state)
{
	char a[300], b[300];

	memset(a, 'a', 299);
	memset(b, 'a', 299);
	a[299] = b[299] = '\0';
	assert_int_equal(names_distance(a, b, 5), 0);
	b[200] = 'b';
	assert_int_equal(names_distance(a, b, 5), 5);
}

static void nearest_is_near_or_nothing(void **state)
{
	static const char *const names[] = {"bs",	"iodepth",	     "ioengine",
					    "filename", "file_service_type", "rw"};

	assert_int_equal(names_nearest("iodpeth", names, 6), 1);
	assert_int_equal(names_nearest("ioengin", names, 6), 2);
	assert_int_equal(names_nearest("filname", names, 6), 3);
	assert_int_equal(names_nearest("rw", names, 6), 5);
	assert_int_equal(names_nearest("bz", names, 6), 0);
	assert_int_equal(names_nearest("qqq", names, 6), -1);
	assert_int_equal(names_nearest("completely", names, 6), -1);
	assert_int_equal(names_nearest("", names, 6), -1);
	assert_int_equal(names_nearest("x", NULL, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distance_counts_edits),
		cmocka_unit_test(distance_is_symmetric),
		cmocka_unit_test(very_long_words_are_far),
		cmocka_unit_test(nearest_is_near_or_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
