/* What a worker does at moments rather than per I/O: the windows of samples and logs, the end of
 * the ramp, the end of the run, checks of minimum rates, and what the supervisor asks for. */
#include "worker/events.h"
#include "worker/collect.h"
#include "worker/lifecycle.h"
#include "worker/seconds.h"
#include "worker/slow_path.h"
#include "worker/timeline.h"
#include <errno.h>
#include <string.h>

#define RATE_GRACE_NS 2000000000ull /* minimum rates are taken from then on (spec 11.3) */
#define STAMP_NS      1000000u	    /* logs are stamped in milliseconds */

static uint64_t per_second(uint64_t count, uint64_t scale, uint64_t ns)
{
	return ns ? (uint64_t)((unsigned __int128)count * scale * 1000000000u / ns) : 0;
}

void worker_settle(struct worker *w)
{
	for (unsigned d = 0; d < DIRS; d++)
		tally_settle(&w->tally[d], w->acct);
}

static void window_mark(struct worker *w, struct window *win, uint64_t start)
{
	win->start = start;
	for (unsigned d = 0; d < DIRS; d++) {
		const struct tally *t = &w->tally[d];
		win->ios[d] = t->ios;
		win->bytes[d] = t->bytes;
		for (unsigned k = 0; k < 3; k++) {
			win->lat_n[d][k] = t->lat[k].n;
			win->lat_sum[d][k] = t->lat[k].sum;
			win->lat_max[d][k] = 0;
		}
	}
}

static void window_init(struct worker *w, struct window *win, uint64_t period, uint64_t start)
{
	win->period = period;
	win->next = period ? start + period : UINT64_MAX;
	window_mark(w, win, start);
}

static void push(struct worker *w, struct log_rec *rec)
{
	log_port_line(&w->log, rec);
}

static void log_rate(struct worker *w, struct window *win, uint64_t end, enum log_kind kind)
{
	for (unsigned d = 0; d < DIRS; d++) {
		const struct tally *t = &w->tally[d];
		struct log_rec rec = {
			.time_ns = end + w->log_shift, .kind = (uint8_t)kind, .dir = (uint8_t)d};
		if (!job_moves(w->pj, d))
			continue;
		rec.value = kind == LOGK_BW
				    ? per_second(t->bytes - win->bytes[d], 1, end - win->start)
				    : per_second(t->ios - win->ios[d], 1000, end - win->start);
		rec.max = rec.value;
		push(w, &rec);
	}
}

static void log_latency(struct worker *w, struct window *win, uint64_t end)
{
	static const enum log_kind kinds[3] = {LOGK_SLAT, LOGK_CLAT, LOGK_LAT};

	for (unsigned k = 0; k < 3; k++) {
		if (!(w->log_windows & (1u << kinds[k])))
			continue;
		for (unsigned d = 0; d < DIRS; d++) {
			/* A synchronous engine keeps one latency: total is completion. */
			unsigned from = k == LAT_TOTAL && w->sync && (w->acct & ACCT_CLAT)
						? LAT_COMPLETE
						: k;
			const struct moment *m = &w->tally[d].lat[from];
			uint64_t n = m->n - win->lat_n[d][from];
			struct log_rec rec = {.time_ns = end + w->log_shift,
					      .kind = (uint8_t)kinds[k],
					      .dir = (uint8_t)d};
			if (!n)
				continue;
			rec.value = (m->sum - win->lat_sum[d][from] + n / 2) / n;
			rec.max = win->lat_max[d][from];
			if (w->pj->o->log_window_value == LOG_MAX)
				rec.value = rec.max;
			push(w, &rec);
		}
	}
}

static void sample(struct worker *w, struct window *win, uint64_t end, bool bandwidth)
{
	for (unsigned d = 0; d < DIRS; d++) {
		struct tally *t = &w->tally[d];
		if (!t->ios)
			continue;
		if (bandwidth)
			moment_add(&t->bw,
				   per_second(t->bytes - win->bytes[d], 1, end - win->start));
		else
			moment_add(&t->iops,
				   per_second(t->ios - win->ios[d], 1000, end - win->start));
	}
}

static void close_window(struct worker *w, struct window *win, uint64_t end)
{
	if (win == &w->log_bw)
		log_rate(w, win, end, LOGK_BW);
	else if (win == &w->log_iops)
		log_rate(w, win, end, LOGK_IOPS);
	else if (win == &w->log_lat)
		log_latency(w, win, end);
	else
		sample(w, win, end, win == &w->samples_bw);
	window_mark(w, win, end);
}

/* A window holds what completes after its start and up to its end, so it is over only later than
 * that; the last one of a run with a time limit waits whether a short rest will join it. */
static uint64_t over_at(const struct worker *w, uint64_t end)
{
	if (end == UINT64_MAX)
		return end;
	return end < w->limit ? end + 1 : end + STAMP_NS;
}

static void window_roll(struct worker *w, struct window *win, uint64_t now)
{
	while (now >= over_at(w, win->next)) {
		close_window(w, win, win->next);
		win->next += win->period;
	}
}

