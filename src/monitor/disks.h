/* The block devices below the targets of a run, and what they had counted before it: the disk lines
 * of reports and the findings are differences to this. Taken and read by the supervising thread. */
#ifndef FATHOM_MONITOR_DISKS_H
#define FATHOM_MONITOR_DISKS_H

#include "base/must_check.h"
#include "host/blockdev.h"
#include "host/diskstats.h"
#include "result/result.h"
#include "worker/env.h"

#define DISKS_MAX  64u
#define SLAVES_MAX 8u

struct disk {
	struct blockdev dev;
	struct disk_counters before;
	uint64_t interrupts; /* of its I/O queues, before */
	bool has_interrupts;
	unsigned slaves;
	char slave[SLAVES_MAX][BLOCKDEV_NAME];
	struct disk_counters slave_before[SLAVES_MAX];
};

struct disks {
	const struct worker_env *env;
	unsigned n;
	unsigned *of_target; /* [targets_n]: index of the disk, or UINT_MAX */
	struct disk v[DISKS_MAX];
};

/* Find the disks of the plan's targets and read their counters. NULL without memory. */
MUST_CHECK struct disks *disks_start(const struct worker_env *env);
/* What they counted since, over span_ns. -ENOMEM. */
MUST_CHECK int disks_collect(const struct disks *ds, uint64_t span_ns, struct result *out);
void disks_free(struct disks *ds);

#endif
