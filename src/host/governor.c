#include "host/governor.h"

#include <errno.h>
#include <string.h>

#define FREQ "/sys/devices/system/cpu/cpu%u/cpufreq/"

static uint64_t governor_read_khz(const struct host *h, const char *what, unsigned cpu)
{
	uint64_t v;
	return host_read_u64(h, &v, FREQ "%s", cpu, what) ? 0 : v;
}

int governor_of_cpu(const struct host *h, unsigned cpu, struct governor *out)
{
	struct governor g;
	memset(&g, 0, sizeof(g));
	bool known = !host_read_text(h, g.name, sizeof(g.name), FREQ "scaling_governor", cpu);
	known |= !host_read_text(h, g.preference, sizeof(g.preference),
				 FREQ "energy_performance_preference", cpu);
	known |= !host_read_text(h, g.driver, sizeof(g.driver), FREQ "scaling_driver", cpu);
	g.min_khz = governor_read_khz(h, "scaling_min_freq", cpu);
	g.max_khz = governor_read_khz(h, "scaling_max_freq", cpu);
	g.now_khz = governor_read_khz(h, "scaling_cur_freq", cpu);
	g.top_khz = governor_read_khz(h, "cpuinfo_max_freq", cpu);
	if (!known && !g.max_khz && !g.top_khz)
		return -ENOENT;
	*out = g;
	return 0;
}

int governor_turbo(const struct host *h)
{
	uint64_t v;
	if (!host_read_u64(h, &v, "/sys/devices/system/cpu/intel_pstate/no_turbo"))
		return v == 0;
	if (!host_read_u64(h, &v, "/sys/devices/system/cpu/cpufreq/boost"))
		return v != 0;
	return -1;
}
