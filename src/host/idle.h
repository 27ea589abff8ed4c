/* Idle states of the CPUs: cpuidle (Documentation/admin-guide/pm/cpuidle.rst of the kernel). */
#ifndef FATHOM_HOST_IDLE_H
#define FATHOM_HOST_IDLE_H

#include "base/must_check.h"
#include "host/host.h"

struct idle {
	unsigned states;     /* that the driver offers */
	unsigned off;	     /* of those, disabled */
	char deepest[32];    /* name of the enabled state with the longest exit, "" when none */
	uint64_t latency_us; /* time to leave it */
};

/* -ENOENT when the CPU has no idle states to be seen (virtual machines, offline CPUs). */
MUST_CHECK int idle_of_cpu(const struct host *h, unsigned cpu, struct idle *out);

#endif
