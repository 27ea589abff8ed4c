/* Types of options: distributions (DIST). */
#ifndef FATHOM_CONF_OPT_DIST_H
#define FATHOM_CONF_OPT_DIST_H

#include "conf/opt_in.h"

opt_parse_fn opt_dist_parse;
opt_print_fn opt_dist_print;
opt_equal_fn opt_dist_equal;

#endif
