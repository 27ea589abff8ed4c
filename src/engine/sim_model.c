#include "base/time.h"
#include "engine/sim.h"
#include "base/check.h"
#include <math.h>

static bool sim_before(const struct sim_event *a, const struct sim_event *b)
{
	return a->due != b->due ? a->due < b->due : a->seq < b->seq;
}

void sim_heap_push(struct sim_heap *h, struct sim_event ev)
{
	unsigned i = h->n++;

	while (i) {
		unsigned up = (i - 1) / 2;

		if (!sim_before(&ev, &h->v[up]))
			break;
		h->v[i] = h->v[up];
		i = up;
	}
	h->v[i] = ev;
}

struct sim_event sim_heap_pop(struct sim_heap *h)
{
	hot_assert(h->n);
	struct sim_event top = h->v[0], last = h->v[--h->n];
	unsigned i = 0;

	for (;;) {
		unsigned k = 2 * i + 1;

		if (k >= h->n)
			break;
		if (k + 1 < h->n && sim_before(&h->v[k + 1], &h->v[k]))
			k++;
		if (!sim_before(&h->v[k], &last))
			break;
		h->v[i] = h->v[k];
		i = k;
	}
	h->v[i] = last;
	return top;
}

static uint64_t sim_mean(const struct sim_opts *o, uint8_t op)
{
	uint64_t write = o->write_latency ? o->write_latency : o->latency;

	switch (op) {
	case IO_READ:
		return o->latency;
	case IO_WRITE:
		return write;
	case IO_TRIM:
		return o->trim_latency ? o->trim_latency : write;
	default:
		return o->sync_latency ? o->sync_latency : write;
	}
}

/* A factor of mean 1. */
static double sim_factor(const struct sim_opts *o, struct rng *r)
{
	double u, z;

	switch (o->dist) {
	case SIM_UNIFORM:
		return 2.0 * rng_unit(r);
	case SIM_EXP:
		return -log(1.0 - rng_unit(r));
	case SIM_LOGNORMAL:
		/* Box, Muller 1958; 1 - u keeps the logarithm finite. */
		u = 1.0 - rng_unit(r);
		z = sqrt(-2.0 * log(u)) * cos(2.0 * M_PI * rng_unit(r));
		return exp(o->sigma * z - o->sigma * o->sigma / 2);
	default:
		return 1.0;
	}
}

uint64_t sim_service(const struct sim_opts *o, struct rng *r, const struct io *io)
{
	uint64_t ns = sim_mean(o, io->op);

	if (o->dist != SIM_CONST)
		ns = (uint64_t)llround((double)ns * sim_factor(o, r));
	if (o->bandwidth && io->op <= IO_WRITE)
		ns += (uint64_t)((unsigned __int128)io->len * NS_PER_SEC / o->bandwidth);
	return ns ? ns : 1;
}

uint64_t sim_finish(const struct sim_opts *o, uint64_t start, uint64_t service)
{
	uint64_t first = o->stall_at ? o->stall_at : o->stall_every, begin = first;

	hot_assert(start + service >= start);
	if (!o->stall_for || !first)
		return start + service;
	if (o->stall_every && start >= first)
		begin = first + (start - first) / o->stall_every * o->stall_every;
	for (;;) {
		if (begin >= start + service)
			return start + service;
		if (begin + o->stall_for > start) {
			/* What was served before the stall counts; the rest goes on behind it. */
			if (begin > start)
				service -= begin - start;
			start = begin + o->stall_for;
		}
		if (!o->stall_every)
			return start + service;
		begin += o->stall_every;
	}
}
