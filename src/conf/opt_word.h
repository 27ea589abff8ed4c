/* Types of options: flags, words, texts and directions (FLAG, BOOL, ENUM, ENUMARG, BITS, SFR, STR,
 * STRS, RW). */
#ifndef FATHOM_CONF_OPT_WORD_H
#define FATHOM_CONF_OPT_WORD_H

#include "conf/opt_in.h"

opt_parse_fn opt_flag_parse, opt_bool_parse, opt_enum_parse, opt_enumarg_parse, opt_bits_parse,
	opt_str_parse, opt_strs_parse, opt_rw_parse, opt_sfr_parse;
opt_print_fn opt_bool_print, opt_enum_print, opt_enumarg_print, opt_bits_print, opt_str_print,
	opt_strs_print, opt_rw_print, opt_sfr_print;
opt_equal_fn opt_enumarg_equal, opt_str_equal, opt_strs_equal, opt_rw_equal;

#endif
