/* Numbers: integers, counts, sizes, times, percentages, floats, ranges of them and triples by
 * direction. */
#include "base/time.h"
#include "base/units.h"
#include "conf/expr.h"
#include "conf/opt_number.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A range or a single value; unset while both are 0. */
enum { RANGE_SINGLE_OK = 1 };

static int opt_number_no_number(const struct opt_in *in, const char *text, int rc, const char *what)
{
	if (rc == -ERANGE)
		return opt_out_of_range(in, text);
	return opt_bad(in, text, what);
}

/* "(...)": the words of the expression are worth more than "not a number", so they become the
 * message. */
static int opt_number_expression(const struct opt_in *in, const char *text, enum expr_kind kind,
				 struct expr_value *v)
{
	struct err inner;
	int ret;

	err_clear(&inner);
	ret = expr_eval(text, kind, in->ctx->kb_base, v, &inner);
	if (ret) {
		err_set(in->err, ERR_USAGE, -ret, "option '%s': %.300s", in->row->name, inner.text);
		err_remedy(in->err, "an expression has + - * / %% ^, numbers with suffixes and "
				    "matching parentheses");
	}
	return ret;
}

static int opt_number_int(const struct opt_in *in, const char *text, int64_t *out)
{
	int64_t v = 0;
	int ret;

	if (*text == '(') {
		struct expr_value e;
		ret = opt_number_expression(in, text, EXPR_SIZE, &e);
		if (ret)
			return ret;
		if (e.is_float && (e.f != floor(e.f) || fabs(e.f) > 9e18))
			return opt_bad(in, text, "a whole number");
		v = e.is_float ? (int64_t)e.f : e.i;
	} else {
		unsigned notes = 0;
		ret = units_parse_int(text, in->ctx->kb_base, &v, &notes);
		in->ctx->notes |= notes;
		if (ret)
			return opt_number_no_number(in, text, ret, "a whole number");
	}
	if (!opt_in_range(in->row, (double)v))
		return opt_out_of_range(in, text);
	*out = v;
	return 0;
}

int opt_number_size(const struct opt_in *in, const char *text, uint64_t *out)
{
	const char *what = in->row->type == OPT_T_COUNT ? "a whole number of at least 0"
							: "a size such as 4k, 512 or 1.5m";
	uint64_t v = 0;
	int ret;

	assert(in->row && text && out);
	if (*text == '(') {
		struct expr_value e;
		ret = opt_number_expression(in, text, EXPR_SIZE, &e);
		if (ret)
			return ret;
		if (e.f < 0 || e.f > 9.2e18)
			return opt_out_of_range(in, text);
		if (e.is_float && e.f != floor(e.f))
			return opt_bad(in, text, "a whole number");
		v = e.is_float ? (uint64_t)e.f : (uint64_t)e.i;
	} else {
		unsigned notes = 0;
		ret = units_parse_size(text, in->ctx->kb_base, &v, &notes);
		in->ctx->notes |= notes;
		if (ret)
			return opt_number_no_number(in, text, ret, what);
	}
	if (!opt_in_range(in->row, (double)v))
		return opt_out_of_range(in, text);
	*out = v;
	return 0;
}

static int opt_number_time(const struct opt_in *in, const char *text, uint64_t *out)
{
	uint64_t unit = in->row->unit_ns ? in->row->unit_ns : 1, v = 0;
	int ret;

	if (*text == '(') {
		struct expr_value e;
		ret = opt_number_expression(in, text, EXPR_TIME, &e);
		if (ret)
			return ret;
		/* without any suffix the option's own unit counts, with one it is microseconds */
		double ns = e.f * (e.has_suffix ? 1e3 : (double)unit);
		if (ns < 0 || ns > 9.2e18)
			return opt_out_of_range(in, text);
		v = (uint64_t)llround(ns);
	} else {
		ret = units_parse_time(text, unit, &v);
		if (ret)
			return opt_number_no_number(in, text, ret,
						    "a time such as 10, 1.5s, 20ms or 3m");
	}
	*out = v;
	return 0;
}

int opt_number_float(const struct opt_in *in, const char *text, double lo, double hi, double *out)
{
	char *end;
	double v;

	assert(lo <= hi && out);
	/* strtod knows more words than a job file should: nan, inf, hexadecimal, leading blanks */
	if (!*text || strspn(text, "0123456789.eE+-") != strlen(text))
		return opt_bad(in, text, "a number");
	v = strtod(text, &end);
	if (*end || !isfinite(v))
		return opt_bad(in, text, "a number");
	if (v < lo || v > hi)
		return opt_out_of_range(in, text);
	*out = v;
	return 0;
}

int opt_number_percent(const struct opt_in *in, const char *text, double *out)
{
	double max = in->row->max > 0 ? in->row->max : 100, v = 0;
	int ret;

	assert(text && out);
	if (*text == '(') {
		struct expr_value e;
		ret = opt_number_expression(in, text, EXPR_PLAIN, &e);
		if (ret)
			return ret;
		v = e.f;
		if (v < 0 || v > max)
			return opt_out_of_range(in, text);
	} else {
		ret = units_parse_percent(text, max, &v);
		if (ret)
			return opt_number_no_number(in, text, ret, "a percentage");
	}
	if (v < in->row->min)
		return opt_out_of_range(in, text);
	*out = v;
	return 0;
}

