/* Where and with which rights a worker runs; called by its own thread. */
#ifndef FATHOM_WORKER_PLACE_H
#define FATHOM_WORKER_PLACE_H

#include "worker/worker.h"

int place_thread(struct worker *w, struct err *err);
/* This thread on these CPUs from now on. -errno. */
int place_on(const struct cpuset *cpus);

#endif
