/* Whoever follows a run: live lines (--live) and metrics (--metrics), from the run's live hook. */
#ifndef FATHOM_LIVE_FOLLOW_H
#define FATHOM_LIVE_FOLLOW_H

#include "base/must_check.h"
#include "conf/conf.h"
#include "plan/plan.h"
#include "result/progress.h"
#include "result/result.h"

struct follow;

/* What the command line asks for; *out is NULL when it is nothing. report_fd: where the report
 * goes, which is no place for lines. -errno, with words in diag. */
MUST_CHECK int follow_open(const struct cmdline *cl, const struct plan *p, const char *version,
			   int report_fd, struct diag *diag, struct follow **out);
/* The period of the hook, ns; 0: not wanted. */
uint64_t follow_period(const struct follow *f);
/* The hook. With a final result it is the last line, which the reader is given a moment to take. */
void follow_show(struct follow *f, const struct result *r, const struct progress *p);
void follow_close(struct follow *f);

#endif
