/* Where and with which rights a worker runs; called by its own thread. */
#ifndef FATHOM_WORKER_PLACE_H
#define FATHOM_WORKER_PLACE_H

#include "base/must_check.h"
#include "worker/worker.h"

MUST_CHECK int place_thread(struct worker *w, struct err *err);
/* This thread on these CPUs from now on. -errno. */
MUST_CHECK int place_on(const struct cpuset *cpus);

#endif
