/* The timeline of a worker: what it did in each step of the measured time. */
#ifndef FATHOM_WORKER_TIMELINE_H
#define FATHOM_WORKER_TIMELINE_H

#include "base/must_check.h"
#include "result/timeline.h"

struct worker;

struct worker_steps {
	struct timeline timeline;
	struct timeline_point before; /* counters at the start of the step */
	uint64_t next;		      /* end of the step, UINT64_MAX: off */
};

MUST_CHECK int worker_timeline_open(struct worker *w); /* -ENOMEM */
void worker_timeline_begin(struct worker *w, uint64_t at);
void worker_timeline_roll(struct worker *w, uint64_t now);

#endif
