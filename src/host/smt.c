#include "host/smt.h"

#include <errno.h>
#include <stdlib.h>

static int read_list(const struct host *h, const char *path, struct arena *a, struct opt_cpus *out)
{
	char *text;
	int ret = host_read_all(h, &text, NULL, "%s", path);
	if (!ret) {
		ret = cpu_list_parse(text, a, out);
		free(text);
	}
	return ret;
}

int smt_siblings(const struct host *h, unsigned cpu, struct arena *a, struct opt_cpus *out)
{
	char *text;
	int ret = host_read_all(h, &text, NULL,
				"/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu);
	if (ret)
		return ret;
	ret = cpu_list_parse(text, a, out);
	free(text);
	return ret ? ret : out->n ? 0 : -ENOENT;
}

int smt_one_per_core(const struct host *h, const struct opt_cpus *in, struct arena *a,
		     struct opt_cpus *out)
{
	struct opt_cpus one = {.cpu = arena_new(a, unsigned, in->n ? in->n : 1)};
	if (!one.cpu)
		return -ENOMEM;
	for (unsigned i = 0; i < in->n; i++) {
		struct opt_cpus core = {0};
		bool taken = false;
		if (!smt_siblings(h, in->cpu[i], a, &core))
			for (unsigned k = 0; k < core.n && !taken; k++)
				taken = cpu_list_has(&one, core.cpu[k]);
		if (!taken)
			one.cpu[one.n++] = in->cpu[i];
	}
	*out = one;
	return 0;
}

static int by_capacity(const struct host *h, struct arena *a, struct opt_cpus *fast,
		       struct opt_cpus *slow)
{
	struct opt_cpus all, f = {0}, s = {0};
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

int smt_kinds(const struct host *h, struct arena *a, struct opt_cpus *fast, struct opt_cpus *slow)
{
	struct opt_cpus core, atom;
	int ret = read_list(h, "/sys/devices/cpu_core/cpus", a, &core);
	int ret2 = read_list(h, "/sys/devices/cpu_atom/cpus", a, &atom);
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
	return by_capacity(h, a, fast, slow);
}
