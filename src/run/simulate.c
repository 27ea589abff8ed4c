/* Simulated time: one thread takes the turns of all workers, always the earliest, and moves the
 * virtual clock. The run is a function of the job file and the seed; nothing sleeps. */
#include "run/crew.h"
#include <errno.h>
#include <signal.h>
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

static bool before(const struct entry *a, const struct entry *b)
{
	return a->wake < b->wake || (a->wake == b->wake && a->worker < b->worker);
}

static void swap(struct heap *h, unsigned a, unsigned b)
{
	struct entry e = h->v[a];

	h->v[a] = h->v[b];
	h->v[b] = e;
}

static void heap_push(struct heap *h, struct entry e)
{
	unsigned i = h->n++;

	h->v[i] = e;
	while (i && before(&h->v[i], &h->v[(i - 1) / 2])) {
		swap(h, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static struct entry heap_pop(struct heap *h)
{
	struct entry top = h->v[0];
	unsigned i = 0;

	h->v[0] = h->v[--h->n];
	for (;;) {
		unsigned least = i, l = 2 * i + 1, r = l + 1;
		if (l < h->n && before(&h->v[l], &h->v[least]))
			least = l;
		if (r < h->n && before(&h->v[r], &h->v[least]))
			least = r;
		if (least == i)
			return top;
		swap(h, i, least);
		i = least;
	}
}

static void enlist(struct crew *c, struct heap *h, bool *listed, uint64_t now)
{
	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		struct worker *w = c->workers[i];
		if (listed[i] || !atomic_load_explicit(&w->go, memory_order_relaxed) ||
		    w->state != WORKER_READY)
			continue;
		uint64_t at = atomic_load_explicit(&w->go_at, memory_order_relaxed);
		heap_push(h, (struct entry){at > now ? at : now, i});
		listed[i] = true;
	}
}

/* Turns of one worker until it has to wait for the clock. True: it has ended. */
static bool take_turns(struct worker *w, uint64_t now, uint64_t *wake)
{
	if (w->state == WORKER_READY)
		worker_begin(w, now);
	w->now = now;
	do
		*wake = worker_turn(w, false);
	while (*wake <= now);
	return *wake == WAKE_DONE;
}

static int pending_signal(void)
{
	sigset_t set;

	if (sigpending(&set))
		return 0;
	return sigismember(&set, SIGINT) ? SIGINT : sigismember(&set, SIGTERM) ? SIGTERM : 0;
}

static void look_for_signal(struct crew *c, struct supervisor *s, struct heap *h, uint64_t now)
{
	int signo = supervisor_interrupted(s) ? 0 : pending_signal();

	if (!signo)
		return;
	supervisor_signal(s, signo, now);
	for (unsigned i = 0; i < h->n; i++)
		h->v[i].wake = now; /* all equal: still a heap but for the tie, which does not
				       matter here */
	(void)c;
}

int simulate_run(struct crew *c, struct supervisor *s)
{
	struct heap h = {.v = calloc(c->plan->jobs_n, sizeof(struct entry))};
	bool *listed = calloc(c->plan->jobs_n, sizeof(*listed));
	uint64_t now = 0, next = 0;
	unsigned turns = 0;
	bool changed = true;

	if (!h.v || !listed) {
		free(h.v);
		free(listed);
		return -ENOMEM;
	}
	for (;;) {
		if (changed || now >= next) {
			next = supervisor_turn(s, now);
			if (supervisor_over(s))
				break;
			enlist(c, &h, listed, now);
			changed = false;
		}
		uint64_t due = h.n && h.v[0].wake < next ? h.v[0].wake : next;
		if (due == UINT64_MAX)
			break; /* nobody will ever do anything */
		if (due > now)
			c->clock.virtual_now = now = due;
		if (!h.n || h.v[0].wake > now)
			continue;
		struct entry e = heap_pop(&h);
		if (take_turns(c->workers[e.worker], now, &e.wake))
			changed = true;
		else
			heap_push(&h, e);
		if (++turns % SIGNAL_CHECK == 0)
			look_for_signal(c, s, &h, now);
	}
	free(h.v);
	free(listed);
	return supervisor_over(s) ? 0 : -EDEADLK;
}
