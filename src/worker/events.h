/* What a worker does at certain times: windows of samples and logs, the ends of ramp and run,
 * checks of minimum rates, requests of the supervisor. By the worker's own thread. */
#ifndef FATHOM_WORKER_EVENTS_H
#define FATHOM_WORKER_EVENTS_H

#include "worker/worker.h"

/* The next event is due, or something was requested. */
void worker_events(struct worker *w, uint64_t now);
void worker_begin(struct worker *w, uint64_t now);	    /* the clock of the job starts */
void worker_begin_measuring(struct worker *w, uint64_t at); /* or its ramp ends */
void worker_finish_windows(struct worker *w, uint64_t now);
void worker_stop(struct worker *w, enum end_reason why);
/* The loop does not count the samples of each latency: they are the I/Os. Bring the statistics up
 * to date before they are read. */
void worker_settle(struct worker *w);
static inline void tally_settle(struct tally *t, unsigned acct)
{
	if (acct & ACCT_SLAT)
		t->lat[LAT_SUBMIT].n = t->ios;
	if (acct & ACCT_CLAT)
		t->lat[LAT_COMPLETE].n = t->ios;
	if (acct & ACCT_LAT)
		t->lat[LAT_TOTAL].n = t->ios;
}

#endif
