/* The loop of a worker, nothing else. Objects of this file reference no allocator, lock, stdio or
 * clock_gettime. */
#include "worker/worker.h"
#include "worker/account.h"
#include "worker/events.h"
#include "worker/iolog.h"
#include "worker/lifecycle.h"
#include "worker/slow_path.h"
#include "worker/state.h"
#include "base/check.h"

_Static_assert(offsetof(struct worker, stats) <= WORKER_HOT_BYTES, "the hot part comes first");

/* Own cost is sampled every so many turns; what took longer than this an I/O was not our doing. */
enum { SAMPLE_STEPS = 256, SAMPLE_NS_MAX = 10000 };

static inline void worker_sample_own(struct worker *w, uint64_t ns, unsigned ios)
{
	if (ns > (uint64_t)SAMPLE_NS_MAX * ios)
		return;
	w->own_ns += ns;
	w->own_ios += ios;
}

static inline void worker_set_in_flight(struct worker *w, unsigned n)
{
	hot_assert(n <= w->depth);
	__atomic_store_n(&w->in_flight, n, __ATOMIC_RELAXED);
}

/* Give the engine what it did not take last time. */
static void worker_submit_pending(struct worker *w)
{
	hot_assert(w->pending_n && w->pending_n + w->in_flight <= w->depth);
	int taken = w->submit(w->engine, w->pending, w->pending_n);
	if (taken < 0) {
		worker_fail(w, -taken, ERR_IO, "the engine could not submit");
		w->pending_n = 0;
		return;
	}
	w->now = clock_now(w->clock);
	/* The rest of a short transfer keeps its stamp: the I/O is as late as all of it. */
	for (int i = 0; i < taken; i++)
		if (!(w->pending[i]->flags & IO_REQUEUED))
			w->pending[i]->issue = w->now;
	worker_set_in_flight(w, w->in_flight + (unsigned)taken);
	w->pending_n -= (unsigned)taken;
	for (unsigned i = 0; i < w->pending_n; i++)
		w->pending[i] = w->pending[i + (unsigned)taken];
}

static void worker_keep_pending(struct worker *w, struct io **ios, unsigned n)
{
	hot_assert(w->pending_n + n <= w->depth);
	for (unsigned i = 0; i < n; i++)
		w->pending[w->pending_n++] = ios[i];
}

static inline void worker_count_issued(struct worker *w, const struct io *io)
{
	if (__builtin_expect(io->op <= IO_TRIM, 1))
		w->issued[io->op]++;
	else
		w->issued_syncs++;
}

static inline void worker_stamp_filled(struct worker *w, struct io **ios, unsigned n,
				       uint64_t start)
{
	hot_assert(n && start >= w->start_ns);
	for (unsigned i = 0; i < n; i++)
		ios[i]->start = ios[i]->issue = start;
	for (unsigned i = 0; w->io_flags && i < n; i++)
		ios[i]->flags |= w->io_flags;
	if (w->one_op)
		w->issued[ios[0]->op] += n;
	for (unsigned i = 0; !w->one_op && i < n; i++)
		worker_count_issued(w, ios[i]);
	if (__builtin_expect(w->log_kinds & (1u << LOGK_IOLOG), 0))
		worker_log_issue(w, ios, n);
}

/* Stamp and hand over n filled I/Os. Synchronous engines do them here, so the clock is read just
 * before; for the others the latency of submission ends when the call returns. */
