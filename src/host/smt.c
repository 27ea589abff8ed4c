#include "host/smt.h"

#include <errno.h>
#include <stdlib.h>

int smt_siblings(const struct host *h, unsigned cpu, struct arena *a, struct cpuset *out)
{
	int ret = cpu_list_read(h, a, out,
				"/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu);
	return ret ? ret : out->n ? 0 : -ENOENT;
}

int smt_one_per_core(const struct host *h, const struct cpuset *in, struct arena *a,
		     struct cpuset *out)
{
	struct cpuset one = {.cpu = arena_new(a, unsigned, in->n ? in->n : 1)};
	if (!one.cpu)
		return -ENOMEM;
	for (unsigned i = 0; i < in->n; i++) {
		struct cpuset core = {0};
		bool taken = false;
		if (!smt_siblings(h, in->cpu[i], a, &core))
			for (unsigned k = 0; k < core.n && !taken; k++)
				taken = cpuset_has(&one, core.cpu[k]);
		if (!taken)
			one.cpu[one.n++] = in->cpu[i];
	}
	*out = one;
	return 0;
}

static int smt_by_capacity(const struct host *h, struct arena *a, struct cpuset *fast,
			   struct cpuset *slow)
{
	struct cpuset all, f = {0}, s = {0};
	uint64_t v, top = 0, low = UINT64_MAX;
	int ret = cpu_online(h, a, &all);
	if (ret)
		return ret;
	for (unsigned i = 0; i < all.n; i++) {
		if (host_read_u64(h, &v, "/sys/devices/system/cpu/cpu%u/cpu_capacity", all.cpu[i]))
			return -ENOENT;
		top = v > top ? v : top;
		low = v < low ? v : low;
	}
	if (low >= top)
		return all.n ? 0 : -ENOENT;
	f.cpu = arena_new(a, unsigned, all.n);
	s.cpu = arena_new(a, unsigned, all.n);
	if (!f.cpu || !s.cpu)
		return -ENOMEM;
	for (unsigned i = 0; i < all.n; i++) {
		if (host_read_u64(h, &v, "/sys/devices/system/cpu/cpu%u/cpu_capacity", all.cpu[i]))
			return -ENOENT;
		if (v == top)
			f.cpu[f.n++] = all.cpu[i];
		else
			s.cpu[s.n++] = all.cpu[i];
	}
	*fast = f;
	*slow = s;
	return 1;
}

int smt_kinds(const struct host *h, struct arena *a, struct cpuset *fast, struct cpuset *slow)
{
	struct cpuset core, atom;
	int ret = cpu_list_read(h, a, &core, "/sys/devices/cpu_core/cpus");
	int ret2 = cpu_list_read(h, a, &atom, "/sys/devices/cpu_atom/cpus");
	if (!ret && !ret2 && core.n && atom.n) {
		*fast = core;
		*slow = atom;
		return 1;
	}
	if (!ret || !ret2)
		return ret == -ENOMEM || ret2 == -ENOMEM ? -ENOMEM : -ENOENT;
	/* Processors with one kind of core have one PMU for all. */
	if (host_exists(h, "/sys/devices/cpu/type"))
		return 0;
	return smt_by_capacity(h, a, fast, slow);
}
