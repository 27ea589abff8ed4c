#include "base/time.h"
#include "worker/windows.h"
#include "worker/account.h"
#include "worker/timeline.h"
#include "worker/worker.h"
#include <assert.h>

#define STAMP_NS 1000000u /* logs are stamped in milliseconds */

static void window_mark(struct worker *w, struct window *win, uint64_t start)
{
	win->start = start;
	for (unsigned d = 0; d < DIRS; d++) {
		const struct dir_stats *t = &w->stats[d];
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

static void windows_push(struct worker *w, struct log_rec *rec)
{
	log_port_line(&w->log, rec);
}

static void windows_log_rate(struct worker *w, struct window *win, uint64_t end, enum log_kind kind)
{
	assert(kind == LOGK_BW || kind == LOGK_IOPS);
	for (unsigned d = 0; d < DIRS; d++) {
		const struct dir_stats *t = &w->stats[d];
		struct log_rec rec = {
			.time_ns = end + w->log_shift, .kind = (uint8_t)kind, .dir = (uint8_t)d};
		if (!job_moves(w->pj, d))
			continue;
		rec.value = kind == LOGK_BW
				    ? window_rate(t->bytes - win->bytes[d], 1, end - win->start)
				    : window_rate(t->ios - win->ios[d], 1000, end - win->start);
		rec.max = rec.value;
		windows_push(w, &rec);
	}
}

static void windows_log_latency(struct worker *w, struct window *win, uint64_t end)
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
			const struct runstat *m = &w->stats[d].lat[from];
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
			windows_push(w, &rec);
		}
	}
}

static void windows_sample(struct worker *w, struct window *win, uint64_t end, bool bandwidth)
{
	for (unsigned d = 0; d < DIRS; d++) {
		struct dir_stats *t = &w->stats[d];
		if (!t->ios)
			continue;
		if (bandwidth)
			runstat_add(&t->bw,
				    window_rate(t->bytes - win->bytes[d], 1, end - win->start));
		else
			runstat_add(&t->iops,
				    window_rate(t->ios - win->ios[d], 1000, end - win->start));
	}
}

static void windows_close_window(struct worker *w, struct window *win, uint64_t end)
{
	assert(win->period && end >= win->start);
	if (win == &w->windows.log_bw)
		windows_log_rate(w, win, end, LOGK_BW);
	else if (win == &w->windows.log_iops)
		windows_log_rate(w, win, end, LOGK_IOPS);
	else if (win == &w->windows.log_lat)
		windows_log_latency(w, win, end);
	else
		windows_sample(w, win, end, win == &w->windows.samples_bw);
	window_mark(w, win, end);
}

/* A window holds what completes after its start and up to its end, so it is over only later than
 * that; the last one of a run with a time limit waits whether a short rest will join it. */
static uint64_t windows_over_at(const struct worker *w, uint64_t end)
{
	if (end == UINT64_MAX)
		return end;
	return end < w->limit ? end + 1 : end + STAMP_NS;
}

static void window_roll(struct worker *w, struct window *win, uint64_t now)
{
	while (now >= windows_over_at(w, win->next)) {
		windows_close_window(w, win, win->next);
		win->next += win->period;
	}
}

/* The end of a log: what is shorter than the unit of its stamps joins the window before. */
static void window_finish(struct worker *w, struct window *win, uint64_t end)
{
	assert(end >= win->start || !win->period);
	if (!win->period)
		return;
	for (; end >= win->next + STAMP_NS; win->next += win->period)
		windows_close_window(w, win, win->next);
	if (end > win->start)
		windows_close_window(w, win, end);
	win->next = UINT64_MAX;
}

/* Samples are of whole windows: a partial one would distort minimum and maximum. Without any other
 * it is better than none. */
static void windows_samples_finish(struct worker *w, struct window *win, uint64_t end,
				   bool bandwidth)
{
	bool any = false;

	if (!win->period)
		return;
	for (; end >= win->next; win->next += win->period)
		windows_close_window(w, win, win->next);
	for (unsigned d = 0; d < DIRS; d++)
		any |= (bandwidth ? w->stats[d].bw.n : w->stats[d].iops.n) > 0;
	if (!any && end > win->start)
		windows_close_window(w, win, end);
	win->next = UINT64_MAX;
}

