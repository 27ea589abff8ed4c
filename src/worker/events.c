/* What a worker does at moments rather than per I/O: the end of the ramp, the end of
 * the run, checks of minimum rates, and what the supervisor asks for. */
#include "base/time.h"
#include "worker/events.h"
#include "worker/account.h"
#include "worker/iolog.h"
#include "worker/seconds.h"
#include "worker/snapshot.h"
#include "worker/state.h"
#include "worker/timeline.h"
#include "worker/windows.h"
#include "worker/worker.h"
#include <assert.h>
#include <errno.h>
#include <string.h>

#define RATE_GRACE_NS                                                                              \
	2000000000ull /* minimum rates are taken from then on (compatibility 11.3)                 \
		       */

static void events_plan_next_event(struct worker *w)
{
	uint64_t next = worker_windows_next(w);

	if (w->io_flags & IO_RAMP)
		next = time_earlier(next, w->ramp_end);
	if (w->steps.next <= w->limit && w->steps.next != UINT64_MAX)
		next = time_earlier(next, w->steps.next + 1);
	next = time_earlier(next, w->seconds.next);
	w->next_event = time_earlier(next, time_earlier(w->run_end, w->rates.next));
}

void worker_begin_measuring(struct worker *w, uint64_t at)
{
	assert(at >= w->start_ns);
	w->measure_ns = at;
	/* Logs count from here, unless they shall show the wall clock. */
	w->log_shift = w->pj->o->log_alternate_epoch ? clock_wall(w->clock, 0) : -at;
	if (w->log.ios)
		pack_begin(w->log.ios, at, w->log_shift + at, w->default_prio);
	worker_begin_windows(w, at);
	worker_timeline_begin(w, at);
	w->run_end = w->limit = w->pj->run_ns ? at + w->pj->run_ns : UINT64_MAX;
	w->rates.judged = false;
	w->rates.next = w->acct & ACCT_RATE_MIN ? at + RATE_GRACE_NS : UINT64_MAX;
}

void worker_begin(struct worker *w, uint64_t now)
{
	const struct plan_job *pj = w->pj;

	assert(w->state == WORKER_READY && !w->began);
	assert(w->free_n == w->depth && !w->in_flight && !w->pending_n);
	w->began = true;
	w->now = w->start_ns = w->last_done = now;
	getrusage(RUSAGE_THREAD, &w->usage.before);
	worker_begin_measuring(w, now);
	if (pj->ramp_ns || pj->ramp_bytes) {
		w->io_flags = IO_RAMP;
		w->ramp_end = pj->ramp_ns ? now + pj->ramp_ns : UINT64_MAX;
		w->ramp_bytes_left = pj->ramp_bytes;
		w->run_end = w->limit = w->rates.next = UINT64_MAX;
		w->steps.next = UINT64_MAX;
		worker_suspend_windows(w);
	}
	events_plan_next_event(w);
	for (unsigned i = 0; i < pj->files_n; i++)
		worker_log_file(w, i, IOLOG_ADD);
	for (unsigned i = 0; i < pj->files_n; i++)
		if (w->attached[i])
			worker_log_file(w, i, IOLOG_OPEN);
	if (!w->io_flags)
		seconds_begin(w, now);
	workload_start(w->load, now);
	worker_set_state(w, WORKER_RUN);
}

static void events_end_ramp(struct worker *w)
{
	assert(w->io_flags == IO_RAMP && w->ramp_end >= w->start_ns);
	w->phase[PHASE_RAMP].ns = w->ramp_end - w->start_ns;
	w->io_flags = 0;
	/* Everything counts afresh; I/Os in flight belong to the ramp, as that is when they were
	 * issued. */
	memset(w->issued, 0, sizeof(w->issued));
	memset(w->depth_level, 0, sizeof(w->depth_level));
	memset(w->depth_submit, 0, sizeof(w->depth_submit));
	memset(w->depth_complete, 0, sizeof(w->depth_complete));
	w->issued_syncs = 0;
	getrusage(RUSAGE_THREAD, &w->usage.before);
	worker_begin_measuring(w, w->ramp_end);
	seconds_begin(w, w->ramp_end);
	workload_measured(w->load, w->ramp_end);
	/* What the load wanted before no longer holds. */
	w->load_drain = false;
	w->wake = 0;
	worker_set_state(w, w->state);
}

static bool events_too_slow(const struct worker *w, unsigned d, uint64_t ns)
{
	const struct job_opts *o = w->pj->o;
	const struct dir_stats *t = &w->stats[d];

	return window_rate(t->bytes - w->rates.bytes[d], 1, ns) < o->rate_min[d] ||
	       window_rate(t->ios - w->rates.ios[d], 1, ns) < (uint64_t)o->rate_iops_min[d];
}

/* The first look, after the grace, only takes the counts. */
static void events_check_rates(struct worker *w, uint64_t now)
{
	assert(now >= w->rates.next && !(w->io_flags & IO_RAMP));
	for (unsigned d = 0; d < DIRS && w->state == WORKER_RUN; d++) {
		if (w->rates.judged && job_moves(w->pj, d) &&
		    events_too_slow(w, d, now - w->rates.from))
			worker_fail(w, EIO, ERR_LIMIT, "a minimum rate was not met");
		w->rates.bytes[d] = w->stats[d].bytes;
		w->rates.ios[d] = w->stats[d].ios;
	}
	w->rates.judged = true;
	w->rates.from = now;
	w->rates.next = now + w->pj->o->rate_cycle;
}

static void events_answer_requests(struct worker *w, uint64_t now)
{
	unsigned requests = atomic_load_explicit(&w->requests, memory_order_acquire);
	unsigned news = requests ^ w->requests_seen;

	assert(w->requests_seen <= requests);
	w->requests_seen = requests;
	if (news / REQUEST_SNAPSHOT)
		snapshot_take(w, now);
	if (requests & REQUEST_STOP_SIGNAL)
		worker_stop(w, END_SIGNAL);
	else if (requests & REQUEST_STOP_EXITALL)
		worker_stop(w, END_EXITALL);
	if (requests & REQUEST_ABANDON && w->in_flight) {
		w->engine->ops->cancel(w->engine);
		w->abandoned = true;
	}
}

void worker_events(struct worker *w, uint64_t now)
{
	worker_settle(w);
	if (w->log.ios)
		pack_close(w->log.ios);
	if (w->io_flags & IO_RAMP && now >= w->ramp_end && w->state == WORKER_RUN)
		events_end_ramp(w);
	if (!(w->io_flags & IO_RAMP)) {
		/* After the end of the run only what lies before it belongs into the windows. */
		worker_roll_windows(w, now);
		seconds_roll(w, now);
		if (now >= w->rates.next && w->state == WORKER_RUN)
			events_check_rates(w, now);
		if (now >= w->run_end) {
			w->run_end = UINT64_MAX;
			worker_stop(w, END_TIME);
		}
	}
	events_answer_requests(w, now);
	events_plan_next_event(w);
}
