/* Invariants of a worker. */
#include "worker/check.h"
#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { SLOTS_MOST = UINT16_MAX + 1 }; /* io.slot has 16 bits */

/* Every slot is free, waits for the engine or is in flight. Those of a batch that the engine failed
 * to take belong to nobody any more: the job has failed then. */
static const char *check_queue(const struct worker *w)
{
	uint64_t slots = (uint64_t)w->free_n + w->pending_n + w->in_flight;

	if (!w->depth || w->depth > SLOTS_MOST)
		return "the depth is out of range";
	if (w->in_flight > w->depth)
		return "more I/Os in flight than slots";
	if (slots > w->depth)
		return "more slots free, pending and in flight than there are";
	if (slots < w->depth && !w->outcome.error)
		return "a slot is neither free nor pending nor in flight";
	if (!w->batch || w->batch > w->depth || w->batch_part > w->batch_all)
		return "the batch is out of range";
	if (w->draining && w->in_flight <= w->depth_low)
		return "the queue drains although it is low";
	return NULL;
}

static const char *check_state(const struct worker *w)
{
	if (w->state > WORKER_CRASHED)
		return "no such state";
	if (w->state != atomic_load_explicit(&w->shared.state, memory_order_relaxed))
		return "others see another state";
	if (w->state == WORKER_DRAIN && w->outcome.end == END_NONE)
		return "it drains without a reason";
	if (w->state == WORKER_RUN && w->outcome.error)
		return "it goes on after a failure";
	if (w->state == WORKER_DONE && w->in_flight && !w->abandoned)
		return "it ended with I/Os in flight";
	return NULL;
}

/* `since`: the start of the measurement. */
static const char *check_window(const struct window *win, uint64_t since)
{
	if (!win->period)
		return win->next == UINT64_MAX ? NULL : "a window that is off has an end";
	if (win->start < since)
		return "a window began before the measurement";
	if (win->next != UINT64_MAX && win->next - win->start != win->period)
		return "a window is not as long as its period";
	return NULL;
}

static const char *check_times(const struct worker *w)
{
	const struct window *const windows[] = {&w->windows.samples_bw, &w->windows.samples_iops,
						&w->windows.log_bw, &w->windows.log_iops,
						&w->windows.log_lat};
	const char *fault;

	if (w->now < w->start_ns)
		return "now is before the start";
	if (w->next_event < w->start_ns)
		return "the next event is before the start";
	if (w->measure_ns < w->start_ns)
		return "the measurement began before the start";
	if (w->last_done < w->start_ns)
		return "the last completion came before the start";
	if (w->io_flags & IO_RAMP && w->run_end != UINT64_MAX)
		return "the run ends in the ramp";
	for (unsigned i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		fault = check_window(windows[i], w->measure_ns);
		if (fault)
			return fault;
	}
	return NULL;
}

static const char *check_counts(const struct worker *w)
{
	for (unsigned d = 0; d < DIRS; d++) {
		const struct dir_stats *t = &w->stats[d];
		if (t->ios > w->issued[d])
			return "more I/Os completed than issued";
		if (t->ios && t->bytes < t->ios)
			return "I/Os of no length were counted as transfers";
		if (t->ios && !job_moves(w->pj, d))
			return "I/Os of a direction that the job does not have";
	}
	if (w->syncs > w->issued_syncs)
		return "more syncs completed than issued";
	if (w->own_ios == 0 && w->own_ns)
		return "own cost of no I/O";
	return NULL;
}

const char *worker_check_fault(const struct worker *w)
{
	unsigned requests = atomic_load_explicit(&w->requests, memory_order_relaxed);
	const char *fault = check_state(w);

	/* Bits are set and snapshots counted up, never taken back. */
	if (!fault && w->requests_seen > requests)
		fault = "it saw requests that nobody made";
	if (!fault)
		fault = check_queue(w);
	if (!fault)
		fault = check_times(w);
	return fault ? fault : check_counts(w);
}

