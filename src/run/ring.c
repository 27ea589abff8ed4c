#include "run/ring.h"
#include <errno.h>
#include <stdlib.h>
#include <time.h>

/* Room is given back after so many, so that a worker that waits goes on early. */
enum { DRAIN_STEP = RING_RECORDS / 16 };

struct ring *ring_new(unsigned job)
{
	struct ring *r = aligned_alloc(128, sizeof(*r));

	if (!r)
		return NULL;
	*r = (struct ring){.job = job};
	/* A record is a cache line. */
	r->recs = aligned_alloc(64, sizeof(struct log_rec) * RING_RECORDS);
	if (!r->recs) {
		free(r);
		return NULL;
	}
	return r;
}

void ring_free(struct ring *r)
{
	if (!r)
		return;
	free(r->recs);
	free(r);
}

void ring_wait(struct ring *r, uint64_t *stall_ns)
{
	struct timespec a, b, nap = {0, 20000};

	r->tail_seen = atomic_load_explicit(&r->tail, memory_order_acquire);
	if (r->next - r->tail_seen < RING_RECORDS)
		return;
	ring_show(r);
	if (r->drain) {
		ring_drain(r, r->drain, r->drain_ctx);
		r->tail_seen = atomic_load_explicit(&r->tail, memory_order_acquire);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &a);
	while (r->next - (r->tail_seen = atomic_load_explicit(&r->tail, memory_order_acquire)) >=
	       RING_RECORDS)
		nanosleep(&nap, NULL);
	clock_gettime(CLOCK_MONOTONIC, &b);
	*stall_ns += (uint64_t)(b.tv_sec - a.tv_sec) * 1000000000u + (uint64_t)b.tv_nsec -
		     (uint64_t)a.tv_nsec;
}

void ring_push(struct ring *r, const struct log_rec *rec, uint64_t *stall_ns)
{
	*ring_next(r, stall_ns) = *rec;
	r->next++;
	ring_show(r);
}

int ring_drain(struct ring *r,
	       int (*write)(void *ctx, unsigned job, const struct log_rec *recs, unsigned n),
	       void *ctx)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_acquire);
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
	unsigned total = 0;

	while (tail != head) {
		unsigned at = (unsigned)(tail % RING_RECORDS), n = RING_RECORDS - at;
		if (n > head - tail)
			n = (unsigned)(head - tail);
		if (n > DRAIN_STEP)
			n = DRAIN_STEP;
		int rc = write ? write(ctx, r->job, r->recs + at, n) : 0;
		if (rc < 0 && !atomic_load_explicit(&r->error, memory_order_relaxed))
			atomic_store_explicit(&r->error, rc, memory_order_relaxed);
		tail += n;
		total += n;
		atomic_store_explicit(&r->tail, tail, memory_order_release);
	}
	return (int)total;
}
