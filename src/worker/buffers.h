/* The I/O buffers of a worker: one range of depth x stride bytes, stride being the largest I/O
 * rounded up to pages, so that an engine can register it as one. Called by the worker's own thread,
 * so that the pages come from its NUMA node; memory_put gives back what memory_get took, once. */
#ifndef FATHOM_WORKER_BUFFERS_H
#define FATHOM_WORKER_BUFFERS_H

#include "base/must_check.h"
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>

struct worker;

struct worker_buffers {
	void *start; /* depth x stride */
	size_t stride, bytes;
	void *memory; /* what they lie in */
	size_t memory_bytes;
	bool memory_shm;
	void *locked; /* lockmem */
};

/* Fills buffers, buffer_stride, buffer_bytes as mem= and iomem_align= say. -ENOMEM and such with
 * words. */
MUST_CHECK int memory_get(struct worker *w, struct err *err);
void memory_put(struct worker *w);

#endif
