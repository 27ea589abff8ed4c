/* One worker: everything one thread owns. The loop is in worker.c, counting in account.h, what
 * happens rarely in the other files of this folder (see its README).
 *
 * The struct is written by its own thread only, but for `requests`, which is the supervisor's. What
 * the supervisor reads while the worker runs is `shared` and, through worker_ios() and the like,
 * the tallies themselves: nothing is counted twice.
 */
#ifndef FATHOM_WORKER_WORKER_H
#define FATHOM_WORKER_WORKER_H

#include "base/arena.h"
#include "workload/workload.h"
#include "log/port.h"
#include "result/result.h"
#include "worker/buffers.h"
#include "worker/env.h"
#include "worker/events.h"
#include "worker/lifecycle.h"
#include "worker/place.h"
#include "worker/seconds.h"
#include "worker/snapshot.h"
#include "worker/state.h"
#include "worker/timeline.h"
#include "worker/windows.h"
#include <stdatomic.h>

/* Bits of requests, which only the supervisor writes; the worker compares it with what it saw last.
 */
enum {
	REQUEST_STOP_SIGNAL = 1,  /* end: SIGINT or SIGTERM */
	REQUEST_STOP_EXITALL = 2, /* end: another job ended */
	REQUEST_ABANDON = 4,	  /* stop waiting for I/Os in flight */
	REQUEST_SNAPSHOT = 256	  /* the bits from here up count requested snapshots */
};

/* What others may read while the worker runs: one writer (the worker), relaxed loads elsewhere. */
struct worker_shared {
	_Atomic unsigned state;	 /* enum worker_state */
	_Atomic unsigned letter; /* status letter */
	_Atomic unsigned open_files;
} __attribute__((aligned(128)));

/* What to do with a finished I/O, decided once; tested as one word in the common case. */
enum {
	ACCT_SLAT = 1,
	ACCT_CLAT = 2,
	ACCT_LAT = 4,
	ACCT_CLAT_HIST = 8,
	ACCT_LAT_HIST = 16,
	ACCT_SLAT_HIST = 32,
	ACCT_SCHED = 64,      /* latency from the schedule */
	ACCT_MAX_LAT = 128,   /* max_latency is set */
	ACCT_PRIO = 256,      /* per-priority latencies */
	ACCT_LOG = 512,	      /* a log line for every I/O */
	ACCT_LOG_MAX = 1024,  /* averaged log wants the window's maximum */
	ACCT_WORKLOAD = 2048, /* workload_wants_completions */
	ACCT_RATE_MIN = 4096
};

struct worker {
	/* hot: read or written each step */
	const struct clock *clock;
	struct engine *engine;
	void (*perform)(struct engine *e, struct io *io); /* one at a time, NULL: not so */
	int (*submit)(struct engine *e, struct io **ios, unsigned n);
	int (*reap)(struct engine *e, struct io **out, unsigned min, unsigned max,
		    uint64_t timeout_ns);
	struct workload *load;
	struct io **free;    /* stack of free slots */
	struct io **done;    /* [depth] for reap */
	uint64_t now;	     /* last stamp */
	uint64_t next_event; /* windows, ramp, end: the one comparison of a step */
	uint64_t wake;	     /* pacing: nothing to start before */
	uint64_t last_done;  /* stamp of the last completion */
	_Atomic unsigned requests;
	unsigned requests_seen;
	unsigned state;	    /* enum worker_state, own copy */
	unsigned acct;	    /* ACCT_* */
	unsigned log_kinds; /* per-I/O kinds: bit 1 << LOGK_ */
	unsigned pending_n; /* taken from the workload, not yet by the engine */
	unsigned free_n, in_flight, depth, batch, reap_min, reap_max, depth_low;
	unsigned batch_all, batch_part; /* what batch is: they are done within the call, or not */
	unsigned turns;			/* own cost is sampled now and then */
	uint8_t io_flags;		/* IO_RAMP while in the ramp */
	bool sync;			/* stamps: issue before the call */
	bool within;	 /* the last batch was done within the call that submitted it */
	bool one_op;	 /* reads, writes or trims, and nothing else */
	bool draining;	 /* queue was full: reap down to depth_low first */
	bool load_drain; /* the workload asked for an empty queue */
	bool abandoned;	 /* I/Os in flight were given up */
	struct workload_fill fill;
	uint64_t issued[DIRS];
	struct dir_stats stats[DIRS];
	uint64_t lat_bins[HIST_LAT_BINS];
	uint64_t depth_level[DEPTH_BINS], depth_submit[DEPTH_BINS], depth_complete[DEPTH_BINS];
	uint64_t issued_syncs;
	uint64_t own_ns, own_ios; /* what this program itself took for so many I/Os, sampled */
	uint64_t spin_until;	  /* thinktime_spin: stay busy until then */
	struct io **pending;
	struct worker_shared shared;

