/* Inside of plan: on which CPUs: cpus_allowed, cpumask, numa_*. */
#ifndef FATHOM_PLAN_PLACE_CPUS_H
#define FATHOM_PLAN_PLACE_CPUS_H

#include "base/must_check.h"
#include "plan/build.h"

/* cpus_allowed, cpumask, numa_*. */
void place_init(struct draft *d);
/* The NUMA node of the device of a job's first target; -1 unknown. */
MUST_CHECK int place_node(struct builder *b, const struct job_opts *o);

#endif