static inline void worker_submit_filled(struct worker *w, struct io **ios, unsigned n)
{
	uint64_t start = w->now;
	unsigned depth = w->in_flight;

	hot_assert(n && n <= w->batch && depth + n <= w->depth);
	if (__builtin_expect(w->sync || ++w->turns % SAMPLE_STEPS == 0, 0)) {
		uint64_t now = clock_now(w->clock);
		worker_sample_own(w, now - start, n);
		start = w->sync ? now : start;
	}
	worker_stamp_filled(w, ios, n, start);
	/* For the watchdog: something is owed from here on. */
	worker_set_in_flight(w, depth + n);
	int taken = w->submit(w->engine, ios, n);
	if (__builtin_expect(taken < 0, 0)) {
		worker_set_in_flight(w, depth);
		worker_fail(w, -taken, ERR_IO, "the engine could not submit");
		return;
	}
	/* A batch reaches the device at one depth, as fio counts it too. */
	w->depth_level[depth_bin(depth + (unsigned)taken)] += (unsigned)taken;
	w->depth_submit[batch_bin((unsigned)taken)]++;
	if (w->sync)
		return;
	w->now = clock_now(w->clock);
	for (int i = 0; i < taken; i++)
		ios[i]->issue = w->now;
	if (__builtin_expect((unsigned)taken < n, 0)) {
		worker_set_in_flight(w, depth + (unsigned)taken);
		worker_keep_pending(w, ios + taken, n - (unsigned)taken);
	}
}

/* What the load said comes after the I/Os it gave. */
static void worker_follow_workload(struct worker *w)
{
	if (w->fill.state == WORKLOAD_WAIT) {
		w->wake = w->fill.wake;
		w->spin_until = w->fill.spin_until;
	} else if (w->fill.state != WORKLOAD_MORE) {
		w->workload_state = w->fill.state;
		w->load_drain = true;
	}
}

static inline void worker_start_ios(struct worker *w)
{
	unsigned want = w->free_n < w->batch ? w->free_n : w->batch;
	struct io **ios = w->free + w->free_n - want;

	hot_assert(want && w->state == WORKER_RUN && !w->pending_n);
	workload_fill(w->load, w->now, w->in_flight, ios, want, &w->fill);
	unsigned n = w->fill.n;
	if (__builtin_expect(n > 0, 1)) {
		/* The used slots stay in place until they are handed over; then what is left closes
		 * the gap. */
		worker_submit_filled(w, ios, n);
		for (unsigned i = n; i < want; i++)
			ios[i - n] = ios[i];
		w->free_n -= n;
	}
	if (__builtin_expect(w->fill.state != WORKLOAD_MORE, 0))
		worker_follow_workload(w);
}

/* How long the engine may sleep for completions: until the next I/O is due to start. */
static inline uint64_t worker_reap_timeout(const struct worker *w)
{
	if (w->wake <= w->now || w->state != WORKER_RUN || w->load_drain)
		return UINT64_MAX;
	return w->wake - w->now;
}

static inline void worker_reap_ios(struct worker *w, unsigned min)
{
	int n = w->reap(w->engine, w->done, min, w->reap_max, min ? worker_reap_timeout(w) : 0);
	uint64_t now = w->now = clock_now(w->clock);

	hot_assert(w->in_flight && min <= w->in_flight && min <= w->reap_max);
	if (__builtin_expect(worker_called(w, now), 0))
		worker_events(w, now);
	if (__builtin_expect(n <= 0, 0)) {
		w->within = false;
		w->batch = w->batch_part;
		if (n < 0)
			worker_reap_failed(w, -n);
		return;
	}
	w->last_done = now;
	worker_set_in_flight(w, w->in_flight - (unsigned)n);
	/* All of them back without waiting: they were done within the call, so calls are what
	 * counts. */
	w->within = !min && !w->in_flight && w->batch_part < w->batch_all;
	w->batch = w->within ? w->batch_all : w->batch_part;
	w->depth_complete[batch_bin((unsigned)n)]++;
	account_done(w, (unsigned)n, now);
	if (__builtin_expect(w->acct & ACCT_WORKLOAD, 0))
		workload_completed(w->load, w->done, (unsigned)n, now);
}

/* A turn at depth 1 of an engine that does the I/O within the call. False: something other than the
 * next turn may come now. */
