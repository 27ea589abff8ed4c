/* From the counters of a worker to the entry of a result, without asking for memory. */
#ifndef FATHOM_WORKER_COLLECT_H
#define FATHOM_WORKER_COLLECT_H

#include "worker/worker.h"
#include "result/merge.h"

/* What a histogram and a timeline take of the memory that a copy is made in. */
#define COLLECT_HIST	 ((sizeof(struct hist) + 63) & ~(size_t)63)
#define COLLECT_TIMELINE (TIMELINE_POINTS * sizeof(struct timeline_point))

/* The memory that a copy needs at most, once the worker is open. */
size_t collect_bytes(const struct worker *w);
/* A copy of the numbers so far, but for its style and what was planned; by the worker itself, or by
 * the supervisor once it has ended. What *out points to lies in `memory`, which has
 * collect_bytes() and is aligned to 64: copy it (result_job_copy), never release it. */
void worker_collect(const struct worker *w, uint64_t now, char *memory, struct result_job *out);

#endif
