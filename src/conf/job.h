/* One section of a job file (or one --name of the command line) as declared. Nothing changes it
 * after parsing.
 *
 * Each option of options.def is the field of the same name in struct job_opts ('-' written as '_')
 * and the constant OPT_<field>. Copying a struct job is how [global] is inherited.
 */
#ifndef FATHOM_CONF_JOB_H
#define FATHOM_CONF_JOB_H

#include "base/diag.h"
#include "conf/option.h"

/* Defined by the expansion of options.def: struct job_opts and enum job_opt { OPT_description, ...,
 * OPT_COUNT }. */
#include "conf/job_opts.h"

struct job_text {
	const char *name; /* canonical option name */
	const char *text; /* as written; "" for a bare flag */
	struct place at;
};

struct job {
	const char *section; /* section name; for command line jobs the value of --name */
	struct place at;     /* of the section header */
	unsigned file;	     /* index of the job file it came from (command line: 0) */
	bool first_of_file;  /* implicit stonewall before it (compatibility 1.11) */
	struct job_opts o;
	uint8_t given[(OPT_COUNT + 7) / 8]; /* set by the user, in [global] or here */
	struct place place[OPT_COUNT];
	struct job_text *own; /* given in this section, in order, last of equal keys only ("job
				 options" of JSON) */
	unsigned own_n;
	struct job_text *engine; /* engine options given in [global] or here, last of equal keys
				    only; parsed at planning */
	unsigned engine_n;
};

/* What was written, section by section in order: what --showcmd prints. */
struct job_section {
	const char *name;
	bool global;
	unsigned file;	/* as in struct job; a new file starts with fresh defaults */
	bool from_file; /* false: from the command line */
	struct job_text *texts;
	unsigned n;
};

struct job_list {
	struct arena *arena;
	struct job *jobs;
	unsigned n;
	struct job_section *sections;
	unsigned sections_n;
	struct job_text *globals; /* "global options" of JSON: command line and [global], last of
				     equal keys */
	unsigned globals_n;
};

static inline bool job_given(const struct job *j, enum job_opt o)
{
	return j->given[o / 8] >> (o % 8) & 1;
}

#endif
