/* The slow path of the loop: anything that is not a full, successful read, write or trim of the
 * measured phase. */
#ifndef FATHOM_WORKER_SLOW_PATH_H
#define FATHOM_WORKER_SLOW_PATH_H

#include "worker/worker.h"

/* Count a completion that is not a common one: an error, a short transfer, a sync, the ramp. */
void worker_account_slow(struct worker *w, struct io *io, uint64_t now);
/* What of a common completion is counted only when asked for (ACCT_RARE). */
void worker_account_extra(struct worker *w, struct io *io, uint64_t now);

#endif
