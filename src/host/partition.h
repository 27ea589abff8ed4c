/* CPUs for some threads of this process alone: a cpuset partition of control groups version 2.
 *
 * The group lies directly below the root of the groups, as a partition has to lie below one, and is
 * threaded, so that single threads can enter it: supervision goes on outside. For that the process
 * itself has to be in the root group, where it is moved. Everything goes through a journal, so that
 * undoing that one gives it all back; while the partition is there the kernel keeps all other tasks
 * off its CPUs. */
#ifndef FATHOM_HOST_PARTITION_H
#define FATHOM_HOST_PARTITION_H

#include "base/err.h"
#include "base/must_check.h"
#include "host/cpu.h"
#include "host/journal.h"

struct partition {
	const struct host *h;
	char folder[64]; /* of the group, "/sys/fs/cgroup/fathom-123" */
	char from[256];	 /* the group the process was in, "/": the root already */
	bool made;
};

/* Take these CPUs. On failure err says why, and what is in the journal is to be undone. -ENOTSUP:
 * this system has no such groups, or they are not ours to change; -EBUSY: another run has one;
 * -EACCES, -EROFS, -EINVAL: the kernel refused. */
MUST_CHECK int partition_make(const struct host *h, struct journal *j, const struct cpuset *cpus,
			      struct partition *out, struct err *err);
/* Put a thread of this process into it, or back to the root. -errno. */
MUST_CHECK int partition_enter(const struct partition *p, long tid);
MUST_CHECK int partition_leave(const struct partition *p, long tid);
/* Does it still have its CPUs? Other managers of the machine may end it. */
bool partition_holds(const struct partition *p);
/* All threads that are still in it leave, so that the group can be removed. */
void partition_clear(const struct partition *p);

#endif
