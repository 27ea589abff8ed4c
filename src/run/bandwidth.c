/* --bandwidth-log: the bandwidth of all jobs together, in windows that count from the first
 * measured moment of the run. A line is written when the next window is over, so that what comes
 * within a millisecond after the last one can join it. */
#include "base/time.h"
#include "run/bandwidth.h"
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#define STAMP_NS 1000000u /* the unit of the stamps */

struct bandwidth {
	struct pool *c;
	uint64_t period, base; /* base UINT64_MAX: nothing has started */
	uint64_t next;	       /* end of the running window */
	/* The window that waits to be written, and the bytes at its ends. */
	uint64_t from, to;
	uint64_t at_from[DIRS], at_to[DIRS];
	bool waits;
};

struct bandwidth *bandwidth_new(struct pool *c)
{
	struct bandwidth *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->c = c;
	b->base = b->next = b->period = UINT64_MAX;
	for (unsigned i = 0; i < c->plan->jobs_n; i++)
		if (c->plan->jobs[i].o->bwavgtime < b->period)
			b->period = c->plan->jobs[i].o->bwavgtime;
	if (b->period < STAMP_NS)
		b->period = STAMP_NS;
	return b;
}

void bandwidth_free(struct bandwidth *b)
{
	free(b);
}

void bandwidth_begin(struct bandwidth *b, uint64_t at)
{
	if (at >= b->base)
		return;
	b->base = b->from = b->to = at;
	b->next = at + b->period;
}

static void bandwidth_count(const struct pool *c, uint64_t bytes[DIRS])
{
	for (unsigned d = 0; d < DIRS; d++)
		bytes[d] = 0;
	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		const struct worker *w = c->env.workers[i];
		for (unsigned d = 0; d < DIRS; d++)
			bytes[d] += __atomic_load_n(&w->stats[d].bytes, __ATOMIC_RELAXED);
	}
}

/* Nothing was measured so far: everybody who works is still in the ramp. */
static bool bandwidth_only_ramps(const struct pool *c, const uint64_t *bytes)
{
	bool any = false;

	for (unsigned d = 0; d < DIRS; d++)
		if (bytes[d])
			return false;
	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		const struct worker_shared *s = &c->env.workers[i]->shared;
		unsigned state = atomic_load_explicit(&s->state, memory_order_acquire);
		if (state != WORKER_RUN && state != WORKER_DRAIN)
			continue;
		if (atomic_load_explicit(&s->letter, memory_order_relaxed) != '/')
			return false;
		any = true;
	}
	return any;
}

static void bandwidth_write_window(struct bandwidth *b, uint64_t from, uint64_t to,
				   const uint64_t *bytes)
{
	struct log_rec recs[DIRS];

	assert(to > from);
	if (to <= from)
		return;
	for (unsigned d = 0; d < DIRS; d++) {
		/* Two counters of a running worker are not read at one moment. */
		uint64_t n = bytes[d] > b->at_from[d] ? bytes[d] - b->at_from[d] : 0;
		recs[d] = (struct log_rec){
			.time_ns = to - b->base, .kind = LOGK_BW, .dir = (uint8_t)d};
		recs[d].value = (uint64_t)((unsigned __int128)n * NS_PER_SEC / (to - from));
	}
	log_writer_lines(b->c->log, UINT_MAX, recs, DIRS);
}

static void bandwidth_write_waiting(struct bandwidth *b)
{
	if (b->waits)
		bandwidth_write_window(b, b->from, b->to, b->at_to);
	b->waits = false;
	b->from = b->to;
	for (unsigned d = 0; d < DIRS; d++)
		b->at_from[d] = b->at_to[d];
}

uint64_t bandwidth_step(struct bandwidth *b, uint64_t now)
{
	assert(b && now != UINT64_MAX);
	if (now < b->next)
		return b->next;
	bandwidth_write_waiting(b);
	bandwidth_count(b->c, b->at_to);
	b->to = now;
	if (bandwidth_only_ramps(b->c, b->at_to)) {
		/* A ramp by bytes; when it ends could not be told. */
		b->base = b->from = now;
		b->next = now + b->period;
		return b->next;
	}
	b->waits = true;
	while (b->next <= now)
		b->next += b->period;
	return b->next;
}

void bandwidth_finish(struct bandwidth *b, uint64_t end)
{
	uint64_t bytes[DIRS];

	if (b->base == UINT64_MAX || end <= b->base)
		return;
	bandwidth_count(b->c, bytes);
	if (end >= b->to + STAMP_NS)
		bandwidth_write_waiting(b);
	bandwidth_write_window(b, b->from, end > b->to ? end : b->to, bytes);
}
