/* Log records on their way from workers to the writer: one bounded ring a worker (single producer,
 * single consumer), one writer thread for all. A full ring makes the worker wait, never lose a
 * record; the wait is counted. */
#ifndef FATHOM_RUN_RING_H
#define FATHOM_RUN_RING_H

#include "result/logrec.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define RING_RECORDS 8192u /* 64 bytes each: 512 KiB a logging worker */

struct ring {
	_Atomic uint64_t head __attribute__((aligned(128))); /* written by the worker */
	_Atomic uint64_t tail __attribute__((aligned(128))); /* written by the writer */
	uint64_t tail_seen;				     /* worker's copy */
	unsigned job;
	/* Without a writer thread (virtual clock) a full ring is emptied in place. */
	int (*drain)(void *ctx, unsigned job, const struct log_rec *recs, unsigned n);
	void *drain_ctx;
	_Atomic int error;    /* first error of the writer; then records are dropped */
	struct log_rec *recs; /* [RING_RECORDS] */
};

struct ring *ring_new(unsigned job);
void ring_free(struct ring *r);
/* By the worker. stall_ns is raised by the time spent waiting. */
void ring_push(struct ring *r, const struct log_rec *rec, uint64_t *stall_ns);
/* By the consumer: hand everything to write; returns the number of records or -errno. */
int ring_drain(struct ring *r,
	       int (*write)(void *ctx, unsigned job, const struct log_rec *recs, unsigned n),
	       void *ctx);

#endif
