/* Processors: which there are, which we may use, and where they sit. Lists live in
 * the arena given. */
#ifndef FATHOM_HOST_CPU_H
#define FATHOM_HOST_CPU_H

#include "base/arena.h"
#include "base/cpuset.h"
#include "base/must_check.h"
#include "host/host.h"

/* A file that holds such a list, of any length; the path as printf makes it. -EINVAL, -ERANGE when
 * it holds something else. */
MUST_CHECK int cpu_list_read(const struct host *h, struct arena *a, struct cpuset *out,
			     const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* CPUs the kernel schedules on now. Falls back to 0..sysconf-1 when /sys does not tell. */
MUST_CHECK int cpu_online(const struct host *h, struct arena *a, struct cpuset *out);
/* How many CPUs are configured in this machine, online or not (what fio's $ncpus counts); at
 * least 1. */
unsigned cpu_configured(const struct host *h);
/* CPUs this thread may run on: the inherited affinity mask (containers, taskset). -errno. */
MUST_CHECK int cpu_allowed(struct arena *a, struct cpuset *out);

/* NUMA node of a CPU, -1 when unknown (no NUMA in the kernel). */
MUST_CHECK int cpu_node(const struct host *h, unsigned cpu);
/* CPUs of a NUMA node. -ENOENT when there is no such node. */
MUST_CHECK int cpu_of_node(const struct host *h, unsigned node, struct arena *a,
			   struct cpuset *out);
/* Number of NUMA nodes that are online, at least 1. */
unsigned cpu_nodes(const struct host *h);

#endif
