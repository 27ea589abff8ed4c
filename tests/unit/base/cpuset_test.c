#include "base/cpuset.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static struct cpuset parse(struct arena *a, const char *text)
{
	struct cpuset l = {0};
	assert_int_equal(cpuset_parse(text, a, &l), 0);
	return l;
}

static void lists_are_read_and_printed(void **state)
{
	static const char *const pairs[][2] = {
		{"", ""},
		{"0\n", "0"},
		{"0-3", "0-3"},
		{"3,1,2", "1-3"},
		{"0-8:2", "0,2,4,6,8"},
		{" 0-1, 64-65 ,1000\n", "0-1,64-65,1000"},
		{"5,5,5", "5"},
		{"65535", "65535"},
		{"4 - 6 , 9", "4-6,9"},
		{"0-3,2-6", "0-6"},
	};
	struct arena a;
	char buf[64];
	arena_init(&a, 0);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct cpuset l = parse(&a, pairs[i][0]);
		cpuset_print(&l, buf, sizeof(buf));
		assert_string_equal(buf, pairs[i][1]);
	}
	arena_release(&a);
}

static void bad_lists_are_refused(void **state)
{
	static const char *const bad[] = {"x",	"1,",	 ",1",	"3-1", "1--2", "1-",
					  "-1", "0-4:0", "1 2", "1;2", "0x1"};
	struct arena a;
	struct cpuset l = {.n = 99};
	arena_init(&a, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(cpuset_parse(bad[i], &a, &l), -EINVAL);
	assert_int_equal(cpuset_parse("65536", &a, &l), -ERANGE);
	assert_int_equal(cpuset_parse("99999999999999999999", &a, &l), -ERANGE);
	assert_int_equal(l.n, 99);
	arena_release(&a);
}

static void intersection(void **state)
{
	struct arena a;
	char buf[64];
	arena_init(&a, 0);
	struct cpuset x = parse(&a, "0-3,70-80"), y = parse(&a, "2-75"), none = parse(&a, ""), both;
	assert_int_equal(cpuset_both(&x, &y, &a, &both), 0);
	cpuset_print(&both, buf, sizeof(buf));
	assert_string_equal(buf, "2-3,70-75");
	assert_true(cpuset_has(&both, 70));
	assert_false(cpuset_has(&both, 69));
	assert_int_equal(cpuset_both(&x, &none, &a, &both), 0);
	assert_int_equal(both.n, 0);
	cpuset_print(&both, buf, sizeof(buf));
	assert_string_equal(buf, "");
	arena_release(&a);
}

static void difference_and_equality(void **state)
{
	struct arena a;
	char buf[64];
	arena_init(&a, 0);
	struct cpuset x = parse(&a, "0-3,70-80"), y = parse(&a, "2-75"), none = parse(&a, ""), rest;
	assert_int_equal(cpuset_without(&x, &y, &a, &rest), 0);
	cpuset_print(&rest, buf, sizeof(buf));
	assert_string_equal(buf, "0-1,76-80");
	assert_int_equal(cpuset_without(&none, &y, &a, &rest), 0);
	assert_int_equal(rest.n, 0);
	assert_true(cpuset_equal(&rest, &none));
	assert_false(cpuset_equal(&x, &y));
	assert_true(cpuset_equal(&x, &x));
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_read_and_printed),
		cmocka_unit_test(bad_lists_are_refused),
		cmocka_unit_test(intersection),
		cmocka_unit_test(difference_and_equality),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