int opt_int_parse(const struct opt_in *in, void *field)
{
	return opt_number_int(in, in->text, field);
}

int opt_count_parse(const struct opt_in *in, void *field)
{
	return opt_number_size(in, in->text, field);
}

int opt_size_parse(const struct opt_in *in, void *field)
{
	return opt_number_size(in, in->text, field);
}

int opt_time_parse(const struct opt_in *in, void *field)
{
	return opt_number_time(in, in->text, field);
}

int opt_percent_parse(const struct opt_in *in, void *field)
{
	return opt_number_percent(in, in->text, field);
}

int opt_float_parse(const struct opt_in *in, void *field)
{
	const struct opt_row *row = in->row;
	bool limits = row->min != 0 || row->max != 0;
	char number[64];
	size_t n = strlen(in->text);

	/* "99%" is how people write a share */
	if (row->max == 100 && n > 1 && n < sizeof(number) && in->text[n - 1] == '%') {
		memcpy(number, in->text, n - 1);
		number[n - 1] = '\0';
		return opt_number_float(in, number, row->min, row->max, field);
	}
	return opt_number_float(in, in->text, limits ? row->min : -INFINITY,
				limits && row->max >= row->min ? row->max : INFINITY, field);
}

int opt_sizepct_parse(const struct opt_in *in, void *field)
{
	size_t n = strlen(in->text);
	char last = in->text[n - 1];
	struct opt_size v = {.kind = OPT_SIZE_BYTES};
	int ret = 0;

	if (last == '%') {
		double max = in->row->max > 0 ? in->row->max : 100;
		v.kind = OPT_SIZE_PERCENT;
		ret = units_parse_percent(in->text, max, &v.percent);
		if (ret == -EINVAL)
			return opt_bad(in, in->text, "a percentage");
		if (ret || (in->row->min > 0 && v.percent == 0)) {
			err_set(in->err, ERR_USAGE, ERANGE, "option '%s': '%.200s' is out of range",
				in->row->name, in->text);
			err_remedy(in->err, "allowed: above 0%% up to %g%%", max);
			return -ERANGE;
		}
	} else if ((last == 'z' || last == 'Z') && n > 1 &&
		   strspn(in->text, "0123456789") == n - 1) {
		v.kind = OPT_SIZE_ZONES;
		errno = 0;
		v.bytes = strtoull(in->text, NULL, 10);
		if (errno == ERANGE)
			return opt_out_of_range(in, in->text);
	} else {
		struct opt_row plain = *in->row;
		struct opt_in part = *in;
		plain.min = plain.max = 0;
		part.row = &plain;
		ret = opt_number_size(&part, in->text, &v.bytes);
	}
	if (ret == 0)
		*(struct opt_size *)field = v;
	return ret;
}

/* lo-hi or lo:hi; reversed ends are swapped. */
static int opt_number_range(const struct opt_in *in, const char *text, unsigned flags,
			    int (*number)(const struct opt_in *, const char *, uint64_t *),
			    struct opt_range *out)
{
	const char *ends[2];
	struct opt_range r = {0};
	int n = opt_split(in, text, "-:", ends, 2), ret;

	if (n < 0)
		return n;
	if (n == 1 && !(flags & RANGE_SINGLE_OK))
		return opt_bad(in, text, "a range such as 4k-16k");
	ret = number(in, ends[0], &r.lo);
	if (ret == 0)
		ret = number(in, ends[n - 1], &r.hi);
	if (ret)
		return ret;
	*out = r.lo <= r.hi ? r : (struct opt_range){.lo = r.hi, .hi = r.lo};
	return 0;
}

int opt_range_parse(const struct opt_in *in, void *field)
{
	return opt_number_range(in, in->text, RANGE_SINGLE_OK, opt_number_size, field);
}

int opt_timerange_parse(const struct opt_in *in, void *field)
{
	return opt_number_range(in, in->text, RANGE_SINGLE_OK, opt_number_time, field);
}

static int opt_number_set_int(const struct opt_in *in, const char *member, void *element)
{
	return opt_number_int(in, member, element);
}

static int opt_number_set_size(const struct opt_in *in, const char *member, void *element)
{
	return opt_number_size(in, member, element);
}

static int opt_number_set_time(const struct opt_in *in, const char *member, void *element)
{
	return opt_number_time(in, member, element);
}

static int opt_number_set_percent(const struct opt_in *in, const char *member, void *element)
{
	return opt_number_percent(in, member, element);
}

static int opt_number_set_range(const struct opt_in *in, const char *member, void *element)
{
	return opt_number_range(in, member, 0, opt_number_size, element);
}

