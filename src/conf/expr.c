#include "conf/expr.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Precedence climbing over one line of text. The nesting limit bounds recursion on hostile input.
 */
#define EXPR_DEPTH 64

enum { POWER_ADD = 1, POWER_SUFFIX, POWER_MUL, POWER_EXP, POWER_MOD };

struct parser {
	const char *start, *p;
	enum expr_kind kind;
	unsigned kb_base, depth;
	bool has_suffix;
	struct err *err;
};

static int expr_fail(struct parser *ps, int sys, const char *what)
{
	return err_set(ps->err, ERR_USAGE, sys, "'%.100s': %s at character %u", ps->start, what,
		       (unsigned)(ps->p - ps->start) + 1);
}

static void expr_skip_blanks(struct parser *ps)
{
	while (*ps->p == ' ' || *ps->p == '\t')
		ps->p++;
}

static struct expr_value expr_from_int(int64_t i)
{
	return (struct expr_value){.i = i, .f = (double)i};
}

static struct expr_value expr_from_float(double f)
{
	return (struct expr_value){.is_float = true, .f = f};
}

static int expr_number(struct parser *ps, struct expr_value *out)
{
	const char *p = ps->p;
	char *end;

	if (!isdigit((unsigned char)*p) && *p != '.')
		return expr_fail(ps, EINVAL, *p ? "a number is missing" : "it ends too early");
	errno = 0;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		long long v = strtoll(p, &end, 16);
		if (end < p + 3)
			return expr_fail(ps, EINVAL, "a number is missing");
		*out = expr_from_int(v);
	} else {
		size_t digits = strspn(p, "0123456789");
		if (p[digits] == '.') {
			if (digits + strspn(p + digits + 1, "0123456789") == 0)
				return expr_fail(ps, EINVAL, "a number is missing");
			*out = expr_from_float(strtod(p, &end));
		} else {
			*out = expr_from_int(strtoll(p, &end, 10));
		}
	}
	if (errno == ERANGE)
		return expr_fail(ps, ERANGE, "the number is too large");
	ps->p = end;
	return 0;
}

static int expr_int_power(int64_t base, int64_t exp, int64_t *out)
{
	int64_t r = 1;

	/* Beyond 63 steps only 0, 1 and -1 do not overflow, and those repeat with period two. */
	if (exp > 64 && base >= -1 && base <= 1)
		exp = 64 + exp % 2;
	for (int64_t i = 0; i < exp; i++)
		if (__builtin_mul_overflow(r, base, &r))
			return -ERANGE;
	*out = r;
	return 0;
}

static int expr_apply_int(char op, int64_t a, int64_t b, int64_t *out)
{
	bool over = false;

	switch (op) {
	case '+':
		over = __builtin_add_overflow(a, b, out);
		break;
	case '-':
		over = __builtin_sub_overflow(a, b, out);
		break;
	case '*':
		over = __builtin_mul_overflow(a, b, out);
		break;
	case '^':
		return expr_int_power(a, b, out);
	default: /* '/' and '%' */
		if (b == 0)
			return -EDOM;
		if (b == -1 && a == INT64_MIN)
			return -ERANGE;
		*out = op == '/' ? a / b : a % b;
	}
	return over ? -ERANGE : 0;
}

static int expr_apply(struct parser *ps, char op, struct expr_value *a, struct expr_value b)
{
	int ret = 0;

	if (!a->is_float && !b.is_float && !(op == '^' && b.i < 0)) {
		int64_t i = 0;
		ret = expr_apply_int(op, a->i, b.i, &i);
		if (ret == 0)
			*a = expr_from_int(i);
	} else if ((op == '/' || op == '%') && b.f == 0) {
		ret = -EDOM;
	} else {
		double f = op == '+'   ? a->f + b.f
			   : op == '-' ? a->f - b.f
			   : op == '*' ? a->f * b.f
			   : op == '/' ? a->f / b.f
			   : op == '%' ? fmod(a->f, b.f)
				       : pow(a->f, b.f);
		ret = isfinite(f) ? 0 : -ERANGE;
		*a = expr_from_float(f);
	}
	if (ret == -EDOM)
		return expr_fail(ps, EINVAL, "division by zero");
	return ret ? expr_fail(ps, ERANGE, "the result is too large") : 0;
}

static int expr_power_of(const struct parser *ps, char op)
{
	switch (op) {
	case '+':
	case '-':
		return POWER_ADD;
	case '*':
	case '/':
		return POWER_MUL;
	case '^':
		return POWER_EXP;
	case '%':
		return ps->kind == EXPR_PLAIN ? POWER_MUL : POWER_MOD;
	default:
		return 0;
	}
}

