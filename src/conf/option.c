/* The table of types: each is read, printed and compared by the functions of its family. */
#include "conf/option.h"
#include "conf/opt_describe.h"
#include "conf/opt_dist.h"
#include "conf/opt_list.h"
#include "conf/opt_number.h"
#include "conf/opt_pattern.h"
#include "conf/opt_word.h"
#include <assert.h>
#include <errno.h>
#include <string.h>

struct opt_ops {
	size_t size;
	opt_parse_fn *parse;
	opt_print_fn *print;
	opt_equal_fn *equal; /* NULL: compare the bytes */
};

static const struct opt_ops ops[] = {
	[OPT_T_FLAG] = {sizeof(bool), opt_flag_parse, opt_bool_print, NULL},
	[OPT_T_BOOL] = {sizeof(bool), opt_bool_parse, opt_bool_print, NULL},
	[OPT_T_INT] = {sizeof(int64_t), opt_int_parse, opt_int_print, NULL},
	[OPT_T_COUNT] = {sizeof(uint64_t), opt_count_parse, opt_count_print, NULL},
	[OPT_T_SIZE] = {sizeof(uint64_t), opt_size_parse, opt_size_print, NULL},
	[OPT_T_SIZEPCT] = {sizeof(struct opt_size), opt_sizepct_parse, opt_sizepct_print,
			   opt_sizepct_equal},
	[OPT_T_TIME] = {sizeof(uint64_t), opt_time_parse, opt_time_print, NULL},
	[OPT_T_TIMERANGE] = {sizeof(struct opt_range), opt_timerange_parse, opt_timerange_print,
			     NULL},
	[OPT_T_PERCENT] = {sizeof(double), opt_percent_parse, opt_float_print, opt_double_equal},
	[OPT_T_FLOAT] = {sizeof(double), opt_float_parse, opt_float_print, opt_double_equal},
	[OPT_T_FLOATS] = {sizeof(struct opt_floats), opt_floats_parse, opt_floats_print,
			  opt_floats_equal},
	[OPT_T_ENUM] = {sizeof(int), opt_enum_parse, opt_enum_print, NULL},
	[OPT_T_ENUMARG] = {sizeof(struct opt_enum_arg), opt_enumarg_parse, opt_enumarg_print,
			   opt_enumarg_equal},
	[OPT_T_BITS] = {sizeof(unsigned), opt_bits_parse, opt_bits_print, NULL},
	[OPT_T_STR] = {sizeof(const char *), opt_str_parse, opt_str_print, opt_str_equal},
	[OPT_T_STRS] = {sizeof(struct opt_strings), opt_strs_parse, opt_strs_print, opt_strs_equal},
	[OPT_T_INT3] = {sizeof(int64_t[DIRS]), opt_int3_parse, opt_int3_print, NULL},
	[OPT_T_SIZE3] = {sizeof(uint64_t[DIRS]), opt_size3_parse, opt_size3_print, NULL},
	[OPT_T_TIME3] = {sizeof(uint64_t[DIRS]), opt_time3_parse, opt_time3_print, NULL},
	[OPT_T_PERCENT3] = {sizeof(double[DIRS]), opt_percent3_parse, opt_percent3_print,
			    opt_percent3_equal},
	[OPT_T_RANGE] = {sizeof(struct opt_range), opt_range_parse, opt_range_print, NULL},
	[OPT_T_RANGE3] = {sizeof(struct opt_range[DIRS]), opt_range3_parse, opt_range3_print, NULL},
	[OPT_T_SPLIT3] = {sizeof(struct opt_split[DIRS]), opt_split3_parse, opt_split3_print,
			  opt_split3_equal},
	[OPT_T_CPUS] = {sizeof(struct cpuset), opt_cpus_parse, opt_cpus_print, opt_cpus_equal},
	[OPT_T_PATTERN] = {sizeof(struct opt_pattern), opt_pattern_parse, opt_pattern_print,
			   opt_pattern_equal},
	[OPT_T_ERRORS3] = {sizeof(struct opt_errors[DIRS]), opt_errors3_parse, opt_errors3_print,
			   opt_errors3_equal},
	[OPT_T_RW] = {sizeof(struct opt_rw), opt_rw_parse, opt_rw_print, opt_rw_equal},
	[OPT_T_DIST] = {sizeof(struct opt_dist), opt_dist_parse, opt_dist_print, opt_dist_equal},
	[OPT_T_SFR] = {sizeof(struct opt_enum_arg), opt_sfr_parse, opt_sfr_print,
		       opt_enumarg_equal},
};

size_t opt_field_size(enum opt_type type)
{
	assert((unsigned)type < sizeof(ops) / sizeof(ops[0]));
	return ops[type].size;
}

bool opt_value_optional(const struct opt_row *row)
{
	return row->type == OPT_T_FLAG || (row->type == OPT_T_STR && row->min < 0);
}

bool opt_row_named(const struct opt_row *row, const char *name)
{
	size_t n = strlen(name);

	assert(row->name && name);
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

	assert(row->name && ctx && field && ops[row->type].parse);
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
	memset(field, 0, ops[row->type].size);
	return row->def ? opt_parse(row, row->def, ctx, field, err) : 0;
}

void opt_print(const struct opt_row *row, const void *field, char *buf, size_t size)
{
	struct opt_out o = {.buf = buf, .size = size};

	assert(field && (buf || !size) && ops[row->type].print);
	if (size == 0)
		return;
	buf[0] = '\0';
	ops[row->type].print(row, field, &o);
}

bool opt_equal(const struct opt_row *row, const void *a, const void *b)
{
	assert(a && b);
	if (ops[row->type].equal)
		return ops[row->type].equal(row, a, b);
	return memcmp(a, b, ops[row->type].size) == 0;
}
