/* Processors: which there are, which we may use, and where they sit. Lists are ascending and
 * unique; gaps in the numbering and numbers above 63 (or 1023) are normal. Lists live in the arena
 * given. */
#ifndef FATHOM_HOST_CPU_H
#define FATHOM_HOST_CPU_H

#include "base/arena.h"
#include "conf/value.h"
#include "host/host.h"

/* Highest CPU number accepted in a list. */
#define CPU_MAX 65535u

/* The kernel's list form "0-3,8,10-11" (also "0-7:2" as stride, blanks allowed). "" gives an empty
 * list. -EINVAL on anything else, -ERANGE above CPU_MAX, -ENOMEM. */
int cpu_list_parse(const char *text, struct arena *a, struct opt_cpus *out);
/* The shortest such text; cut at size - 1 bytes. */
void cpu_list_print(const struct opt_cpus *l, char *buf, size_t size);
bool cpu_list_has(const struct opt_cpus *l, unsigned cpu);
/* CPUs in both lists, ascending. -ENOMEM. */
int cpu_list_both(const struct opt_cpus *x, const struct opt_cpus *y, struct arena *a,
		  struct opt_cpus *out);

/* CPUs the kernel schedules on now. Falls back to 0..sysconf-1 when /sys does not tell. */
int cpu_online(const struct host *h, struct arena *a, struct opt_cpus *out);
/* How many CPUs are configured in this machine, online or not (what fio's $ncpus counts); at
 * least 1. */
unsigned cpu_configured(const struct host *h);
/* CPUs this thread may run on: the inherited affinity mask (containers, taskset). -errno. */
int cpu_allowed(struct arena *a, struct opt_cpus *out);

/* NUMA node of a CPU, -1 when unknown (no NUMA in the kernel). */
int cpu_node(const struct host *h, unsigned cpu);
/* CPUs of a NUMA node. -ENOENT when there is no such node. */
int cpu_of_node(const struct host *h, unsigned node, struct arena *a, struct opt_cpus *out);
/* Number of NUMA nodes that are online, at least 1. */
unsigned cpu_nodes(const struct host *h);

#endif
