/* The windows of samples, averaged logs and histogram logs. They end at their exact times, whenever
 * the worker looks; what completes later than that belongs to the next. Times are of the run's
 * clock, ns. By the worker's own thread; nothing here allocates, locks or prints. */
#ifndef FATHOM_WORKER_WINDOWS_H
#define FATHOM_WORKER_WINDOWS_H

#include "base/time.h"
#include "base/hist.h"
#include "base/direction.h"
#include <stdint.h>

struct worker;

/* One averaged log or sample series: fixed windows on the job's clock. */
struct window {
	uint64_t period, next;		 /* ns; next end; period 0: off */
	uint64_t start;			 /* of the running window */
	uint64_t ios[DIRS], bytes[DIRS]; /* tallies at the start of the window */
	uint64_t lat_n[DIRS][3], lat_sum[DIRS][3],
		lat_max[DIRS][3]; /* slat, clat, lat at the start; max of the window */
};

struct worker_windows {
	struct window samples_bw, samples_iops, log_bw, log_iops, log_lat;
	uint64_t hist_next, hist_period; /* write_hist_log; period 0: off */
	struct hist *hist_prev[DIRS];
};

/* count * scale per second, over ns. */
static inline uint64_t window_rate(uint64_t count, uint64_t scale, uint64_t ns)
{
	return ns ? (uint64_t)((unsigned __int128)count * scale * NS_PER_SEC / ns) : 0;
}

/* Measurement begins at `at`: every window counts from there. */
void worker_begin_windows(struct worker *w, uint64_t at);
/* It is the ramp: no window ends until they begin again. */
void worker_suspend_windows(struct worker *w);
/* Close those that are over. The counters are settled (worker_settle). */
void worker_roll_windows(struct worker *w, uint64_t now);
/* When the next one is over, UINT64_MAX: never. */
uint64_t worker_windows_next(const struct worker *w);
/* The measurement ended. */
void worker_finish_windows(struct worker *w, uint64_t end);

#endif
