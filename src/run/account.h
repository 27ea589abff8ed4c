/* Counting one finished I/O: a few adds and one bucket per histogram that is on. Inline part of the
 * loop. */
#ifndef FATHOM_RUN_ACCOUNT_H
#define FATHOM_RUN_ACCOUNT_H

#include "run/worker.h"

/* Flags that need more than the common adds: worker_extra(). */
#define ACCT_RARE                                                                                  \
	(ACCT_SLAT_HIST | ACCT_LAT_HIST | ACCT_SCHED | ACCT_MAX_LAT | ACCT_PRIO | ACCT_LOG |       \
	 ACCT_LOG_MAX)

static inline void account_full(struct worker *w, struct io *io, uint64_t now)
{
	struct tally *t = &w->tally[io->op];
	unsigned acct = w->acct;

	t->ios++;
	t->bytes += io->len_asked;
	if (acct & ACCT_CLAT) {
		uint64_t clat = now - io->issue;
		unsigned i = hist_index(clat);
		moment_add(&t->lat[LAT_COMPLETE], clat);
		w->lat_bins[hist_lat_bin(i, clat)]++;
		if (acct & ACCT_CLAT_HIST)
			t->hist[LAT_COMPLETE]->bucket[i]++;
	}
	if (acct & ACCT_SLAT)
		moment_add(&t->lat[LAT_SUBMIT], io->issue - io->start);
	if (acct & ACCT_LAT)
		moment_add(&t->lat[LAT_TOTAL], now - io->start);
	if (__builtin_expect(acct & ACCT_RARE, 0))
		worker_extra(w, io, now);
}

/* A whole, successful read or write of the measured phase takes the short way. */
static inline void account(struct worker *w, struct io *io, uint64_t now)
{
	if (__builtin_expect(io->result == (int32_t)io->len && io->op <= IO_WRITE &&
				     !(io->flags & (IO_RAMP | IO_REQUEUED)),
			     1))
		account_full(w, io, now);
	else
		worker_odd(w, io, now);
}

/* The worker's own progress line: relaxed stores, one writer. */
static inline void account_show(struct worker *w)
{
	atomic_store_explicit(&w->shared.in_flight, w->in_flight, memory_order_relaxed);
	for (unsigned d = 0; d < DIRS; d++) {
		atomic_store_explicit(&w->shared.ios[d],
				      w->tally[d].ios + w->phase[PHASE_RAMP].ios[d],
				      memory_order_relaxed);
		atomic_store_explicit(&w->shared.bytes[d],
				      w->tally[d].bytes + w->phase[PHASE_RAMP].bytes[d],
				      memory_order_relaxed);
	}
}

#endif
