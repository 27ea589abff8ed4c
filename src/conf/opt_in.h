/* One value of an option being read, and what the families of types (opt_word, opt_number,
 * opt_list, opt_pattern, opt_dist) share: messages, lists, directions. Inside of conf. */
#ifndef FATHOM_CONF_OPT_IN_H
#define FATHOM_CONF_OPT_IN_H

#include "base/must_check.h"
#include "conf/opt_out.h"
#include "conf/option.h"

/* One parse in progress. */
struct opt_in {
	const struct opt_row *row;
	const char *text; /* never NULL */
	struct opt_context *ctx;
	struct err *err;
};

/* What a type has: parse writes nothing on failure (0 or -errno with words), print makes a text
 * that reads back to an equal value. */
typedef int opt_parse_fn(const struct opt_in *in, void *field);
typedef void opt_print_fn(const struct opt_row *row, const void *field, struct opt_out *o);
typedef bool opt_equal_fn(const struct opt_row *row, const void *a, const void *b);

/* "option 'x': 'text' is not WHAT", remedy "allowed: ..."; returns -EINVAL. text may be a part of
 * the value. */
int opt_bad(const struct opt_in *in, const char *text, const char *what);
/* "option 'x': 'text' is out of range"; returns -ERANGE. */
int opt_out_of_range(const struct opt_in *in, const char *text);
int opt_no_memory(const struct opt_in *in);
/* Is v within the row's limits? */
bool opt_in_range(const struct opt_row *row, double v);

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