/* The end of a log: what is shorter than the unit of its stamps joins the window before. */
static void window_finish(struct worker *w, struct window *win, uint64_t end)
{
	if (!win->period)
		return;
	for (; end >= win->next + STAMP_NS; win->next += win->period)
		close_window(w, win, win->next);
	if (end > win->start)
		close_window(w, win, end);
	win->next = UINT64_MAX;
}

/* Samples are of whole windows: a partial one would distort minimum and maximum. Without any other
 * it is better than none. */
static void samples_finish(struct worker *w, struct window *win, uint64_t end, bool bandwidth)
{
	bool any = false;

	if (!win->period)
		return;
	for (; end >= win->next; win->next += win->period)
		close_window(w, win, win->next);
	for (unsigned d = 0; d < DIRS; d++)
		any |= (bandwidth ? w->tally[d].bw.n : w->tally[d].iops.n) > 0;
	if (!any && end > win->start)
		close_window(w, win, end);
	win->next = UINT64_MAX;
}

static void hist_line(struct worker *w, uint64_t end)
{
	for (unsigned d = 0; d < DIRS; d++) {
		struct hist *h = w->tally[d].hist[LAT_COMPLETE], *prev = w->hist_prev[d];
		if (!h || !prev || !job_moves(w->pj, d))
			continue;
		log_port_hist(&w->log, end + w->log_shift, d, (uint32_t)w->pj->min_len[d], h, prev);
		*prev = *h;
	}
}

static void all_windows(struct worker *w, uint64_t now)
{
	worker_timeline_roll(w, now);
	window_roll(w, &w->samples_bw, now);
	window_roll(w, &w->samples_iops, now);
	window_roll(w, &w->log_bw, now);
	window_roll(w, &w->log_iops, now);
	window_roll(w, &w->log_lat, now);
	while (now >= over_at(w, w->hist_next)) {
		hist_line(w, w->hist_next);
		w->hist_next += w->hist_period;
	}
}

static void hist_finish(struct worker *w, uint64_t end)
{
	if (!w->hist_period)
		return;
	for (; end >= w->hist_next + STAMP_NS; w->hist_next += w->hist_period)
		hist_line(w, w->hist_next);
	if (end > w->hist_next - w->hist_period)
		hist_line(w, end);
	w->hist_next = UINT64_MAX;
}

void worker_finish_windows(struct worker *w, uint64_t end)
{
	if (w->io_flags & IO_RAMP)
		return; /* nothing was measured */
	worker_settle(w);
	all_windows(w, end);
	window_finish(w, &w->log_bw, end);
	window_finish(w, &w->log_iops, end);
	window_finish(w, &w->log_lat, end);
	samples_finish(w, &w->samples_bw, end, true);
	samples_finish(w, &w->samples_iops, end, false);
	hist_finish(w, end);
	worker_timeline_roll(w, end + 1);
	w->timeline_next = UINT64_MAX;
}

static uint64_t min64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void plan_next_event(struct worker *w)
{
	uint64_t next = min64(w->samples_bw.next, w->samples_iops.next);

	next = min64(next, min64(w->log_bw.next, min64(w->log_iops.next, w->log_lat.next)));
	next = min64(next, w->hist_next);
	next = over_at(w, next);
	if (w->io_flags & IO_RAMP)
		next = min64(next, w->ramp_end);
	if (w->timeline_next <= w->limit && w->timeline_next != UINT64_MAX)
		next = min64(next, w->timeline_next + 1);
	next = min64(next, w->seconds.next);
	w->next_event = min64(next, min64(w->run_end, w->rate_next));
}

/* The window of an averaged log: log_avg_msec, or the sample period when that was given and is
 * shorter. */
static uint64_t log_period(const struct worker *w, enum job_opt own, uint64_t own_ns)
{
	uint64_t ns = w->pj->o->log_avg_msec;

	return job_given(w->pj->job, own) && own_ns && own_ns < ns ? own_ns : ns;
}

/* Measurement begins at `at`: every window counts from there. */
void worker_begin_measuring(struct worker *w, uint64_t at)
{
	const struct job_opts *o = w->pj->o;
	unsigned lat_kinds = 1u << LOGK_SLAT | 1u << LOGK_CLAT | 1u << LOGK_LAT;
	uint64_t bw = o->bwavgtime, iops = o->iopsavgtime;
	uint64_t log_bw = 0, log_iops = 0;

	w->measure_ns = at;
	/* Logs count from here, unless they shall show the wall clock. */
	w->log_shift = o->log_alternate_epoch ? clock_wall(w->clock, 0) : -at;
	if (w->log.ios)
		pack_begin(w->log.ios, at, w->log_shift + at, w->default_prio);
	if (w->log_windows & (1u << LOGK_BW))
		bw = log_bw = log_period(w, OPT_bwavgtime, o->bwavgtime);
	if (w->log_windows & (1u << LOGK_IOPS))
		iops = log_iops = log_period(w, OPT_iopsavgtime, o->iopsavgtime);
	window_init(w, &w->samples_bw, o->disable_bw_measurement ? 0 : bw, at);
	window_init(w, &w->samples_iops, iops, at);
	window_init(w, &w->log_bw, log_bw, at);
	window_init(w, &w->log_iops, log_iops, at);
	window_init(w, &w->log_lat, w->log_windows & lat_kinds ? o->log_avg_msec : 0, at);

	worker_timeline_begin(w, at);
	w->hist_next = w->hist_period ? at + w->hist_period : UINT64_MAX;
	w->run_end = w->limit = w->pj->run_ns ? at + w->pj->run_ns : UINT64_MAX;
	w->rate_judged = false;
	w->rate_next = w->acct & ACCT_RATE_MIN ? at + RATE_GRACE_NS : UINT64_MAX;
}

