/* Arithmetic in option values: "(4k * 2 + 1m)" (compatibility 2.4) and "2*4096" behind a keyword
 * such as $pagesize (1.9). */
#ifndef FATHOM_CONF_EXPR_H
#define FATHOM_CONF_EXPR_H

#include "base/err.h"
#include "base/must_check.h"
#include <stdbool.h>
#include <stdint.h>

enum expr_kind {
	EXPR_SIZE, /* suffixes k..p are powers of kb_base, kib..pib of the other base, ki..pi of
		      1024 */
	EXPR_TIME, /* suffixes us ms s m h d; with any suffix the result is in microseconds */
	EXPR_PLAIN /* no suffixes, and % binds like * (as bc has it) */
};

struct expr_value {
	bool is_float;	 /* a number with a fraction took part */
	bool has_suffix; /* a suffix occurred: the value is in bytes or microseconds */
	int64_t i;	 /* when !is_float */
	double f;	 /* always */
};

/* Evaluate text: + - * / % ^, parentheses, unary minus; integers stay integers unless a float takes
 * part. Precedence, tightest first: % (not PLAIN), ^, * and /, suffix, + and -. -EINVAL (words set)
 * on bad text or division by zero, -ERANGE on overflow. Stateless. */
MUST_CHECK int expr_eval(const char *text, enum expr_kind kind, unsigned kb_base,
			 struct expr_value *out, struct err *err);

#endif
