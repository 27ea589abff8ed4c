/* Simulated time: one thread takes the turns of all workers, always the earliest, and moves the
 * virtual clock. The run is a function of the job file and the seed; nothing sleeps. */
#include "run/simulate.h"
#include "worker/check.h"
#include "worker/events.h"
#include "worker/worker.h"
#include "base/signals.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#define SIGNAL_CHECK 4096u /* turns between looks for a pending signal */

struct entry {
	uint64_t wake;
	unsigned worker;
};

/* A binary heap, earliest first; equal times in the order of the workers. */
struct heap {
	struct entry *v;
	unsigned n;
};

static bool simulate_before(const struct entry *a, const struct entry *b)
{
	return a->wake < b->wake || (a->wake == b->wake && a->worker < b->worker);
}

static void simulate_swap(struct heap *h, unsigned a, unsigned b)
{
	struct entry e = h->v[a];

	h->v[a] = h->v[b];
	h->v[b] = e;
}

static void simulate_heap_push(struct heap *h, struct entry e)
{
	unsigned i = h->n++;

	h->v[i] = e;
	while (i && simulate_before(&h->v[i], &h->v[(i - 1) / 2])) {
		simulate_swap(h, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static struct entry simulate_heap_pop(struct heap *h)
{
	struct entry top = h->v[0];
	unsigned i = 0;

	assert(h->n);
	h->v[0] = h->v[--h->n];
	for (;;) {
		unsigned least = i, l = 2 * i + 1, r = l + 1;
		if (l < h->n && simulate_before(&h->v[l], &h->v[least]))
			least = l;
		if (r < h->n && simulate_before(&h->v[r], &h->v[least]))
			least = r;
		if (least == i)
			return top;
		simulate_swap(h, i, least);
		i = least;
	}
}

static void simulate_enlist(struct pool *c, struct heap *h, bool *listed, uint64_t now)
{
	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		struct worker *w = c->env.workers[i];
		if (listed[i] || !atomic_load_explicit(&w->thread.go, memory_order_relaxed) ||
		    w->state != WORKER_READY)
			continue;
		uint64_t at = atomic_load_explicit(&w->thread.go_at, memory_order_relaxed);
		simulate_heap_push(h, (struct entry){at > now ? at : now, i});
		listed[i] = true;
	}
}

/* steps: taken so far, of all workers. */
static uint64_t simulate_steps(struct worker *w, uint64_t now, unsigned *steps)
{
	uint64_t wake;

	if (w->state == WORKER_READY) {
		if (worker_told_to_stop(w)) {
			pool_not_started(w);
			return WAKE_DONE;
		}
		worker_begin(w, now);
	}
	w->now = now;
	/* What is due now comes before new I/Os: the end of the ramp or of the run, a stop. */
	if (worker_called(w, now))
		worker_events(w, now);
	do {
		wake = worker_step(w, false);
		worker_check(w, (*steps)++);
	} while (wake <= now);
	return wake;
}

/* Turns of one worker until it has to wait for the clock. True: it has ended. */
static bool simulate_take_steps(struct worker *w, uint64_t now, uint64_t *wake, unsigned *steps)
{
	if (sigsetjmp(*pool_guard(w), 0))
		*wake = WAKE_DONE;
	else
		*wake = simulate_steps(w, now, steps);
	pool_guard(NULL);
	return *wake == WAKE_DONE;
}

/* Who was told something has to look at it now. */
static void simulate_wake_requested(struct pool *c, struct heap *h, uint64_t now)
{
	unsigned n = h->n;

	for (unsigned i = 0; i < n; i++) {
		const struct worker *w = c->env.workers[h->v[i].worker];
		if (atomic_load_explicit(&w->requests, memory_order_relaxed) != w->requests_seen)
			h->v[i].wake = now;
	}
	h->n = 0;
	for (unsigned i = 0; i < n; i++)
		simulate_heap_push(h, h->v[i]);
}

static void simulate_look_for_signal(struct pool *c, struct supervisor *s, struct heap *h,
				     uint64_t now)
{
	int signo = supervisor_interrupted(s) ? 0 : signals_pending();

	if (!signo)
		return;
	supervisor_signal(s, signo, now);
	simulate_wake_requested(c, h, now);
}

int simulate_run(struct pool *c, struct supervisor *s)
{
	struct heap h = {.v = calloc(c->plan->jobs_n, sizeof(struct entry))};
	bool *listed = calloc(c->plan->jobs_n, sizeof(*listed));
	uint64_t now = 0, next = 0;
	unsigned turns = 0, steps = 0;
	bool changed = true;

	assert(c->plan->virtual_clock);
	if (!h.v || !listed) {
		free(h.v);
		free(listed);
		return -ENOMEM;
	}
	for (;;) {
		/* The supervisor comes last: what completes at the moment of a report is part of
		 * it. */
		if ((changed || now >= next) && !(h.n && h.v[0].wake <= now)) {
			next = supervisor_step(s, now);
			if (supervisor_over(s))
				break;
			simulate_enlist(c, &h, listed, now);
			simulate_wake_requested(c, &h, now);
			changed = false;
		}
		uint64_t due = h.n && h.v[0].wake < next ? h.v[0].wake : next;
		if (due == UINT64_MAX)
			break; /* nobody will ever do anything */
		if (due > now)
			c->env.clock.virtual_now = now = due;
		if (!h.n || h.v[0].wake > now)
			continue;
		struct entry e = simulate_heap_pop(&h);
		if (simulate_take_steps(c->env.workers[e.worker], now, &e.wake, &steps))
			changed = true;
		else
			simulate_heap_push(&h, e);
		if (++turns % SIGNAL_CHECK == 0)
			simulate_look_for_signal(c, s, &h, now);
	}
	free(h.v);
	free(listed);
	return supervisor_over(s) ? 0 : -EDEADLK;
}
