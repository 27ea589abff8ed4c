/* Memory of the machine: what is free, and what the kernel does behind a run's back. */
#ifndef FATHOM_HOST_MEMORY_H
#define FATHOM_HOST_MEMORY_H

#include "base/must_check.h"
#include "host/host.h"

struct memory {
	uint64_t total, available; /* bytes, 0 unknown */
	uint64_t swap_used;	   /* bytes */
	char huge[16];		   /* transparent hugepages: always, madvise, never; "" unknown */
	int balancing;		   /* automatic NUMA balancing: 1, 0, -1 unknown */
};
/* Fills what can be read; the rest stays unknown. */
void memory_read(const struct host *h, struct memory *out);

/* Pressure stall information: share of the last ten seconds in which some (all) tasks waited, in
 * percent. what: "memory", "io", "cpu". -ENOENT before kernel 4.20 or when it is off, -EINVAL. */
MUST_CHECK int memory_pressure(const struct host *h, const char *what, double *some, double *full);

#endif
