/* What can be written in a job file: the job options, the options of the engines that are here, and
 * the names that belong to engines or profiles that are not. Const tables. */
#ifndef FATHOM_CONF_SCHEMA_H
#define FATHOM_CONF_SCHEMA_H

#include "base/must_check.h"
#include "conf/job.h"

/* Row i describes OPT_i. */
extern const struct opt_row job_rows[OPT_COUNT];

/* The engines of this build, given by the caller: conf does not know engines. */
struct conf_engine {
	const char *name;
	const struct opt_row *rows;
	unsigned n;
	size_t size; /* of the engine's options struct */
};
struct conf_schema {
	const struct conf_engine *engines;
	unsigned n;
	unsigned words_before; /* of the user's command line, before those that are parsed: places
				  in messages count from the first */
};

/* An option of engines (or a profile) that are not built here, so that it is refused by name. */
struct conf_foreign {
	const char *owners; /* "rbd,rados" or "profile act" */
	const char *name, *aliases, *help;
};

/* Index of the job option of this name or alias, -1. */
MUST_CHECK int schema_job_option(const char *name);
const struct conf_engine *schema_engine(const struct conf_schema *s, const char *name);
/* The row of an engine for this name or alias, NULL. */
const struct opt_row *schema_engine_row(const struct conf_engine *e, const char *name);
/* The first engine of the build that has this option, NULL. */
const struct conf_engine *schema_engine_with(const struct conf_schema *s, const char *name);
/* "libaio, io_uring": the engines of the build that have this option, into buf. */
void schema_engines_with(const struct conf_schema *s, const char *name, char *buf, size_t size);
/* The foreign option of this name, of this owner when owner is not NULL; NULL. */
const struct conf_foreign *schema_foreign(const char *name, const char *owner);
/* The known option name nearest to word, NULL when none is near. */
const char *schema_nearest(const struct conf_schema *s, const char *word);

#endif
