#include "base/time.h"
#include "log/ring.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Room is given back after so many parts of a ring, so that a worker that waits goes on early. */
enum { DRAIN_PARTS = 16 };

enum { PAGE = 4096 };

/* The first naps are short, for a writer that is nearly there; hundreds of workers that wait for it
 * must not take its CPU. */
enum { NAP_NS = 20000, NAP_NS_MAX = 10000000 };

static void ring_doze(struct timespec *nap)
{
	nanosleep(nap, NULL);
	if (nap->tv_nsec < NAP_NS_MAX / 2)
		nap->tv_nsec *= 2;
}

struct ring *ring_new(unsigned job, unsigned slots, size_t slot_bytes)
{
	struct ring *r = aligned_alloc(128, sizeof(*r));

	assert(slots >= 16 && (slots & (slots - 1)) == 0 && slot_bytes);
	if (!r)
		return NULL;
	*r = (struct ring){.job = job, .slots = slots, .slot_bytes = slot_bytes};
	/* Whole pages: a slot of a page is written to a file from here. */
	r->mem = aligned_alloc(PAGE, (slots * slot_bytes + PAGE - 1) / PAGE * PAGE);
	if (!r->mem) {
		free(r);
		return NULL;
	}
	return r;
}

void ring_free(struct ring *r)
{
	if (!r)
		return;
	free(r->mem);
	free(r);
}

void ring_wait(struct ring *r, uint64_t *stall_ns)
{
	struct timespec a, b, nap = {0, NAP_NS};

	assert(r->next - r->tail_seen <= r->slots);
	r->tail_seen = atomic_load_explicit(&r->tail, memory_order_acquire);
	if (r->next - r->tail_seen < r->slots)
		return;
	if (r->drain) {
		ring_drain(r, r->drain, r->drain_ctx);
		r->tail_seen = atomic_load_explicit(&r->tail, memory_order_acquire);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &a);
	while (r->next - (r->tail_seen = atomic_load_explicit(&r->tail, memory_order_acquire)) >=
	       r->slots)
		ring_doze(&nap);
	clock_gettime(CLOCK_MONOTONIC, &b);
	*stall_ns += (uint64_t)(b.tv_sec - a.tv_sec) * NS_PER_SEC + (uint64_t)b.tv_nsec -
		     (uint64_t)a.tv_nsec;
}

void ring_push(struct ring *r, const void *slot, uint64_t *stall_ns)
{
	assert(slot && stall_ns);
	memcpy(ring_next(r, stall_ns), slot, r->slot_bytes);
	ring_done(r);
}

int ring_drain(struct ring *r, ring_write *write, void *ctx)
{
	uint64_t end = atomic_load_explicit(&r->head, memory_order_acquire), head = end;
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
	unsigned total = 0;

	assert(end - tail <= r->slots);
	while (tail != end) {
		unsigned at = (unsigned)(tail % r->slots), n = r->slots - at;
		if (n > end - tail)
			n = (unsigned)(end - tail);
		if (n > r->slots / DRAIN_PARTS)
			n = r->slots / DRAIN_PARTS;
		int ret = write ? write(ctx, r->job, r->mem + at * r->slot_bytes, n,
					head - tail > r->slots / 2)
				: 0;
		if (ret < 0 && !atomic_load_explicit(&r->error, memory_order_relaxed))
			atomic_store_explicit(&r->error, ret, memory_order_relaxed);
		tail += n;
		total += n;
		atomic_store_explicit(&r->tail, tail, memory_order_release);
		head = atomic_load_explicit(&r->head, memory_order_acquire);
	}
	return (int)total;
}
