/* Who has the CPUs that workers wait for: other tasks, or the workers themselves. */
#ifndef FATHOM_MONITOR_WATCH_CPU_H
#define FATHOM_MONITOR_WATCH_CPU_H

#include "host/cpu.h"
#include "worker/worker.h"

/* What the tasks of other processes have used between two looks. */
struct busiest;
/* Look at all tasks; *b is made at the first look, NULL without memory. */
void busiest_look(const struct host *h, struct busiest **b);
/* The task that used most since the look before, and how much, ns; 0 when there is none, and after
 * the first look. Tasks of one thread count only where they were last seen on one of these CPUs;
 * where the threads of others run is not known. */
uint64_t busiest_on(const struct busiest *b, const struct cpuset *cpus, char *who, size_t size);
void busiest_free(struct busiest *b);

/* How many workers that run now may use these CPUs only. allowed: where workers run that name none.
 */
unsigned workers_within(const struct worker_env *env, const struct cpuset *allowed,
			const struct cpuset *cpus);

#endif
