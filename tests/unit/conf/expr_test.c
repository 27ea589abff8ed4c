#include "conf/expr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>

static void expressions_have_their_documented_precedence(void **state)
{
	static const struct {
		const char *text;
		enum expr_kind kind;
		unsigned base;
		double value;
		bool suffix;
	} good[] = {
		{"(1)", EXPR_SIZE, 1024, 1, false},
		{"(1+2*3)", EXPR_SIZE, 1024, 7, false},
		{"((1+2)*3)", EXPR_SIZE, 1024, 9, false},
		{"(2*4k)", EXPR_SIZE, 1024, 8192, true},
		{"(2+4k)", EXPR_SIZE, 1024, 4098, true},
		{"(8k/2)", EXPR_SIZE, 1024, 4096, true},
		{"((1+1)m)", EXPR_SIZE, 1024, 2097152, true},
		{"(1kib)", EXPR_SIZE, 1024, 1000, true},
		{"(1kib)", EXPR_SIZE, 1000, 1024, true},
		{"(1k)", EXPR_SIZE, 1000, 1000, true},
		{"(1ki)", EXPR_SIZE, 1000, 1024, true},
		{"(1.5k)", EXPR_SIZE, 1024, 1536, true},
		{"(7/2)", EXPR_SIZE, 1024, 3, false},
		{"(7.0/2)", EXPR_SIZE, 1024, 3.5, false},
		{"(-3+5)", EXPR_SIZE, 1024, 2, false},
		{"(2^3^2)", EXPR_SIZE, 1024, 512, false},
		{"(2^-1)", EXPR_SIZE, 1024, 0.5, false},
		{"(2*7%4)", EXPR_SIZE, 1024, 6, false},
		{"2*7%4", EXPR_PLAIN, 1024, 2, false},
		{"( 0x10 + 1 )", EXPR_SIZE, 1024, 17, false},
		{"(1m)", EXPR_TIME, 1024, 60e6, true},
		{"(2s)", EXPR_TIME, 1024, 2e6, true},
		{"(1h+1ms)", EXPR_TIME, 1024, 3600001000, true},
		{"(10)", EXPR_TIME, 1024, 10, false},
		{"(1d)", EXPR_TIME, 1024, 86400e6, true},
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct expr_value v;
		struct err err = {0};
		if (expr_eval(good[i].text, good[i].kind, good[i].base, &v, &err))
			fail_msg("%s: %s", good[i].text, err.text);
		if (fabs(v.f - good[i].value) > 1e-9 || v.has_suffix != good[i].suffix)
			fail_msg("%s gives %g", good[i].text, v.f);
	}
}

static void bad_expressions_are_refused_with_words(void **state)
{
	static const struct {
		const char *text;
		int rc;
	} bad[] = {
		{"", -EINVAL},
		{"(", -EINVAL},
		{"()", -EINVAL},
		{"(1", -EINVAL},
		{"(1))", -EINVAL},
		{"(1+)", -EINVAL},
		{"(1x)", -EINVAL},
		{"(1/0)", -EINVAL},
		{"(1%0)", -EINVAL},
		{"(1.0/0)", -EINVAL},
		{"(.)", -EINVAL},
		{"(0x)", -EINVAL},
		{"(1 2)", -EINVAL},
		{"(1:2)", -EINVAL},
		{"(9223372036854775807+1)", -ERANGE},
		{"(99999999999999999999)", -ERANGE},
		{"(2^64)", -ERANGE},
		{"(10.0^400)", -ERANGE},
	};
	char deep[400];
	struct expr_value v = {.f = 42};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = {0};
		int rc = expr_eval(bad[i].text, EXPR_SIZE, 1024, &v, &err);
		if (rc != bad[i].rc || !err.text[0])
			fail_msg("%s gives %d, '%s'", bad[i].text, rc, err.text);
	}
	memset(deep, '(', sizeof(deep));
	deep[sizeof(deep) - 1] = '\0';
	assert_int_equal(expr_eval(deep, EXPR_SIZE, 1024, &v, NULL), -EINVAL);
	memset(deep, '-', sizeof(deep) - 1);
	assert_int_equal(expr_eval(deep, EXPR_SIZE, 1024, &v, NULL), -EINVAL);
	assert_true(v.f == 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions_have_their_documented_precedence),
		cmocka_unit_test(bad_expressions_are_refused_with_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
