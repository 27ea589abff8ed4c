/* The table of types, and what all of them share. */
#include "conf/opttype.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opt_ops {
	const char *word;
	size_t size;
	opt_parse_fn *parse;
	opt_print_fn *print;
	opt_equal_fn *equal; /* NULL: compare the bytes */
};

static const struct opt_ops ops[] = {
	[OPT_T_FLAG] = {"flag", sizeof(bool), opt_flag_parse, opt_bool_print, NULL},
	[OPT_T_BOOL] = {"bool", sizeof(bool), opt_bool_parse, opt_bool_print, NULL},
	[OPT_T_INT] = {"integer", sizeof(int64_t), opt_int_parse, opt_int_print, NULL},
	[OPT_T_COUNT] = {"count", sizeof(uint64_t), opt_count_parse, opt_count_print, NULL},
	[OPT_T_SIZE] = {"size", sizeof(uint64_t), opt_size_parse, opt_size_print, NULL},
	[OPT_T_SIZEPCT] = {"size, N% or Nz", sizeof(struct opt_size), opt_sizepct_parse,
			   opt_sizepct_print, opt_sizepct_equal},
	[OPT_T_TIME] = {"time", sizeof(uint64_t), opt_time_parse, opt_time_print, NULL},
	[OPT_T_TIMERANGE] = {"time or range of times", sizeof(struct opt_range),
			     opt_timerange_parse, opt_timerange_print, NULL},
	[OPT_T_PERCENT] = {"percentage", sizeof(double), opt_percent_parse, opt_float_print,
			   opt_double_equal},
	[OPT_T_FLOAT] = {"number", sizeof(double), opt_float_parse, opt_float_print,
			 opt_double_equal},
	[OPT_T_FLOATS] = {"numbers joined by ':'", sizeof(struct opt_floats), opt_floats_parse,
			  opt_floats_print, opt_floats_equal},
	[OPT_T_ENUM] = {"word", sizeof(int), opt_enum_parse, opt_enum_print, NULL},
	[OPT_T_ENUMARG] = {"word[:argument]", sizeof(struct opt_enum_arg), opt_enumarg_parse,
			   opt_enumarg_print, opt_enumarg_equal},
	[OPT_T_BITS] = {"words joined by ','", sizeof(unsigned), opt_bits_parse, opt_bits_print,
			NULL},
	[OPT_T_STR] = {"text", sizeof(const char *), opt_str_parse, opt_str_print, opt_str_equal},
	[OPT_T_STRS] = {"names joined by ':'", sizeof(struct opt_strings), opt_strs_parse,
			opt_strs_print, opt_strs_equal},
	[OPT_T_INT3] = {"integer[,integer[,integer]]", sizeof(int64_t[DIRS]), opt_int3_parse,
			opt_int3_print, NULL},
	[OPT_T_SIZE3] = {"size[,size[,size]]", sizeof(uint64_t[DIRS]), opt_size3_parse,
			 opt_size3_print, NULL},
	[OPT_T_TIME3] = {"time[,time[,time]]", sizeof(uint64_t[DIRS]), opt_time3_parse,
			 opt_time3_print, NULL},
	[OPT_T_PERCENT3] = {"percentage[,percentage[,percentage]]", sizeof(double[DIRS]),
			    opt_percent3_parse, opt_percent3_print, opt_percent3_equal},
	[OPT_T_RANGE] = {"size or range of sizes", sizeof(struct opt_range), opt_range_parse,
			 opt_range_print, NULL},
	[OPT_T_RANGE3] = {"range[,range[,range]]", sizeof(struct opt_range[DIRS]), opt_range3_parse,
			  opt_range3_print, NULL},
	[OPT_T_SPLIT3] = {"size/percentage:...[,...]", sizeof(struct opt_split[DIRS]),
			  opt_split3_parse, opt_split3_print, opt_split3_equal},
	[OPT_T_CPUS] = {"list of numbers such as 0,5,8-15", sizeof(struct cpuset), opt_cpus_parse,
			opt_cpus_print, opt_cpus_equal},
	[OPT_T_PATTERN] = {"pattern of 0xHEX, decimal, \"text\", 'file'",
			   sizeof(struct opt_pattern), opt_pattern_parse, opt_pattern_print,
			   opt_pattern_equal},
	[OPT_T_ERRORS3] = {"errors joined by ':', for read,write,verify",
			   sizeof(struct opt_errors[DIRS]), opt_errors3_parse, opt_errors3_print,
			   opt_errors3_equal},
	[OPT_T_RW] = {"direction[:N]", sizeof(struct opt_rw), opt_rw_parse, opt_rw_print,
		      opt_rw_equal},
	[OPT_T_DIST] = {"distribution[:arguments]", sizeof(struct opt_dist), opt_dist_parse,
			opt_dist_print, opt_dist_equal},
	[OPT_T_SFR] = {"words joined by ','[:N]", sizeof(struct opt_enum_arg), opt_sfr_parse,
		       opt_sfr_print, opt_enumarg_equal},
};