static inline bool worker_step_sync(struct worker *w)
{
	struct io *io = w->free[0];

	hot_assert(w->depth == 1 && w->free_n == 1 && !w->in_flight);
	workload_fill(w->load, w->now, 0, w->free, 1, &w->fill);
	if (__builtin_expect(!w->fill.n, 0)) {
		worker_follow_workload(w);
		return false;
	}
	uint64_t start = clock_now(w->clock);
	if (__builtin_expect(++w->turns % SAMPLE_STEPS == 0, 0))
		worker_sample_own(w, start - w->now, 1);
	io->start = io->issue = start;
	io->flags |= w->io_flags;
	worker_count_issued(w, io);
	if (__builtin_expect(w->log_kinds & (1u << LOGK_IOLOG), 0))
		worker_log_issue(w, &io, 1);
	worker_set_in_flight(w, 1);
	w->perform(w->engine, io);
	uint64_t now = w->now = clock_now(w->clock);
	if (__builtin_expect(worker_called(w, now), 0))
		worker_events(w, now);
	worker_set_in_flight(w, 0);
	w->last_done = now;
	if (__builtin_expect(account_is_common(io), 1))
		account_one(w, io, now);
	else
		worker_account_slow(w, io, now);
	if (__builtin_expect(w->acct & ACCT_WORKLOAD, 0))
		workload_completed(w->load, &io, 1, now);
	if (__builtin_expect(w->fill.state != WORKLOAD_MORE, 0))
		worker_follow_workload(w);
	return w->state == WORKER_RUN && !w->pending_n && !w->load_drain && now >= w->wake;
}

/* Nothing in flight and nothing started. */
static uint64_t worker_idle(struct worker *w)
{
	hot_assert(!w->in_flight && !w->pending_n);
	w->now = clock_now(w->clock);
	if (worker_called(w, w->now))
		worker_events(w, w->now);
	if (w->state == WORKER_DRAIN) {
		worker_end(w);
		return WAKE_DONE;
	}
	if (w->load_drain) {
		w->load_drain = false;
		if (w->workload_state == WORKLOAD_DRAIN || worker_between(w))
			return WAKE_NOW;
		worker_end(w);
		return WAKE_DONE;
	}
	if (w->wake > w->now)
		return w->wake < w->next_event ? w->wake : w->next_event;
	return WAKE_NOW;
}

uint64_t worker_step(struct worker *w, bool block)
{
	hot_assert(w->state == WORKER_RUN || w->state == WORKER_DRAIN);
	if (w->perform && block && w->state == WORKER_RUN && !w->pending_n && !w->load_drain &&
	    w->now >= w->wake) {
		while (worker_step_sync(w))
			;
		return WAKE_NOW;
	}
	if (__builtin_expect(w->pending_n, 0))
		worker_submit_pending(w);
	else if (__builtin_expect(w->state == WORKER_RUN && w->free_n && !w->draining &&
					  !w->load_drain && w->now >= w->wake,
				  1))
		worker_start_ios(w);
	if (__builtin_expect(!w->in_flight, 0)) {
		if (w->pending_n)
			return WAKE_NOW;
		return worker_idle(w);
	}
	/* Wait when nothing else can be done; otherwise just look, as also for what may be back
	 * already. */
	unsigned min = 0;
	if (!w->within && (w->free_n == 0 || w->pending_n || w->load_drain ||
			   w->state != WORKER_RUN || w->wake > w->now || w->draining)) {
		w->draining = w->in_flight > w->depth_low && (w->draining || w->free_n == 0);
		min = w->in_flight < w->reap_min ? w->in_flight : w->reap_min;
	}
	worker_reap_ios(w, min);
	if (__builtin_expect(w->abandoned, 0)) {
		worker_end(w);
		return WAKE_DONE;
	}
	if (w->draining && w->in_flight <= w->depth_low)
		w->draining = false;
	if (block || !w->in_flight)
		return WAKE_NOW;
	uint64_t next = w->engine->ops->next(w->engine);
	if (w->state == WORKER_RUN && !w->load_drain && w->free_n && !w->draining)
		next = w->wake < next ? w->wake : next;
	return next < w->next_event ? next : w->next_event;
}
