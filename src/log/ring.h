/* Slots on their way from a worker to the writer of logs: bounded rings (single producer, single
 * consumer), one writer thread for all. A full ring makes the worker wait, never lose a slot; the
 * wait is counted. */
#ifndef FATHOM_LOG_RING_H
#define FATHOM_LOG_RING_H

#include "base/must_check.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes n slots of a job that follow each other; full: more than half of the ring waits. 0 or
 * -errno. */
typedef int ring_write(void *ctx, unsigned job, const void *slots, unsigned n, bool full);

struct ring {
	_Atomic uint64_t head __attribute__((aligned(128))); /* written by the worker */
	_Atomic uint64_t tail __attribute__((aligned(128))); /* written by the writer */
	uint64_t next __attribute__((aligned(128)));	     /* worker's: slots filled in */
	uint64_t tail_seen;				     /* worker's copy */
	unsigned job, slots;
	size_t slot_bytes;
	char *mem; /* [slots * slot_bytes] */
	/* Without a writer thread (virtual clock) a full ring is emptied in place. */
	ring_write *drain;
	void *drain_ctx;
	_Atomic int error; /* first error of the writer; then slots are dropped */
};

/* A full ring: wait for room, which is counted in stall_ns. */
void ring_wait(struct ring *r, uint64_t *stall_ns);

/* By the worker: the place of the next slot, to be filled in and handed over with ring_done(). */
static inline void *ring_next(struct ring *r, uint64_t *stall_ns)
{
	if (__builtin_expect(r->next - r->tail_seen >= r->slots, 0))
		ring_wait(r, stall_ns);
	return r->mem + r->next % r->slots * r->slot_bytes;
}

static inline void ring_done(struct ring *r)
{
	atomic_store_explicit(&r->head, ++r->next, memory_order_release);
}

/* slots: a power of two from 16 on. NULL without memory. */
MUST_CHECK struct ring *ring_new(unsigned job, unsigned slots, size_t slot_bytes);
void ring_free(struct ring *r);
/* By the worker: a copy of a slot. stall_ns is raised by the time spent waiting. */
void ring_push(struct ring *r, const void *slot, uint64_t *stall_ns);
/* By the consumer: hand everything to write; returns the number of slots. */
int ring_drain(struct ring *r, ring_write *write, void *ctx);

#endif
