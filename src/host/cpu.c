#include "host/cpu.h"

#include "host/list.h"
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cpu_list_read(const struct host *h, struct arena *a, struct cpuset *out, const char *fmt, ...)
{
	char path[160], *text;
	va_list ap;

	assert(h && a && out && fmt);
	va_start(ap, fmt);
	int n = vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	int ret = host_read_all(h, &text, NULL, "%s", path);
	if (ret)
		return ret;
	ret = cpuset_parse(text, a, out);
	free(text);
	return ret;
}

int cpu_online(const struct host *h, struct arena *a, struct cpuset *out)
{
	int ret = cpu_list_read(h, a, out, "/sys/devices/system/cpu/online");
	if (ret != -ENOENT || h->root[0])
		return ret;
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	char text[32];
	snprintf(text, sizeof(text), "0-%ld", n > 1 ? n - 1 : 0);
	return cpuset_parse(text, a, out);
}

/* Folders cpu0, cpu1, ... exist for every CPU that is present, with or without gaps. */
unsigned cpu_configured(const struct host *h)
{
	struct arena a;
	struct host_names dirs = {0};
	unsigned n = 0;
	arena_init(&a, 0);
	if (!host_list_dir(h, &a, &dirs, "/sys/devices/system/cpu"))
		for (unsigned i = 0; i < dirs.n; i++) {
			const char *digits = dirs.v[i] + 3;
			if (!strncmp(dirs.v[i], "cpu", 3) && *digits &&
			    strspn(digits, "0123456789") == strlen(digits))
				n++;
		}
	arena_release(&a);
	if (!n && !h->root[0]) {
		long conf = sysconf(_SC_NPROCESSORS_CONF);
		n = conf > 0 ? (unsigned)conf : 0;
	}
	return n ? n : 1;
}

int cpu_allowed(struct arena *a, struct cpuset *out)
{
	struct cpuset_bits b;
	memset(&b, 0, sizeof(b));
	/* The kernel refuses masks smaller than its own; this one holds every CPU that can be. */
	if (sched_getaffinity(0, sizeof(b), (cpu_set_t *)&b) < 0)
		return -errno;
	return cpuset_from_bits(&b, a, out);
}

int cpu_node(const struct host *h, unsigned cpu)
{
	struct arena a;
	struct cpuset nodes = {0};
	int node = -1;
	arena_init(&a, 0);
	if (!cpu_list_read(h, &a, &nodes, "/sys/devices/system/node/online"))
		for (unsigned i = 0; i < nodes.n && node < 0; i++)
			if (host_exists(h, "/sys/devices/system/node/node%u/cpu%u", nodes.cpu[i],
					cpu))
				node = (int)nodes.cpu[i];
	arena_release(&a);
	return node;
}

int cpu_of_node(const struct host *h, unsigned node, struct arena *a, struct cpuset *out)
{
	return cpu_list_read(h, a, out, "/sys/devices/system/node/node%u/cpulist", node);
}

unsigned cpu_nodes(const struct host *h)
{
	struct arena a;
	struct cpuset nodes = {0};
	arena_init(&a, 0);
	/* Nodes are listed in the same form as CPUs. */
	int ret = cpu_list_read(h, &a, &nodes, "/sys/devices/system/node/online");
	unsigned n = ret ? 0 : nodes.n;
	arena_release(&a);
	return n ? n : 1;
}
