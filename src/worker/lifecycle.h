/* What happens between I/Os, and the end of a worker. By its own thread. */
#ifndef FATHOM_WORKER_LIFECYCLE_H
#define FATHOM_WORKER_LIFECYCLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

struct worker;

/* What its thread used from the start of the measurement to the end. */
struct worker_usage {
	uint64_t usr_ns, sys_ns, ctx, majf, minf;
	struct rusage before;
};

/* What the workload asks for while nothing is in flight; true when the loop may go on. */
bool worker_between(struct worker *w);
/* WORKER_DRAIN with an empty queue: flush, close, finish. */
void worker_end(struct worker *w);

#endif
