/* The timeline of a worker: what it did in each step of the measured time. */
#ifndef FATHOM_WORKER_TIMELINE_H
#define FATHOM_WORKER_TIMELINE_H

#include "base/must_check.h"
#include "worker/worker.h"

MUST_CHECK int worker_timeline_open(struct worker *w); /* -ENOMEM */
void worker_timeline_begin(struct worker *w, uint64_t at);
void worker_timeline_roll(struct worker *w, uint64_t now);

#endif