/* ':' and '-' separate directions of plain numbers as well (compatibility 2.7). */
#define NUMBER_SEPARATORS ",:-"

int opt_int3_parse(const struct opt_in *in, void *field)
{
	return opt_fill3(in, NUMBER_SEPARATORS, field, sizeof(int64_t), opt_number_set_int);
}

int opt_size3_parse(const struct opt_in *in, void *field)
{
	return opt_fill3(in, NUMBER_SEPARATORS, field, sizeof(uint64_t), opt_number_set_size);
}

int opt_time3_parse(const struct opt_in *in, void *field)
{
	return opt_fill3(in, NUMBER_SEPARATORS, field, sizeof(uint64_t), opt_number_set_time);
}

int opt_percent3_parse(const struct opt_in *in, void *field)
{
	return opt_fill3(in, NUMBER_SEPARATORS, field, sizeof(double), opt_number_set_percent);
}

int opt_range3_parse(const struct opt_in *in, void *field)
{
	return opt_fill3(in, ",", field, sizeof(struct opt_range), opt_number_set_range);
}

void opt_int_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	opt_out_printf(o, "%" PRId64, *(const int64_t *)field);
}

void opt_count_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	opt_out_printf(o, "%" PRIu64, *(const uint64_t *)field);
}

static void opt_number_print_size(uint64_t bytes, struct opt_out *o)
{
	/* "4k" would read back differently with kb_base=1000, so sizes are printed as bytes */
	opt_out_printf(o, "%" PRIu64, bytes);
}

/* Exact in any unit: nanoseconds unless a larger unit divides. */
static void opt_number_print_time(uint64_t ns, struct opt_out *o)
{
	if (ns % NS_PER_SEC == 0)
		opt_out_printf(o, "%" PRIu64 "s", ns / NS_PER_SEC);
	else if (ns % 1000000 == 0)
		opt_out_printf(o, "%" PRIu64 "ms", ns / 1000000);
	else if (ns % 1000 == 0)
		opt_out_printf(o, "%" PRIu64 "us", ns / 1000);
	else
		opt_out_printf(o, "%" PRIu64 "ns", ns);
}

void opt_size_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	opt_number_print_size(*(const uint64_t *)field, o);
}

void opt_time_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	opt_number_print_time(*(const uint64_t *)field, o);
}

void opt_float_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	opt_out_double(o, *(const double *)field);
}

void opt_sizepct_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_size *v = field;

	if (v->kind == OPT_SIZE_PERCENT) {
		opt_out_double(o, v->percent);
		opt_out_printf(o, "%%");
	} else if (v->kind != OPT_SIZE_UNSET) {
		opt_out_printf(o, "%" PRIu64 "%s", v->bytes, v->kind == OPT_SIZE_ZONES ? "z" : "");
	}
}

bool opt_sizepct_equal(const struct opt_row *row, const void *a, const void *b)
{
	const struct opt_size *x = a, *y = b;

	return x->kind == y->kind && x->bytes == y->bytes &&
	       (x->kind != OPT_SIZE_PERCENT || x->percent == y->percent);
}

bool opt_double_equal(const struct opt_row *row, const void *a, const void *b)
{
	return *(const double *)a == *(const double *)b;
}

bool opt_percent3_equal(const struct opt_row *row, const void *a, const void *b)
{
	const double *x = a, *y = b;

	return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

static void opt_number_print_range(const struct opt_range *r,
				   void (*one)(uint64_t, struct opt_out *), struct opt_out *o)
{
	if (r->lo == 0 && r->hi == 0)
		return;
	one(r->lo, o);
	opt_out_printf(o, "-");
	one(r->hi, o);
}

void opt_range_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	opt_number_print_range(field, opt_number_print_size, o);
}

void opt_timerange_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	opt_number_print_range(field, opt_number_print_time, o);
}

void opt_range3_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const struct opt_range *r = field;

	for (int i = 0; i < DIRS; i++) {
		opt_out_printf(o, i ? "," : "");
		opt_number_print_range(&r[i], opt_number_print_size, o);
	}
}

void opt_int3_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const int64_t *v = field;

	opt_out_printf(o, "%" PRId64 ",%" PRId64 ",%" PRId64, v[0], v[1], v[2]);
}

/* A member of 0 below the row's minimum is an unset one: printed empty. */
void opt_size3_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const uint64_t *v = field;

	for (int i = 0; i < DIRS; i++) {
		opt_out_printf(o, i ? "," : "");
		if (v[i] || row->min <= 0)
			opt_number_print_size(v[i], o);
	}
}

void opt_time3_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const uint64_t *v = field;

	for (int i = 0; i < DIRS; i++) {
		opt_out_printf(o, i ? "," : "");
		opt_number_print_time(v[i], o);
	}
}

void opt_percent3_print(const struct opt_row *row, const void *field, struct opt_out *o)
{
	const double *v = field;

	for (int i = 0; i < DIRS; i++) {
		opt_out_printf(o, i ? "," : "");
		opt_out_double(o, v[i]);
	}
}
