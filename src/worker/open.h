/* Set-up of a worker in its own thread: memory, engine, files, workload. */
#ifndef FATHOM_WORKER_OPEN_H
#define FATHOM_WORKER_OPEN_H

#include "base/must_check.h"
#include "worker/worker.h"

MUST_CHECK int worker_open(struct worker *w, struct err *err);
/* Also after a failed worker_open(). */
void worker_close(struct worker *w);

#endif
