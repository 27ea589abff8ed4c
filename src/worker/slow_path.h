/* The slow path of the loop: anything that is not a full, successful read, write or trim of the
 * measured phase. */
#ifndef FATHOM_WORKER_SLOW_PATH_H
#define FATHOM_WORKER_SLOW_PATH_H

#include "worker/worker.h"

/* Count a completion that is not a common one: an error, a short transfer, a sync, the ramp. */
void worker_account_slow(struct worker *w, struct io *io, uint64_t now);
/* What of a common completion is counted only when asked for (ACCT_RARE). */
void worker_account_extra(struct worker *w, struct io *io, uint64_t now);
/* The job fails: the first error counts, and the worker drains. */
void worker_fail(struct worker *w, int error, enum err_class cls, const char *text);
/* write_iolog: I/Os issued; a file added, opened, closed (IOLOG_*). */
void worker_log_issue(struct worker *w, struct io *const *ios, unsigned n);
void worker_log_file(struct worker *w, unsigned file, unsigned what);

#endif
