/* What a worker does at certain times: the ends of ramp and run, checks of minimum rates, requests
 * of the supervisor. By the worker's own thread. */
#ifndef FATHOM_WORKER_EVENTS_H
#define FATHOM_WORKER_EVENTS_H

#include "worker/worker.h"

/* The next event is due, or something was requested. */
void worker_events(struct worker *w, uint64_t now);
void worker_begin(struct worker *w, uint64_t now);	    /* the clock of the job starts */
void worker_begin_measuring(struct worker *w, uint64_t at); /* or its ramp ends */

#endif