void worker_begin(struct worker *w, uint64_t now)
{
	const struct plan_job *pj = w->pj;

	w->began = true;
	w->now = w->start_ns = w->last_done = now;
	getrusage(RUSAGE_THREAD, &w->usage);
	worker_begin_measuring(w, now);
	if (pj->ramp_ns || pj->ramp_bytes) {
		w->io_flags = IO_RAMP;
		w->ramp_end = pj->ramp_ns ? now + pj->ramp_ns : UINT64_MAX;
		w->ramp_bytes_left = pj->ramp_bytes;
		w->run_end = w->limit = w->hist_next = w->rate_next = UINT64_MAX;
		w->samples_bw.next = w->samples_iops.next = UINT64_MAX;
		w->timeline_next = UINT64_MAX;
		w->log_bw.next = w->log_iops.next = w->log_lat.next = UINT64_MAX;
	}
	plan_next_event(w);
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

static void end_ramp(struct worker *w)
{
	w->phase[PHASE_RAMP].ns = w->ramp_end - w->start_ns;
	w->io_flags = 0;
	/* Everything counts afresh; I/Os in flight belong to the ramp, as that is when they were
	 * issued. */
	memset(w->issued, 0, sizeof(w->issued));
	memset(w->depth_level, 0, sizeof(w->depth_level));
	memset(w->depth_submit, 0, sizeof(w->depth_submit));
	memset(w->depth_complete, 0, sizeof(w->depth_complete));
	w->issued_syncs = 0;
	getrusage(RUSAGE_THREAD, &w->usage);
	worker_begin_measuring(w, w->ramp_end);
	seconds_begin(w, w->ramp_end);
	workload_measured(w->load, w->ramp_end);
	/* What the load wanted before no longer holds. */
	w->load_drain = false;
	w->wake = 0;
	worker_set_state(w, w->state);
}

/* The first look, after the grace, only takes the counts. */
static bool too_slow(const struct worker *w, unsigned d, uint64_t ns)
{
	const struct job_opts *o = w->pj->o;
	const struct tally *t = &w->tally[d];

	return per_second(t->bytes - w->rate_bytes[d], 1, ns) < o->rate_min[d] ||
	       per_second(t->ios - w->rate_ios[d], 1, ns) < (uint64_t)o->rate_iops_min[d];
}

/* The first look, after the grace, only takes the counts. */
static void check_rates(struct worker *w, uint64_t now)
{
	for (unsigned d = 0; d < DIRS && w->state == WORKER_RUN; d++) {
		if (w->rate_judged && job_moves(w->pj, d) && too_slow(w, d, now - w->rate_from))
			worker_fail(w, EIO, ERR_LIMIT, "a minimum rate was not met");
		w->rate_bytes[d] = w->tally[d].bytes;
		w->rate_ios[d] = w->tally[d].ios;
	}
	w->rate_judged = true;
	w->rate_from = now;
	w->rate_next = now + w->pj->o->rate_cycle;
}

static void take_snapshot(struct worker *w, uint64_t now)
{
	pthread_mutex_lock(&w->snap_lock);
	if (w->snap) {
		result_job_release(w->snap);
		if (worker_collect(w, now, w->snap) == 0)
			atomic_fetch_add_explicit(&w->shared.snapshot, 1, memory_order_release);
	}
	pthread_mutex_unlock(&w->snap_lock);
}

static void answer_requests(struct worker *w, uint64_t now)
{
	unsigned requests = atomic_load_explicit(&w->requests, memory_order_acquire);
	unsigned news = requests ^ w->requests_seen;

	w->requests_seen = requests;
	if (news / REQUEST_SNAPSHOT)
		take_snapshot(w, now);
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
		end_ramp(w);
	if (!(w->io_flags & IO_RAMP)) {
		/* After the end of the run only what lies before it belongs into the windows. */
		all_windows(w, now);
		seconds_roll(w, now);
		if (now >= w->rate_next && w->state == WORKER_RUN)
			check_rates(w, now);
		if (now >= w->run_end) {
			w->run_end = UINT64_MAX;
			worker_stop(w, END_TIME);
		}
	}
	answer_requests(w, now);
	plan_next_event(w);
}

void worker_stop(struct worker *w, enum end_reason why)
{
	if (w->state != WORKER_RUN)
		return;
	if (w->end == END_NONE)
		w->end = why;
	worker_set_state(w, WORKER_DRAIN);
}