static void windows_hist_line(struct worker *w, uint64_t end)
{
	for (unsigned d = 0; d < DIRS; d++) {
		struct hist *h = w->stats[d].hist[LAT_COMPLETE], *prev = w->windows.hist_prev[d];
		if (!h || !prev || !job_moves(w->pj, d))
			continue;
		log_port_hist(&w->log, end + w->log_shift, d, (uint32_t)w->pj->min_len[d], h, prev);
		*prev = *h;
	}
}

void worker_roll_windows(struct worker *w, uint64_t now)
{
	worker_timeline_roll(w, now);
	window_roll(w, &w->windows.samples_bw, now);
	window_roll(w, &w->windows.samples_iops, now);
	window_roll(w, &w->windows.log_bw, now);
	window_roll(w, &w->windows.log_iops, now);
	window_roll(w, &w->windows.log_lat, now);
	while (now >= windows_over_at(w, w->windows.hist_next)) {
		windows_hist_line(w, w->windows.hist_next);
		w->windows.hist_next += w->windows.hist_period;
	}
}

static void windows_hist_finish(struct worker *w, uint64_t end)
{
	if (!w->windows.hist_period)
		return;
	for (; end >= w->windows.hist_next + STAMP_NS;
	     w->windows.hist_next += w->windows.hist_period)
		windows_hist_line(w, w->windows.hist_next);
	if (end > w->windows.hist_next - w->windows.hist_period)
		windows_hist_line(w, end);
	w->windows.hist_next = UINT64_MAX;
}

void worker_finish_windows(struct worker *w, uint64_t end)
{
	if (w->io_flags & IO_RAMP)
		return; /* nothing was measured */
	worker_settle(w);
	worker_roll_windows(w, end);
	window_finish(w, &w->windows.log_bw, end);
	window_finish(w, &w->windows.log_iops, end);
	window_finish(w, &w->windows.log_lat, end);
	windows_samples_finish(w, &w->windows.samples_bw, end, true);
	windows_samples_finish(w, &w->windows.samples_iops, end, false);
	windows_hist_finish(w, end);
	worker_timeline_roll(w, end + 1);
	w->steps.next = UINT64_MAX;
}

/* The window of an averaged log: log_avg_msec, or the sample period when that was given and is
 * shorter. */
static uint64_t windows_log_period(const struct worker *w, enum job_opt own, uint64_t own_ns)
{
	uint64_t ns = w->pj->o->log_avg_msec;

	return job_given(w->pj->job, own) && own_ns && own_ns < ns ? own_ns : ns;
}

void worker_begin_windows(struct worker *w, uint64_t at)
{
	const struct job_opts *o = w->pj->o;
	unsigned lat_kinds = 1u << LOGK_SLAT | 1u << LOGK_CLAT | 1u << LOGK_LAT;
	uint64_t bw = o->bwavgtime, iops = o->iopsavgtime;
	uint64_t log_bw = 0, log_iops = 0;

	if (w->log_windows & (1u << LOGK_BW))
		bw = log_bw = windows_log_period(w, OPT_bwavgtime, o->bwavgtime);
	if (w->log_windows & (1u << LOGK_IOPS))
		iops = log_iops = windows_log_period(w, OPT_iopsavgtime, o->iopsavgtime);
	window_init(w, &w->windows.samples_bw, o->disable_bw_measurement ? 0 : bw, at);
	window_init(w, &w->windows.samples_iops, iops, at);
	window_init(w, &w->windows.log_bw, log_bw, at);
	window_init(w, &w->windows.log_iops, log_iops, at);
	window_init(w, &w->windows.log_lat, w->log_windows & lat_kinds ? o->log_avg_msec : 0, at);
	w->windows.hist_next = w->windows.hist_period ? at + w->windows.hist_period : UINT64_MAX;
}

void worker_suspend_windows(struct worker *w)
{
	w->windows.samples_bw.next = w->windows.samples_iops.next = UINT64_MAX;
	w->windows.log_bw.next = w->windows.log_iops.next = w->windows.log_lat.next =
		w->windows.hist_next = UINT64_MAX;
}

uint64_t worker_windows_next(const struct worker *w)
{
	uint64_t next = time_earlier(w->windows.samples_bw.next, w->windows.samples_iops.next);

	next = time_earlier(
		next, time_earlier(w->windows.log_bw.next, time_earlier(w->windows.log_iops.next,
									w->windows.log_lat.next)));
	return windows_over_at(w, time_earlier(next, w->windows.hist_next));
}
