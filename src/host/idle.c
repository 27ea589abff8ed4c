#include "host/idle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STATE	   "/sys/devices/system/cpu/cpu%u/cpuidle/state%u/"
#define STATES_MAX 32u

int idle_of_cpu(const struct host *h, unsigned cpu, struct idle *out)
{
	struct idle d;
	memset(&d, 0, sizeof(d));
	for (unsigned s = 0; s < STATES_MAX; s++) {
		char name[32];
		uint64_t us, off;
		if (host_read_u64(h, &us, STATE "latency", cpu, s))
			continue;
		d.states++;
		if (!host_read_u64(h, &off, STATE "disable", cpu, s) && off) {
			d.off++;
			continue;
		}
		if (d.deepest[0] && us < d.latency_us)
			continue;
		if (host_read_text(h, name, sizeof(name), STATE "name", cpu, s))
			snprintf(name, sizeof(name), "state%u", s);
		memcpy(d.deepest, name, sizeof(d.deepest));
		d.latency_us = us;
	}
	if (!d.states)
		return -ENOENT;
	*out = d;
	return 0;
}
