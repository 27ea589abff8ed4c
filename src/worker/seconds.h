/* The seconds of the run as a worker sees them: latencies of those in which nothing disturbed it,
 * and what its slowest I/Os waited for. Owned by the worker, except `flags`, which the watcher
 * writes and the worker reads.
 */
#ifndef FATHOM_WORKER_SECONDS_H
#define FATHOM_WORKER_SECONDS_H

#include "base/must_check.h"
#include "base/time.h"
#include "result/watched.h"
#include "host/times.h"
#include <stdatomic.h>

struct worker;

enum { SECOND_UNKNOWN, SECOND_QUIET, SECOND_DISTURBED };
#define LAST_PART_NS (NS_PER_SEC / 2) /* from here on the last part of a run counts as a second */
#define SECOND_RING  8u
/* What the watcher writes about a second. With its number: after a stop of the process, or when the
 * watcher came late, the place still holds what was said of an earlier one. */
#define SECOND_FLAG(number, state) ((uint64_t)(number)*4u + (state))

struct seconds {
	uint64_t next;	 /* end of the running second on the run's clock, UINT64_MAX: not watched */
	uint64_t number; /* of the running second */
	unsigned known;	 /* snapshots there are: 1 last, 2 also before */
	struct hist *before[DIRS], *last[DIRS], *quiet[DIRS];
	struct runstat lat_before[DIRS], lat_last[DIRS], quiet_lat[DIRS];
	uint64_t outlier_ns; /* completions slower than this are looked at; UINT64_MAX at first */
	struct watched_outliers outliers;
	unsigned looked; /* outliers looked at in this second */
	int sched_fd;	 /* the thread's schedstat, -1: none */
	uint64_t wait_seen;
	long switches_seen;
	bool ended;   /* the next two are set, before the state says that it is over */
	uint64_t end; /* of the measurement */
	struct thread_times at_end;
	_Atomic uint64_t flags[SECOND_RING]; /* SECOND_FLAG of second k at k modulo the ring */
};

/* Memory and descriptors; at open, by the worker's thread. Does nothing when the run is too short
 * to have seconds. */
MUST_CHECK int seconds_open(struct worker *w);
void seconds_close(struct worker *w);
/* Measurement begins. */
void seconds_begin(struct worker *w, uint64_t now);
/* now >= next: one or more seconds are over. */
void seconds_roll(struct worker *w, uint64_t now);
/* The measurement is over, at `end`; while its thread still lives. */
void seconds_end(struct worker *w, uint64_t end);
/* Its part of the watched values, for a report; histograms lie in *memory, which moves on behind
 * them (worker/collect.h). */
void seconds_collect(const struct worker *w, char **memory, struct watched *out);
/* A completion above outlier_ns: what did it wait for? */
void seconds_outlier(struct worker *w, uint64_t latency);

#endif
