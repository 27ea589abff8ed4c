/* Limits that control groups put on this process, version 2 or 1. Each group above us may be
 * tighter than our own: what is reported is the tightest, as far up as this process can see. */
#ifndef FATHOM_HOST_CGROUP_H
#define FATHOM_HOST_CGROUP_H

#include "base/must_check.h"
#include "host/cpu.h"

struct cgroup {
	char path[256];	  /* of the CPU controller (1) or of the group (2), "/" for the root */
	unsigned version; /* 1 or 2 */
	double cpus;	  /* CPU time a second, 0: no limit */
	bool cpus_known;
	uint64_t memory;      /* bytes, 0: no limit */
	struct cpuset cpuset; /* CPUs we may use, n 0: unknown */
};

/* -ENOENT when this process's groups cannot be told (no /proc/self/cgroup, nothing mounted). */
MUST_CHECK int cgroup_read(const struct host *h, struct arena *a, struct cgroup *out);

struct cgroup_io {
	uint64_t bytes[2]; /* a second, read and write; 0: no limit */
	uint64_t ios[2];
};
/* Limits on a device. 0 also when there are none (all 0); -ENOENT as above, or when the group has
 * no io controller to be seen. */
MUST_CHECK int cgroup_io_limits(const struct host *h, unsigned major, unsigned minor,
				struct cgroup_io *out);

#endif
