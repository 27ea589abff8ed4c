/* Types of options: lists of numbers, CPUs, splits and errors (FLOATS, CPUS, SPLIT3, ERRORS3). */
#ifndef FATHOM_CONF_OPT_LIST_H
#define FATHOM_CONF_OPT_LIST_H

#include "conf/opt_in.h"

opt_parse_fn opt_floats_parse, opt_split3_parse, opt_cpus_parse, opt_errors3_parse;
opt_print_fn opt_floats_print, opt_split3_print, opt_cpus_print, opt_errors3_print;
opt_equal_fn opt_floats_equal, opt_split3_equal, opt_cpus_equal, opt_errors3_equal;

/* "0,5,8-15" into an ascending list; numbers below `limit`. `what` names the value in messages
 * ("cpus_allowed"). */
MUST_CHECK int opt_parse_cpus(const char *what, const char *text, unsigned limit,
			      struct arena *arena, struct cpuset *out, struct err *err);

#endif
