/* The kinds of logs: the one table that says which logs a job has, how their files are called and
 * what they count. The files (logs.c) and what a worker feeds (worker/create.c) both ask it. Const
 * tables and pure functions of a plan, for any thread. */
#ifndef FATHOM_LOG_LOGKIND_H
#define FATHOM_LOG_LOGKIND_H

#include "plan/plan.h"
#include "result/logrec.h"

struct logkind {
	const char *word; /* in file names, PREFIX_WORD.N.log; NULL: the option names the file */
	const char *unit; /* of the values in its lines; NULL: they are no single values */
};

/* By enum log_kind. */
extern const struct logkind logkinds[LOGK_KINDS];

/* The prefix of a kind's file, or its name where word is NULL; NULL when the job has no such file.
 */
const char *logkind_prefix(const struct plan_job *pj, unsigned kind);
/* The kinds that have a file: bits 1 << LOGK_*. Kinds that are disabled have none
 * (compatibility 22.1). */
unsigned logkind_created(const struct plan_job *pj);
/* Those of them that get lines. A submission latency is of asynchronous engines only, and a
 * histogram log needs its interval: the files of the others stay empty, as in fio. */
unsigned logkind_fed(const struct plan_job *pj);

#endif
