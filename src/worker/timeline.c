/* The steps of a worker's timeline: the difference of its counters from one to the next. */
#include "worker/timeline.h"
#include "worker/worker.h"
#include <assert.h>
#include <errno.h>
#include <string.h>

static void timeline_counters(const struct worker *w, struct timeline_point *p)
{
	for (unsigned d = 0; d < DIRS; d++) {
		const struct dir_stats *t = &w->stats[d];
		/* A synchronous engine keeps one latency: total is completion. */
		const struct runstat *m = &t->lat[t->lat[LAT_TOTAL].n ? LAT_TOTAL : LAT_COMPLETE];

		p->ios[d] = t->ios;
		p->bytes[d] = t->bytes;
		p->lat_n[d] = m->n;
		p->lat_sum[d] = m->sum;
	}
}

int worker_timeline_open(struct worker *w)
{
	w->steps.timeline.point = arena_new(&w->arena, struct timeline_point, TIMELINE_POINTS);
	return w->steps.timeline.point ? 0 : -ENOMEM;
}

void worker_timeline_begin(struct worker *w, uint64_t at)
{
	w->steps.timeline.n = 0;
	w->steps.timeline.period_ns = TIMELINE_PERIOD_NS;
	w->steps.next = at + TIMELINE_PERIOD_NS;
	timeline_counters(w, &w->steps.before);
}

void worker_timeline_roll(struct worker *w, uint64_t now)
{
	assert(w->steps.timeline.n < TIMELINE_POINTS);
	/* A step holds what completes up to its end, so it is over later; what is still finished
	 * after the time limit belongs to none. */
	while (now > w->steps.next && w->steps.next <= w->limit) {
		struct timeline_point p, at;

		timeline_counters(w, &at);
		for (unsigned d = 0; d < DIRS; d++) {
			p.ios[d] = at.ios[d] - w->steps.before.ios[d];
			p.bytes[d] = at.bytes[d] - w->steps.before.bytes[d];
			p.lat_n[d] = at.lat_n[d] - w->steps.before.lat_n[d];
			p.lat_sum[d] = at.lat_sum[d] - w->steps.before.lat_sum[d];
		}
		w->steps.before = at;
		timeline_add(&w->steps.timeline, &p);
		w->steps.next += w->steps.timeline.period_ns;
	}
}