size_t opt_field_size(enum opt_type type)
{
	return ops[type].size;
}

bool opt_value_optional(const struct opt_row *row)
{
	return row->type == OPT_T_FLAG || (row->type == OPT_T_STR && row->min < 0);
}

bool opt_row_named(const struct opt_row *row, const char *name)
{
	size_t n = strlen(name);

	if (strcmp(row->name, name) == 0)
		return true;
	for (const char *p = row->aliases; p && *p;) {
		size_t len = strcspn(p, ",");
		if (len == n && memcmp(p, name, n) == 0)
			return true;
		p += len + (p[len] == ',');
	}
	return false;
}

int opt_parse(const struct opt_row *row, const char *text, struct opt_context *ctx, void *field,
	      struct err *err)
{
	struct opt_in in = {.row = row, .text = text ? text : "", .ctx = ctx, .err = err};
	size_t n = strlen(in.text);

	if (n == 0 && !opt_value_optional(row)) {
		char allowed[256];
		int ret = err_set(err, ERR_USAGE, EINVAL, "option '%s' needs a value", row->name);
		opt_describe(row, allowed, sizeof(allowed));
		err_remedy(err, "write %s=VALUE (%.180s)", row->name, allowed);
		return ret;
	}
	if (n > OPT_TEXT_MAX) {
		int ret = err_set(err, ERR_USAGE, E2BIG, "the value of option '%s' is too long",
				  row->name);
		err_remedy(err, "at most %d bytes fit", OPT_TEXT_MAX);
		return ret;
	}
	return ops[row->type].parse(&in, field);
}

int opt_default(const struct opt_row *row, struct opt_context *ctx, void *field, struct err *err)
{
	memset(field, 0, opt_field_size(row->type));
	return row->def ? opt_parse(row, row->def, ctx, field, err) : 0;
}

void opt_print(const struct opt_row *row, const void *field, char *buf, size_t size)
{
	struct opt_out o = {.buf = buf, .size = size};

	if (size == 0)
		return;
	buf[0] = '\0';
	ops[row->type].print(row, field, &o);
}

bool opt_equal(const struct opt_row *row, const void *a, const void *b)
{
	if (ops[row->type].equal)
		return ops[row->type].equal(row, a, b);
	return memcmp(a, b, ops[row->type].size) == 0;
}

static bool opttype_has_numeric_limits(const struct opt_row *row)
{
	return row->type != OPT_T_STR && row->type != OPT_T_PATTERN && row->type != OPT_T_SIZEPCT &&
	       (row->min != 0 || row->max != 0);
}

/* A limit that only keeps numbers in their type is not worth telling. */
#define OPEN_END 0x1p62

void opt_describe(const struct opt_row *row, char *buf, size_t size)
{
	struct opt_out o = {.buf = buf, .size = size};

	if (size == 0)
		return;
	buf[0] = '\0';
	opt_out_printf(&o, "%s", ops[row->type].word);
	if (row->choices) {
		opt_out_printf(&o, ": ");
		for (const struct opt_choice *c = row->choices; c->word; c++)
			opt_out_printf(&o, "%s%s", c == row->choices ? "" : ", ", c->word);
	} else if (opttype_has_numeric_limits(row)) {
		bool open = row->max < row->min || row->max >= OPEN_END;
		opt_out_printf(&o, open ? ", at least " : ", ");
		opt_out_double(&o, row->min);
		if (!open) {
			opt_out_printf(&o, "-");
			opt_out_double(&o, row->max);
		}
	} else if (row->type == OPT_T_FLAG || row->type == OPT_T_BOOL) {
		opt_out_printf(&o, row->type == OPT_T_FLAG ? ": nothing, 0 or 1" : ": 0 or 1");
	}
	if (row->unit_ns)
		opt_out_printf(&o, ", a bare number counts %s",
			       row->unit_ns == 1000000000 ? "seconds"
			       : row->unit_ns == 1000000  ? "milliseconds"
			       : row->unit_ns == 1000	  ? "microseconds"
							  : "nanoseconds");
	if (row->def)
		opt_out_printf(&o, ", default %s", row->def);
}

