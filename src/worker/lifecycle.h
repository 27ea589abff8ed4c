/* States of a worker, and what happens between I/Os. */
#ifndef FATHOM_WORKER_LIFECYCLE_H
#define FATHOM_WORKER_LIFECYCLE_H

#include "worker/worker.h"

/* What the workload asks for while nothing is in flight; true when the loop may go on. */
bool worker_between(struct worker *w);
/* WORKER_DRAIN with an empty queue: flush, close, finish. */
void worker_end(struct worker *w);
void worker_set_state(struct worker *w, enum worker_state s);

#endif
