/* Counting one finished I/O: a few adds and one bucket per histogram that is on. Inline part of the
 * loop. */
#ifndef FATHOM_WORKER_ACCOUNT_H
#define FATHOM_WORKER_ACCOUNT_H

#include "worker/slow_path.h"
#include "worker/worker.h"

/* Flags that need more than the common adds: worker_account_extra(). */
#define ACCT_RARE                                                                                  \
	(ACCT_SLAT_HIST | ACCT_LAT_HIST | ACCT_SCHED | ACCT_MAX_LAT | ACCT_PRIO | ACCT_LOG_MAX)

/* A word that others read while the worker counts it up: one writer. */
static inline void count_up(uint64_t *word, uint64_t n)
{
	__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);
}

/* Count k I/Os that are alike in everything that is counted; k is 1 when something rare is on. The
 * samples of the latencies are not counted one by one, see worker_settle(). Logs are the caller's.
 */
static inline __attribute__((always_inline)) void account_many(struct worker *w, struct io *io,
							       uint64_t k, uint64_t now)
{
	struct dir_stats *t = &w->stats[io->op];
	unsigned acct = w->acct;

	count_up(&t->ios, k);
	count_up(&t->bytes, k * io->len_asked);
	if (acct & ACCT_CLAT) {
		uint64_t clat = now - io->issue;
		unsigned i = hist_index(clat);
		if (__builtin_expect(clat > w->seconds.outlier_ns, 0))
			seconds_outlier(w, clat);
		runstat_add_uncounted(&t->lat[LAT_COMPLETE], clat, k);
		w->lat_bins[hist_lat_bin(i, clat)] += k;
		if (acct & ACCT_CLAT_HIST)
			t->hist[LAT_COMPLETE]->bucket[i] += k;
	}
	if (acct & ACCT_SLAT)
		runstat_add_uncounted(&t->lat[LAT_SUBMIT], io->issue - io->start, k);
	if (acct & ACCT_LAT)
		runstat_add_uncounted(&t->lat[LAT_TOTAL], now - io->start, k);
	if (__builtin_expect(acct & ACCT_RARE, 0))
		worker_account_extra(w, io, now);
}

static inline void account_one(struct worker *w, struct io *io, uint64_t now)
{
	account_many(w, io, 1, now);
	if (__builtin_expect(w->acct & ACCT_LOG, 0))
		pack_io(w->log.ios, io, now);
}

/* A whole, successful read or write of the measured phase takes the short way. */
static inline bool account_is_common(const struct io *io)
{
	return io->result == (int32_t)io->len && io->op <= IO_WRITE &&
	       !(io->flags & (IO_RAMP | IO_REQUEUED));
}

/* Plain like io, and of the same latencies: submitted with it, and finished by now as it is. */
static inline bool account_same_times(const struct io *io, const struct io *other)
{
	return other->issue == io->issue && other->start == io->start && other->op == io->op &&
	       other->flags == io->flags && other->len_asked == io->len_asked &&
	       other->len == io->len && other->result == io->result;
}

/* w->done[0..n) are over: back to the free slots, and count them. */
static inline void account_done(struct worker *w, unsigned n, uint64_t now)
{
	const bool alone = w->acct & ACCT_RARE;

	for (unsigned i = 0, k; i < n; i += k) {
		struct io *io = w->done[i];
		w->free[w->free_n++] = io;
		k = 1;
		if (__builtin_expect(!account_is_common(io), 0)) {
			worker_account_slow(w, io, now);
			continue;
		}
		for (; i + k < n && !alone && account_same_times(io, w->done[i + k]); k++)
			w->free[w->free_n++] = w->done[i + k];
		account_many(w, io, k, now);
		for (unsigned j = 0; w->acct & ACCT_LOG && j < k; j++)
			pack_io(w->log.ios, w->done[i + j], now);
	}
}

/* The loop does not count the samples of each latency: they are the I/Os. Bring the statistics up
 * to date before they are read. */
static inline void dir_stats_settle(struct dir_stats *t, unsigned acct)
{
	if (acct & ACCT_SLAT)
		t->lat[LAT_SUBMIT].n = t->ios;
	if (acct & ACCT_CLAT)
		t->lat[LAT_COMPLETE].n = t->ios;
	if (acct & ACCT_LAT)
		t->lat[LAT_TOTAL].n = t->ios;
}

static inline void worker_settle(struct worker *w)
{
	for (unsigned d = 0; d < DIRS; d++)
		dir_stats_settle(&w->stats[d], w->acct);
}

#endif