/* Marks a slot; false when it is none of the worker's or was marked before. */
static bool check_mark(const struct worker *w, const struct io *io, uint64_t *seen)
{
	if (io < w->ios || io >= w->ios + w->depth || io != &w->ios[io->slot])
		return false;
	uint64_t bit = UINT64_C(1) << io->slot % 64;
	bool fresh = !(seen[io->slot / 64] & bit);
	seen[io->slot / 64] |= bit;
	return fresh;
}

static bool check_in_region(const struct worker *w, const struct io *io)
{
	if (io->op > IO_TRIM || !w->pj->files_n)
		return true;
	if (io->file >= w->pj->files_n)
		return false;
	const struct plan_file *f = &w->pj->files[io->file];
	return io->offset >= f->begin && io->offset <= f->end && io->len <= f->end - io->offset;
}

/* No slot is in two places, and what is in flight lies inside the region of its file. */
static const char *check_slots(const struct worker *w)
{
	uint64_t seen[SLOTS_MOST / 64];

	memset(seen, 0, (w->depth + 63) / 64 * sizeof(seen[0]));
	for (unsigned i = 0; i < w->free_n; i++)
		if (!check_mark(w, w->free[i], seen))
			return "a free slot is not its own";
	for (unsigned i = 0; i < w->pending_n; i++)
		if (!check_mark(w, w->pending[i], seen))
			return "a pending slot is not its own";
	/* Of a job that failed some slots are in flight and some are lost. */
	for (unsigned i = 0; i < w->depth && !w->outcome.error; i++) {
		const struct io *io = &w->ios[i];
		if (seen[i / 64] >> i % 64 & 1)
			continue;
		if (!check_in_region(w, io))
			return "an I/O in flight is outside its region";
		if (io->len > io->len_asked)
			return "an I/O in flight is longer than asked for";
	}
	return NULL;
}

/* The histogram of a latency that every I/O has, and that is measured. */
static bool check_has_hist(const struct worker *w, unsigned d, unsigned kind)
{
	static const unsigned needs[] = {
		[LAT_SUBMIT] = ACCT_SLAT | ACCT_SLAT_HIST,
		[LAT_COMPLETE] = ACCT_CLAT | ACCT_CLAT_HIST,
		[LAT_TOTAL] = ACCT_LAT | ACCT_LAT_HIST,
	};

	return (w->acct & needs[kind]) == needs[kind] && w->stats[d].hist[kind];
}

static const char *check_sums(const struct worker *w)
{
	uint64_t ios = 0, bins = 0;

	for (unsigned d = 0; d < DIRS; d++) {
		const struct dir_stats *t = &w->stats[d];
		ios += t->ios;
		for (unsigned k = LAT_SUBMIT; k <= LAT_TOTAL; k++)
			if (check_has_hist(w, d, k) && hist_count(t->hist[k]) != t->ios)
				return "a histogram does not hold every I/O once";
		if (w->acct & ACCT_CLAT && t->ios &&
		    t->lat[LAT_COMPLETE].min > t->lat[LAT_COMPLETE].max)
			return "the least latency is above the largest";
	}
	for (unsigned i = 0; i < HIST_LAT_BINS; i++)
		bins += w->lat_bins[i];
	if (w->acct & ACCT_CLAT && bins != ios)
		return "the distribution of latencies does not hold every I/O once";
	if (w->sync_hist && hist_count(w->sync_hist) != w->syncs)
		return "the histogram of syncs does not hold every one once";
	return NULL;
}

const char *worker_check_all_fault(const struct worker *w)
{
	const char *fault = worker_check_fault(w);

	if (!fault)
		fault = check_slots(w);
	return fault ? fault : check_sums(w);
}

void worker_check(const struct worker *w, unsigned steps)
{
#ifndef NDEBUG
	bool all = steps % WORKER_CHECK_ALL == 0 || w->state == WORKER_DONE;
	const char *fault = all ? worker_check_all_fault(w) : worker_check_fault(w);

	if (fault)
		__assert_fail(fault, __FILE__, __LINE__, __func__);
#else
	(void)w;
	(void)steps;
#endif
}
