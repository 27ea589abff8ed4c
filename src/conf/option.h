/* What an option is: a row of a table. Job options: options.def (the only place an option is
 * declared); engines carry rows of their own for their private struct.
 *
 * clang-format off
 * Type -> C type of the field:
 *   FLAG BOOL          bool
 *   INT                int64_t
 *   COUNT              uint64_t (>= 0)
 *   SIZE               uint64_t bytes
 *   SIZEPCT            struct opt_size
 *   TIME               uint64_t ns
 *   TIMERANGE          struct opt_range in ns
 *   PERCENT FLOAT      double
 *   FLOATS             struct opt_floats
 *   ENUM               int
 *   ENUMARG            struct opt_enum_arg
 *   BITS               unsigned (several choices joined by ',')
 *   STR                const char * (NULL unset)
 *   STRS               struct opt_strings (split by ':')
 *   INT3 SIZE3 TIME3   int64_t / uint64_t / uint64_t [DIRS], fill rule of compatibility 2.7
 *   PERCENT3           double [DIRS], the same rule
 *   RANGE              struct opt_range (bytes)
 *   RANGE3             struct opt_range [DIRS]
 *   SPLIT3             struct opt_split [DIRS]
 *   CPUS               struct cpuset
 *   PATTERN            struct opt_pattern
 *   ERRORS3            struct opt_errors [DIRS]
 *   RW                 struct opt_rw
 *   DIST               struct opt_dist
 *   SFR                struct opt_enum_arg (SFR_ bits, arg = N in decimal)
 * clang-format on
 *
 * What min and max of a row mean: numbers and the members of triples, lists and ranges: inclusive
 * limits (both 0: any that fit; max below min: no upper limit). FLOATS: above min. SIZEPCT: max is
 * that of the percentage, min > 0 refuses 0%. STR: max is the longest length (0: 8192), min < 0
 * allows the empty value. PATTERN: min > 0 allows %o.
 */
#ifndef FATHOM_CONF_OPTION_H
#define FATHOM_CONF_OPTION_H

#include "base/arena.h"
#include "base/err.h"
#include "base/must_check.h"
#include "conf/value.h"

enum opt_type {
	OPT_T_FLAG,
	OPT_T_BOOL,
	OPT_T_INT,
	OPT_T_COUNT,
	OPT_T_SIZE,
	OPT_T_SIZEPCT,
	OPT_T_TIME,
	OPT_T_TIMERANGE,
	OPT_T_PERCENT,
	OPT_T_FLOAT,
	OPT_T_FLOATS,
	OPT_T_ENUM,
	OPT_T_ENUMARG,
	OPT_T_BITS,
	OPT_T_STR,
	OPT_T_STRS,
	OPT_T_INT3,
	OPT_T_SIZE3,
	OPT_T_TIME3,
	OPT_T_PERCENT3,
	OPT_T_RANGE,
	OPT_T_RANGE3,
	OPT_T_SPLIT3,
	OPT_T_CPUS,
	OPT_T_PATTERN,
	OPT_T_ERRORS3,
	OPT_T_RW,
	OPT_T_DIST,
	OPT_T_SFR
};

/* What becomes of an option that is given. */
enum opt_status {
	OPT_LIVE,    /* takes effect */
	OPT_PENDING, /* known, refused as "not supported yet" */
	OPT_MOOT,    /* has no meaning here: accepted, warned about once, listed in docs */
	OPT_REMOVED /* gone from the language: an error that says what to write instead (in help) */
};

struct opt_choice {
	const char *word;
	int value;
	const char *help; /* may be NULL */
};

struct opt_row {
	const char *name;
	const char *aliases; /* comma list or "" */
	enum opt_type type;
	enum opt_status status;
	size_t at;	  /* offset of the field in struct job_opts or in the engine's struct */
	const char *def;  /* default as text, NULL: zero / unset */
	double min, max;  /* range of numbers, both 0: any that fit */
	uint64_t unit_ns; /* TIME types: unit of a bare number */
	const struct opt_choice *choices; /* ENUM, ENUMARG, BITS; ends with word == NULL */
	const char *category;
	const char *help; /* one sentence */
};

/* Longest line, and so longest value (compatibility 1.1). */
#define OPT_TEXT_MAX 8192

/* Bits of opt_context.notes besides UNITS_*. */
enum {
	OPT_NOTE_DASH = 0x100, /* a list of directions was separated by '-' or ':': worth a warning,
				  it is no range */
};

struct opt_context {
	struct arena *arena; /* owns what values point to */
	unsigned kb_base;    /* 1000 or 1024 */
	unsigned notes;	     /* out: UNITS_* and OPT_NOTE_* bits */
};

/* Parse text (NULL: the key stood alone) into field (of the row's C type). Nothing is written on
 * failure. Empty members of a triple leave what the field holds, so the caller initialises it with
 * the default. -EINVAL, -ERANGE, -ENOMEM. */
MUST_CHECK int opt_parse(const struct opt_row *row, const char *text, struct opt_context *ctx,
			 void *field, struct err *err);
/* The value as text that opt_parse reads back to an equal value. */
void opt_print(const struct opt_row *row, const void *field, char *buf, size_t size);
/* Bytes of a field of this type: tests of the tables ask. */
size_t opt_field_size(enum opt_type type);
bool opt_equal(const struct opt_row *row, const void *a, const void *b);
/* The default of the row (zero without one) into field; -errno when the row is wrong. */
MUST_CHECK int opt_default(const struct opt_row *row, struct opt_context *ctx, void *field,
			   struct err *err);
/* Does `name` name this row (its name or one of its aliases)? */
bool opt_row_named(const struct opt_row *row, const char *name);
/* May the key stand alone? */
bool opt_value_optional(const struct opt_row *row);
#endif
