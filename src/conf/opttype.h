/* Inside of opttype: what each family of types provides, and what they share. Not for other
 * folders. */
#ifndef FATHOM_CONF_OPTTYPE_H
#define FATHOM_CONF_OPTTYPE_H

#include "base/must_check.h"
#include "conf/option.h"

/* A bounded text under construction. */
struct opt_out {
	char *buf;
	size_t size, len;
};
void opt_out_printf(struct opt_out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A double in the shortest form that reads back equal. */
void opt_out_double(struct opt_out *o, double v);

/* One parse in progress. */
struct opt_in {
	const struct opt_row *row;
	const char *text; /* never NULL */
	struct opt_context *ctx;
	struct err *err;
};

typedef int opt_parse_fn(const struct opt_in *in, void *field);
typedef void opt_print_fn(const struct opt_row *row, const void *field, struct opt_out *o);
typedef bool opt_equal_fn(const struct opt_row *row, const void *a, const void *b);

opt_parse_fn opt_flag_parse, opt_bool_parse, opt_enum_parse, opt_enumarg_parse, opt_bits_parse,
	opt_str_parse, opt_strs_parse, opt_rw_parse, opt_sfr_parse, opt_int_parse, opt_count_parse,
	opt_size_parse, opt_sizepct_parse, opt_time_parse, opt_timerange_parse, opt_percent_parse,
	opt_float_parse, opt_floats_parse, opt_int3_parse, opt_size3_parse, opt_time3_parse,
	opt_percent3_parse, opt_range_parse, opt_range3_parse, opt_split3_parse, opt_cpus_parse,
	opt_pattern_parse, opt_errors3_parse, opt_dist_parse;
opt_print_fn opt_bool_print, opt_enum_print, opt_enumarg_print, opt_bits_print, opt_str_print,
	opt_strs_print, opt_rw_print, opt_sfr_print, opt_int_print, opt_count_print, opt_size_print,
	opt_sizepct_print, opt_time_print, opt_timerange_print, opt_float_print, opt_floats_print,
	opt_int3_print, opt_size3_print, opt_time3_print, opt_percent3_print, opt_range_print,
	opt_range3_print, opt_split3_print, opt_cpus_print, opt_pattern_print, opt_errors3_print,
	opt_dist_print;
opt_equal_fn opt_enumarg_equal, opt_str_equal, opt_strs_equal, opt_rw_equal, opt_sizepct_equal,
	opt_floats_equal, opt_double_equal, opt_percent3_equal, opt_split3_equal, opt_cpus_equal,
	opt_pattern_equal, opt_errors3_equal, opt_dist_equal;

/* "option 'x': 'text' is not WHAT", remedy "allowed: ..."; returns -EINVAL. text may be a part of
 * the value. */
int opt_bad(const struct opt_in *in, const char *text, const char *what);
/* "option 'x': 'text' is out of range"; returns -ERANGE. */
int opt_out_of_range(const struct opt_in *in, const char *text);
int opt_no_memory(const struct opt_in *in);
/* Is v within the row's limits? */
bool opt_in_range(const struct opt_row *row, double v);

/* Single numbers, with arithmetic in parentheses, range-checked against the row. */
MUST_CHECK int opt_number_size(const struct opt_in *in, const char *text, uint64_t *out);
MUST_CHECK int opt_number_percent(const struct opt_in *in, const char *text, double *out);
/* A plain float in [lo, hi]. */
MUST_CHECK int opt_number_float(const struct opt_in *in, const char *text, double lo, double hi,
				double *out);

/* Split text at any of the characters of `seps` outside parentheses; members are copies in the
 * arena, blanks around them trimmed. A '-' at the start of a member is its sign. Returns the count,
 * -E2BIG beyond max (words set), -ENOMEM. */
MUST_CHECK int opt_split(const struct opt_in *in, const char *text, const char *seps,
			 const char **members, unsigned max);
/* Split a list of at most three directions at `seps` and call set(in, member, element) for each
 * that is filled, by the fill rule of compatibility 2.7. `field` has DIRS elements of `size` bytes
 * and is written only when all is well. */
MUST_CHECK int opt_fill3(const struct opt_in *in, const char *seps, void *field, size_t size,
			 int (*set)(const struct opt_in *in, const char *member, void *element));

#endif