	/* cold */
	const struct plan *plan;
	const struct plan_job *pj;
	struct worker_env *env;
	struct arena arena;
	struct engine engine_store;
	struct engine_setup setup;
	struct io *ios;
	struct worker_buffers buffers;
	bool *attached;	       /* [files_n] */
	uint64_t cached_bytes; /* of the files in the page cache before the first I/O */
	void *engine_memory;
	enum workload_state workload_state;
	unsigned files_open;

	bool began;
	uint64_t start_ns;	    /* of the workload on the run's clock, after startdelay */
	uint64_t measure_ns;	    /* measurement starts: start, or the end of the ramp */
	uint64_t ramp_end, run_end; /* 0 / UINT64_MAX: none */
	uint64_t limit;		    /* the time limit also when it is over, UINT64_MAX: none */
	uint64_t log_shift;	    /* from the run's clock to the stamps of logs, modulo 2^64 */
	uint64_t end_ns;
	uint64_t ramp_bytes_left;
	struct worker_windows windows;
	struct worker_steps steps;
	struct worker_rates rates;

	struct runstat sync_lat;
	struct hist *sync_hist;
	uint64_t syncs;
	struct prio_stats prio[PRIO_STATS_MAX];
	struct phase_counts phase[PHASES];
	struct worker_outcome outcome;
	uint64_t durable_ns; /* end of the last flush, 0: none */

	struct log_port log;
	unsigned log_windows;  /* kinds that are averaged over windows: bits 1 << LOGK_* */
	uint16_t default_prio; /* kernel value of the thread's own I/O priority */

	struct seconds seconds;
	struct worker_thread thread;
	struct worker_usage usage;
	struct snapshots snapshots;
};

/* The part that a plain turn touches: asserted in worker.c to be few cache lines. */
#define WORKER_HOT_BYTES 320

/* What a running worker has done, the ramp included; for other threads as well. */
static inline uint64_t worker_ios(const struct worker *w, unsigned d)
{
	return __atomic_load_n(&w->stats[d].ios, __ATOMIC_RELAXED) +
	       __atomic_load_n(&w->phase[PHASE_RAMP].ios[d], __ATOMIC_RELAXED);
}

static inline uint64_t worker_bytes(const struct worker *w, unsigned d)
{
	return __atomic_load_n(&w->stats[d].bytes, __ATOMIC_RELAXED) +
	       __atomic_load_n(&w->phase[PHASE_RAMP].bytes[d], __ATOMIC_RELAXED);
}

/* I/Os the engine owes; for other threads as well. */
static inline unsigned worker_owed(const struct worker *w)
{
	return __atomic_load_n(&w->in_flight, __ATOMIC_RELAXED);
}

/* Something asked for attention: a moment has come, or the supervisor wants something. */
static inline bool worker_called(const struct worker *w, uint64_t now)
{
	return now >= w->next_event ||
	       atomic_load_explicit(&w->requests, memory_order_relaxed) != w->requests_seen;
}

/* Has the run been interrupted, or ended by exitall? */
static inline bool worker_told_to_stop(const struct worker *w)
{
	return atomic_load_explicit(&w->requests, memory_order_relaxed) &
	       (REQUEST_STOP_SIGNAL | REQUEST_STOP_EXITALL);
}

/* Does anything but the target hold its I/Os back: a rate, or think time? */
static inline bool job_paced(const struct plan_job *pj)
{
	for (unsigned d = 0; d < DIRS; d++)
		if (pj->o->rate[d] || pj->o->rate_iops[d])
			return true;
	return pj->o->thinktime || pj->o->thinktime_iotime;
}

/* Does the job do I/Os of that direction? Lists of values by direction are filled up for all. */
static inline bool job_moves(const struct plan_job *pj, unsigned dir)
{
	return dir == DIR_READ ? pj->reads : dir == DIR_WRITE ? pj->writes : pj->trims;
}

#define WAKE_NOW  0
#define WAKE_DONE UINT64_MAX

/* One step of the loop. Returns when it next has something to do: WAKE_NOW, a time of the run's
 * clock, or WAKE_DONE. With block, waits inside the engine while I/Os are in flight; without
 * (simulator), never waits. */
uint64_t worker_step(struct worker *w, bool block);

#endif