/* Bytes of a size suffix, 0 when it is none. */
static double expr_size_suffix(const char *word, size_t n, unsigned kb_base)
{
	static const char letters[] = "kmgtp";
	const char *at = strchr(letters, tolower((unsigned char)word[0]));
	unsigned base = kb_base;

	if (n == 1 && (word[0] == 'b' || word[0] == 'B'))
		return 1;
	if (!at || n > 3)
		return 0;
	if (n == 3 && strncasecmp(word + 1, "ib", 2) == 0)
		base = kb_base == 1000 ? 1024 : 1000;
	else if (n == 2 && tolower((unsigned char)word[1]) == 'i')
		base = 1024;
	else if (n != 1 && !(n == 2 && tolower((unsigned char)word[1]) == 'b'))
		return 0;
	return pow(base, (double)(at - letters) + 1);
}

/* Microseconds of a time suffix, 0 when it is none. */
static double expr_time_suffix(const char *word, size_t n)
{
	static const struct {
		const char *word;
		double us;
	} table[] = {{"us", 1},	    {"usec", 1},      {"ms", 1e3},    {"msec", 1e3},
		     {"s", 1e6},    {"sec", 1e6},     {"m", 60e6},    {"min", 60e6},
		     {"h", 3600e6}, {"hour", 3600e6}, {"d", 86400e6}, {"day", 86400e6}};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strlen(table[i].word) == n && strncasecmp(table[i].word, word, n) == 0)
			return table[i].us;
	return 0;
}

static int expr_suffix(struct parser *ps, struct expr_value *v)
{
	size_t n = 0;
	double unit;

	while (isalpha((unsigned char)ps->p[n]))
		n++;
	unit = ps->kind == EXPR_TIME   ? expr_time_suffix(ps->p, n)
	       : ps->kind == EXPR_SIZE ? expr_size_suffix(ps->p, n, ps->kb_base)
				       : 0;
	if (unit == 0)
		return expr_fail(ps, EINVAL, "unknown suffix");
	ps->p += n;
	ps->has_suffix = true;
	return expr_apply(ps, '*', v, expr_from_int((int64_t)unit));
}

static int expr_expression(struct parser *ps, int power, struct expr_value *out);

static int expr_operand(struct parser *ps, struct expr_value *out)
{
	int ret;

	expr_skip_blanks(ps);
	if (ps->depth >= EXPR_DEPTH)
		return expr_fail(ps, EINVAL, "it is nested too deeply");
	ps->depth++;
	if (*ps->p == '-') {
		ps->p++;
		ret = expr_expression(ps, POWER_MUL, out);
		if (ret == 0)
			ret = expr_apply(ps, '*', out, expr_from_int(-1));
	} else if (*ps->p == '(') {
		ps->p++;
		ret = expr_expression(ps, POWER_ADD, out);
		expr_skip_blanks(ps);
		if (ret == 0 && *ps->p != ')')
			ret = expr_fail(ps, EINVAL, "a ')' is missing");
		else if (ret == 0)
			ps->p++;
	} else {
		ret = expr_number(ps, out);
	}
	ps->depth--;
	return ret;
}

static int expr_expression(struct parser *ps, int power, struct expr_value *out)
{
	int ret = expr_operand(ps, out);

	while (ret == 0) {
		expr_skip_blanks(ps);
		char op = *ps->p;
		if (isalpha((unsigned char)op)) {
			if (power > POWER_SUFFIX)
				return 0;
			ret = expr_suffix(ps, out);
			continue;
		}
		int p = expr_power_of(ps, op);
		if (p == 0 || p < power)
			return 0;
		struct expr_value right;
		ps->p++;
		/* ^ binds to the right, the others to the left */
		ret = expr_expression(ps, op == '^' ? p : p + 1, &right);
		if (ret == 0)
			ret = expr_apply(ps, op, out, right);
	}
	return ret;
}

int expr_eval(const char *text, enum expr_kind kind, unsigned kb_base, struct expr_value *out,
	      struct err *err)
{
	struct parser ps = {.start = text, .p = text, .kind = kind, .kb_base = kb_base, .err = err};
	struct expr_value v;
	int ret = expr_expression(&ps, POWER_ADD, &v);

	if (ret == 0) {
		expr_skip_blanks(&ps);
		if (*ps.p)
			ret = expr_fail(&ps, EINVAL, "unexpected text");
	}
	if (ret)
		return ret;
	v.has_suffix = ps.has_suffix;
	*out = v;
	return 0;
}
