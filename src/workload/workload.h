/* The workload of one worker: which I/O next, when, with which data. Owns generator, mix, pacing
 * and write data.
 *
 * Used by one thread. Everything is allocated at init (memory independent of the size of the target
 * for one block size); workload_fill does no allocation, takes no lock and reads no clock.
 */
#ifndef FATHOM_WORKLOAD_WORKLOAD_H
#define FATHOM_WORKLOAD_WORKLOAD_H

#include "base/arena.h"
#include "base/must_check.h"
#include "engine/io.h"
#include "plan/plan.h"

enum workload_state {
	WORKLOAD_MORE,	/* filled as many as asked, or the batch simply ends here */
	WORKLOAD_WAIT,	/* nothing may start before fill->wake (rate, think time) */
	WORKLOAD_DRAIN, /* all in flight must complete before anything more (think time, file swap)
			 */
	WORKLOAD_WRAP,	/* a new pass begins (only with stop_at_wrap): drop caches if wanted, call
			 * again
			 */
	WORKLOAD_SWAP,	/* openfiles < nrfiles: drain, close fill->close_file, open fill->open_file,
		       call  workload_swapped() */
	WORKLOAD_LOOP,	/* the loop is over, also the last one: drain, do end-of-loop work, call
		       workload_next_loop() */
	WORKLOAD_END	/* nothing more will come: number_ios reached, or nothing fits the region at
			   all */
};

struct workload_fill {
	unsigned n;			/* I/Os filled in ios[0..n) */
	enum workload_state state;	/* what holds after these n */
	uint64_t wake;			/* WORKLOAD_WAIT: ns */
	uint64_t spin_until;		/* WORKLOAD_WAIT: be busy until then, sleep for the rest
					   (thinktime_spin);	    0: just sleep */
	uint16_t close_file, open_file; /* WORKLOAD_SWAP; UINT16_MAX: none */
};

struct workload;

struct workload_setup {
	const struct plan_job *plan;
	bool stop_at_wrap;    /* report WORKLOAD_WRAP at each new pass */
	void *buffers;	      /* first buffer */
	size_t buffer_stride; /* bytes from slot to slot */
	unsigned slots;
};

/* The files 0..open_files-1 are open at first. Buffers are filled here, so that the thread that
 * calls touches them first. -EINVAL with words when the plan cannot be followed, -ENOMEM. */
MUST_CHECK int workload_init(struct workload **out, const struct workload_setup *s,
			     struct arena *arena, struct err *err);
void workload_release(struct workload *l); /* what does not live in the arena */

/* Fill up to `want` I/Os whose slots the caller took: offset, len, len_asked, op, file, flags
 * (IO_PRIO..), prio, intended and, for writes, the data. now: ns of the run's clock. in_flight:
 * I/Os of this worker not yet completed, for WORKLOAD_DRAIN. Syncs come as I/Os of len 0 at the
 * offset of the write before; IO_SYNC_RANGE carries the span written since the last sync (len 0:
 * from offset to the end). */
void workload_fill(struct workload *l, uint64_t now, unsigned in_flight, struct io **ios,
		   unsigned want, struct workload_fill *out);

/* Set at init: the worker must call workload_completed for finished I/Os (think time by completion,
 * serialize_overlap). */
bool workload_wants_completions(const struct workload *l);
void workload_completed(struct workload *l, struct io *const *ios, unsigned n, uint64_t now);

/* The clock of the job starts (rates and think time count from here). */
void workload_start(struct workload *l, uint64_t now);
/* The ramp is over: amounts (io_size, number_ios, loops) and rate schedules count from here; a
 * fresh pass begins. Before this call, when the plan has a ramp, no amount limit ends the load. */
void workload_measured(struct workload *l, uint64_t now);
void workload_swapped(struct workload *l);
/* False: that was the last loop. */
bool workload_next_loop(struct workload *l, uint64_t now);

/* Counters for the report since workload_start or workload_measured; plain reads by the owning
 * thread. */
struct workload_counts {
	uint64_t issued_bytes[DIRS], issued_ios[DIRS];
	uint64_t late_ios;	/* started later than 1 ms after their scheduled time */
	uint64_t behind_ns_max; /* farthest behind schedule */
	uint64_t passes;	/* begun, over all loops */
	uint64_t tail_bytes;	/* bytes at region ends too short for a block, per pass */
};
void workload_counts(const struct workload *l, struct workload_counts *out);

#endif