void opt_out_printf(struct opt_out *o, const char *fmt, ...)
{
	va_list ap;

	if (o->len + 1 >= o->size)
		return;
	va_start(ap, fmt);
	int n = vsnprintf(o->buf + o->len, o->size - o->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		o->len = o->len + (size_t)n < o->size ? o->len + (size_t)n : o->size - 1;
}

void opt_out_double(struct opt_out *o, double v)
{
	char text[40];

	snprintf(text, sizeof(text), "%.15g", v);
	if (strtod(text, NULL) != v)
		snprintf(text, sizeof(text), "%.17g", v);
	opt_out_printf(o, "%s", text);
}

int opt_bad(const struct opt_in *in, const char *text, const char *what)
{
	char allowed[256];
	int ret = err_set(in->err, ERR_USAGE, EINVAL, "option '%s': '%.200s' is not %s",
			  in->row->name, text, what);

	opt_describe(in->row, allowed, sizeof(allowed));
	err_remedy(in->err, "allowed: %.240s", allowed);
	return ret;
}

int opt_out_of_range(const struct opt_in *in, const char *text)
{
	char allowed[256];
	int ret = err_set(in->err, ERR_USAGE, ERANGE, "option '%s': '%.200s' is out of range",
			  in->row->name, text);

	opt_describe(in->row, allowed, sizeof(allowed));
	err_remedy(in->err, "allowed: %.240s", allowed);
	return ret;
}

int opt_no_memory(const struct opt_in *in)
{
	return err_set(in->err, ERR_USAGE, ENOMEM, "option '%s': the value needs too much memory",
		       in->row->name);
}

bool opt_in_range(const struct opt_row *row, double v)
{
	if (row->min == 0 && row->max == 0)
		return true;
	return v >= row->min && (row->max < row->min || v <= row->max);
}

/* Blanks around a member of a list mean nothing. */
static const char *opttype_trimmed(struct arena *a, const char *from, const char *to)
{
	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	return arena_strndup(a, from, (size_t)(to - from));
}

int opt_split(const struct opt_in *in, const char *text, const char *seps, const char **members,
	      unsigned max)
{
	const char *from = text;
	unsigned n = 0;
	int depth = 0;

	for (const char *p = text;; p++) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && depth > 0)
			depth--;
		bool sep = *p && depth == 0 && strchr(seps, *p);
		if (*p == '-' && p == from)
			sep = false;
		if (*p && !sep)
			continue;
		if (n == max) {
			err_set(in->err, ERR_USAGE, E2BIG,
				"option '%s': '%.200s' has more than %u members", in->row->name,
				text, max);
			err_remedy(in->err, "write at most %u", max);
			return -E2BIG;
		}
		members[n] = opttype_trimmed(in->ctx->arena, from, p);
		if (!members[n++])
			return opt_no_memory(in);
		if (!*p)
			return (int)n;
		from = p + 1;
	}
}

int opt_fill3(const struct opt_in *in, const char *seps, void *field, size_t size,
	      int (*set)(const struct opt_in *in, const char *member, void *element))
{
	const char *members[DIRS] = {"", "", ""};
	_Alignas(16) char copy[DIRS * 64];
	int n = opt_split(in, in->text, seps, members, DIRS);

	if (n < 1)
		return n;
	if (n > 1 && !strchr(in->text, ','))
		in->ctx->notes |= OPT_NOTE_DASH;
	memcpy(copy, field, DIRS * size);
	for (int i = 0; i < DIRS; i++) {
		const char *member = i < n ? members[i] : members[n - 1];
		int ret = *member ? set(in, member, copy + (size_t)i * size) : 0;
		if (ret)
			return ret;
	}
	memcpy(field, copy, DIRS * size);
	return 0;
}
