/* Log records on their way from workers to the writer: one bounded ring a worker (single producer,
 * single consumer), one writer thread for all. A full ring makes the worker wait, never lose a
 * record; the wait is counted. */
#ifndef FATHOM_RUN_RING_H
#define FATHOM_RUN_RING_H

#include "result/logrec.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define RING_RECORDS 16384u /* 64 bytes each: 1 MiB a logging worker */
#define RING_GROUP   32u    /* records of single I/Os become visible so many at a time */

struct ring {
	_Atomic uint64_t head __attribute__((aligned(128))); /* written by the worker */
	_Atomic uint64_t tail __attribute__((aligned(128))); /* written by the writer */
	uint64_t next __attribute__((aligned(128)));	     /* worker's: records made */
	uint64_t tail_seen;				     /* worker's copy */
	unsigned job;
	/* Without a writer thread (virtual clock) a full ring is emptied in place. */
	int (*drain)(void *ctx, unsigned job, const struct log_rec *recs, unsigned n);
	void *drain_ctx;
	_Atomic int error;    /* first error of the writer; then records are dropped */
	struct log_rec *recs; /* [RING_RECORDS] */
};

/* A full ring: wait for room, which is counted in stall_ns. */
void ring_wait(struct ring *r, uint64_t *stall_ns);

/* By the worker: the place of the next record, to be filled in and handed over with ring_done().
 * Handing over single records would have the writer and the worker pass a cache line to and fro. */
static inline struct log_rec *ring_next(struct ring *r, uint64_t *stall_ns)
{
	if (__builtin_expect(r->next - r->tail_seen >= RING_RECORDS, 0))
		ring_wait(r, stall_ns);
	/* The writer has just read the line that is wanted soon: have it brought here meanwhile. */
	__builtin_prefetch(&r->recs[(r->next + 8) % RING_RECORDS], 1, 3);
	return &r->recs[r->next % RING_RECORDS];
}

/* Everything so far becomes visible. */
static inline void ring_show(struct ring *r)
{
	atomic_store_explicit(&r->head, r->next, memory_order_release);
}

static inline void ring_done(struct ring *r)
{
	if (++r->next % RING_GROUP == 0)
		ring_show(r);
}

struct ring *ring_new(unsigned job);
void ring_free(struct ring *r);
/* By the worker: a record that is visible at once. stall_ns is raised by the time spent waiting. */
void ring_push(struct ring *r, const struct log_rec *rec, uint64_t *stall_ns);
/* By the consumer: hand everything to write; returns the number of records or -errno. */
int ring_drain(struct ring *r,
	       int (*write)(void *ctx, unsigned job, const struct log_rec *recs, unsigned n),
	       void *ctx);

#endif
