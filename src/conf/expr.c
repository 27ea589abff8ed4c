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

static int fail(struct parser *ps, int sys, const char *what)
{
	return err_set(ps->err, ERR_USAGE, sys, "'%.100s': %s at character %u", ps->start, what,
		       (unsigned)(ps->p - ps->start) + 1);
}

static void skip_blanks(struct parser *ps)
{
	while (*ps->p == ' ' || *ps->p == '\t')
		ps->p++;
}

static struct expr_value from_int(int64_t i)
{
	return (struct expr_value){.i = i, .f = (double)i};
}

static struct expr_value from_float(double f)
{
	return (struct expr_value){.is_float = true, .f = f};
}

static int number(struct parser *ps, struct expr_value *out)
{
	const char *p = ps->p;
	char *end;

	if (!isdigit((unsigned char)*p) && *p != '.')
		return fail(ps, EINVAL, *p ? "a number is missing" : "it ends too early");
	errno = 0;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		long long v = strtoll(p, &end, 16);
		if (end < p + 3)
			return fail(ps, EINVAL, "a number is missing");
		*out = from_int(v);
	} else {
		size_t digits = strspn(p, "0123456789");
		if (p[digits] == '.') {
			if (digits + strspn(p + digits + 1, "0123456789") == 0)
				return fail(ps, EINVAL, "a number is missing");
			*out = from_float(strtod(p, &end));
		} else {
			*out = from_int(strtoll(p, &end, 10));
		}
	}
	if (errno == ERANGE)
		return fail(ps, ERANGE, "the number is too large");
	ps->p = end;
	return 0;
}

static int int_power(int64_t base, int64_t exp, int64_t *out)
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

static int apply_int(char op, int64_t a, int64_t b, int64_t *out)
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
		return int_power(a, b, out);
	default: /* '/' and '%' */
		if (b == 0)
			return -EDOM;
		if (b == -1 && a == INT64_MIN)
			return -ERANGE;
		*out = op == '/' ? a / b : a % b;
	}
	return over ? -ERANGE : 0;
}

static int apply(struct parser *ps, char op, struct expr_value *a, struct expr_value b)
{
	int rc = 0;

	if (!a->is_float && !b.is_float && !(op == '^' && b.i < 0)) {
		int64_t i = 0;
		rc = apply_int(op, a->i, b.i, &i);
		if (rc == 0)
			*a = from_int(i);
	} else if ((op == '/' || op == '%') && b.f == 0) {
		rc = -EDOM;
	} else {
		double f = op == '+'   ? a->f + b.f
			   : op == '-' ? a->f - b.f
			   : op == '*' ? a->f * b.f
			   : op == '/' ? a->f / b.f
			   : op == '%' ? fmod(a->f, b.f)
				       : pow(a->f, b.f);
		rc = isfinite(f) ? 0 : -ERANGE;
		*a = from_float(f);
	}
	if (rc == -EDOM)
		return fail(ps, EINVAL, "division by zero");
	return rc ? fail(ps, ERANGE, "the result is too large") : 0;
}

static int power_of(const struct parser *ps, char op)
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
static double size_suffix(const char *word, size_t n, unsigned kb_base)
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
static double time_suffix(const char *word, size_t n)
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

static int suffix(struct parser *ps, struct expr_value *v)
{
	size_t n = 0;
	double unit;

	while (isalpha((unsigned char)ps->p[n]))
		n++;
	unit = ps->kind == EXPR_TIME   ? time_suffix(ps->p, n)
	       : ps->kind == EXPR_SIZE ? size_suffix(ps->p, n, ps->kb_base)
				       : 0;
	if (unit == 0)
		return fail(ps, EINVAL, "unknown suffix");
	ps->p += n;
	ps->has_suffix = true;
	return apply(ps, '*', v, from_int((int64_t)unit));
}

static int expression(struct parser *ps, int power, struct expr_value *out);

static int operand(struct parser *ps, struct expr_value *out)
{
	int rc;

	skip_blanks(ps);
	if (ps->depth >= EXPR_DEPTH)
		return fail(ps, EINVAL, "it is nested too deeply");
	ps->depth++;
	if (*ps->p == '-') {
		ps->p++;
		rc = expression(ps, POWER_MUL, out);
		if (rc == 0)
			rc = apply(ps, '*', out, from_int(-1));
	} else if (*ps->p == '(') {
		ps->p++;
		rc = expression(ps, POWER_ADD, out);
		skip_blanks(ps);
		if (rc == 0 && *ps->p != ')')
			rc = fail(ps, EINVAL, "a ')' is missing");
		else if (rc == 0)
			ps->p++;
	} else {
		rc = number(ps, out);
	}
	ps->depth--;
	return rc;
}

static int expression(struct parser *ps, int power, struct expr_value *out)
{
	int rc = operand(ps, out);

	while (rc == 0) {
		skip_blanks(ps);
		char op = *ps->p;
		if (isalpha((unsigned char)op)) {
			if (power > POWER_SUFFIX)
				return 0;
			rc = suffix(ps, out);
			continue;
		}
		int p = power_of(ps, op);
		if (p == 0 || p < power)
			return 0;
		struct expr_value right;
		ps->p++;
		/* ^ binds to the right, the others to the left */
		rc = expression(ps, op == '^' ? p : p + 1, &right);
		if (rc == 0)
			rc = apply(ps, op, out, right);
	}
	return rc;
}

int expr_eval(const char *text, enum expr_kind kind, unsigned kb_base, struct expr_value *out,
	      struct err *err)
{
	struct parser ps = {.start = text, .p = text, .kind = kind, .kb_base = kb_base, .err = err};
	struct expr_value v;
	int rc = expression(&ps, POWER_ADD, &v);

	if (rc == 0) {
		skip_blanks(&ps);
		if (*ps.p)
			rc = fail(&ps, EINVAL, "unexpected text");
	}
	if (rc)
		return rc;
	v.has_suffix = ps.has_suffix;
	*out = v;
	return 0;
}
