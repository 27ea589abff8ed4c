/* The argument vector cut into program options, job options and job files, as getopt_long_only
 * would. Inside of conf.
 */
#ifndef FATHOM_CONF_ARGV_H
#define FATHOM_CONF_ARGV_H

#include "base/must_check.h"
#include "conf/build.h"
#include "conf/cli.h"

enum argv_kind { ARGV_PROGRAM, ARGV_JOB, ARGV_FILE };

struct argv_word {
	enum argv_kind kind;
	enum cli_id id;	   /* PROGRAM */
	const char *name;  /* JOB: canonical name of the job or engine option */
	const char *value; /* NULL: none given; FILE: the path */
	struct place at;   /* col: index in argv */
};

/* Cut argv[1..argc); what cannot be cut is reported through b. At most 2 words an argument. Returns
 * the number of words, -ENOMEM. */
MUST_CHECK int argv_cut(struct build *b, int argc, char **argv, struct argv_word **out);

#endif
