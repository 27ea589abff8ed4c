/* What happens between I/Os, and the end of a worker. By its own thread. */
#ifndef FATHOM_WORKER_LIFECYCLE_H
#define FATHOM_WORKER_LIFECYCLE_H

#include "worker/worker.h"

/* What the workload asks for while nothing is in flight; true when the loop may go on. */
bool worker_between(struct worker *w);
/* WORKER_DRAIN with an empty queue: flush, close, finish. */
void worker_end(struct worker *w);

#endif
