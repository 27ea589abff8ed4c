/* Frequency of the CPUs: cpufreq's governor and limits (Documentation/admin-guide/pm/cpufreq.rst of
 * the kernel). */
#ifndef FATHOM_HOST_GOVERNOR_H
#define FATHOM_HOST_GOVERNOR_H

#include "base/must_check.h"
#include "host/host.h"

struct governor {
	char name[32];		   /* "performance", "powersave"; "" unknown */
	char preference[32];	   /* energy_performance_preference, "" when there is none */
	char driver[32];	   /* "intel_pstate", "acpi-cpufreq"; "" unknown */
	uint64_t min_khz, max_khz; /* limits in force, 0 unknown */
	uint64_t now_khz;	   /* 0 unknown */
	uint64_t top_khz;	   /* what the hardware can do (with turbo), 0 unknown */
};

/* -ENOENT when nothing of it is known of that CPU (virtual machines, offline CPUs). */
MUST_CHECK int governor_of_cpu(const struct host *h, unsigned cpu, struct governor *out);
/* May the CPUs clock above their base frequency? 1, 0, -1 unknown. */
MUST_CHECK int governor_turbo(const struct host *h);

#endif
