/* Types of options: patterns of bytes (PATTERN). */
#ifndef FATHOM_CONF_OPT_PATTERN_H
#define FATHOM_CONF_OPT_PATTERN_H

#include "conf/opt_in.h"

opt_parse_fn opt_pattern_parse;
opt_print_fn opt_pattern_print;
opt_equal_fn opt_pattern_equal;

#endif
