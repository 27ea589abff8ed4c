/* What a worker does at certain times: the ends of ramp and run, checks of minimum rates, requests
 * of the supervisor. By the worker's own thread. */
#ifndef FATHOM_WORKER_EVENTS_H
#define FATHOM_WORKER_EVENTS_H

#include "base/direction.h"
#include <stdbool.h>
#include <stdint.h>

struct worker;

/* Checks of minimum rates. */
struct worker_rates {
	uint64_t next;			       /* UINT64_MAX: none */
	uint64_t bytes[DIRS], ios[DIRS], from; /* at the look before */
	bool judged;			       /* the grace is over */
};

/* The next event is due, or something was requested. */
void worker_events(struct worker *w, uint64_t now);
void worker_begin(struct worker *w, uint64_t now);	    /* the clock of the job starts */
void worker_begin_measuring(struct worker *w, uint64_t at); /* or its ramp ends */

#endif
