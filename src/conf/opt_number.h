/* Types of options: numbers, sizes, times, ranges and triples of them, and the single numbers of
 * which other types are made. */
#ifndef FATHOM_CONF_OPT_NUMBER_H
#define FATHOM_CONF_OPT_NUMBER_H

#include "conf/opt_in.h"

opt_parse_fn opt_int_parse, opt_count_parse, opt_size_parse, opt_sizepct_parse, opt_time_parse,
	opt_timerange_parse, opt_percent_parse, opt_float_parse, opt_int3_parse, opt_size3_parse,
	opt_time3_parse, opt_percent3_parse, opt_range_parse, opt_range3_parse;
opt_print_fn opt_int_print, opt_count_print, opt_size_print, opt_sizepct_print, opt_time_print,
	opt_timerange_print, opt_float_print, opt_int3_print, opt_size3_print, opt_time3_print,
	opt_percent3_print, opt_range_print, opt_range3_print;
opt_equal_fn opt_sizepct_equal, opt_double_equal, opt_percent3_equal;

/* Single numbers, with arithmetic in parentheses, range-checked against the row. */
MUST_CHECK int opt_number_size(const struct opt_in *in, const char *text, uint64_t *out);
MUST_CHECK int opt_number_percent(const struct opt_in *in, const char *text, double *out);
/* A plain float in [lo, hi]. */
MUST_CHECK int opt_number_float(const struct opt_in *in, const char *text, double lo, double hi,
				double *out);

#endif
