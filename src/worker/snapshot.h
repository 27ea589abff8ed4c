/* Copies of a worker's numbers for reports while it runs. The worker makes them in its loop, into
 * memory that was there before its start; the supervising thread reads them. Neither waits: there
 * are two buffers, the last copy lies in one, and the next goes to the other. A copy that would
 * have to go where the reader is just reading is left out.
 */
#ifndef FATHOM_WORKER_SNAPSHOT_H
#define FATHOM_WORKER_SNAPSHOT_H

#include "result/result.h"
#include <stdatomic.h>

struct worker;

struct snapshots {
	char *memory; /* two buffers of `bytes` each; NULL: none are taken */
	size_t bytes;
	struct result_job job[2]; /* what they point to is in the buffers: never released */
	_Atomic unsigned taken;	  /* so far; the last is in job[taken % 2] */
	_Atomic unsigned reading; /* 1 + index of the buffer being read, 0: none */
};

/* Set-up by the worker's own thread, after everything that is copied exists. -ENOMEM. */
int snapshot_open(struct worker *w);
/* No thread uses it any more. */
void snapshot_close(struct worker *w);
/* By the worker: copy its numbers. */
void snapshot_take(struct worker *w, uint64_t now);
/* By the supervising thread: how many there were so far. */
unsigned snapshot_count(const struct worker *w);
/* By the supervising thread: the last one, in memory of its own. -ENOENT: none yet; -ENOMEM. */
int snapshot_read(struct worker *w, struct result_job *out);

#endif
