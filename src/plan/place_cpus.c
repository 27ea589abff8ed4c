/* Which CPUs a job may use: cpus_allowed, cpumask, numa_cpu_nodes (compatibility 2.11, 12.12). */
#include "plan/place_cpus.h"
#include "plan/say.h"
#include "host/blockdev.h"
#include "host/blocktree.h"
#include "host/cpu.h"
#include <stdlib.h>
#include <string.h>

static void place_from_mask(struct draft *d, struct cpuset *out)
{
	out->cpu = build_alloc(d->b, 32 * sizeof(*out->cpu));
	out->n = 0;
	for (unsigned i = 0; out->cpu && i < 32; i++)
		if (d->o->cpumask >> i & 1)
			out->cpu[out->n++] = i;
}

static int place_cpu_order(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return x < y ? -1 : x > y;
}

static bool place_add_node(struct draft *d, unsigned node, struct cpuset *out)
{
	struct cpuset one = {NULL, 0};
	if (cpu_of_node(&d->b->host, node, d->b->arena, &one) || !one.n) {
		draft_error(d, ERR_SETUP, "numa-node", OPT_numa_cpu_nodes, "",
			    "numa_cpu_nodes: NUMA node %u does not exist or has no CPUs", node);
		return false;
	}
	unsigned *v = build_alloc(d->b, (out->n + one.n) * sizeof(*v));
	if (!v)
		return false;
	if (out->n)
		memcpy(v, out->cpu, out->n * sizeof(*v));
	memcpy(v + out->n, one.cpu, one.n * sizeof(*v));
	out->cpu = v;
	out->n += one.n;
	qsort(v, out->n, sizeof(*v), place_cpu_order);
	unsigned unique = 0;
	for (unsigned i = 0; i < out->n; i++)
		if (!unique || v[unique - 1] != v[i])
			v[unique++] = v[i];
	out->n = unique;
	return true;
}

/* What is put together of several devices is near the first of them that is near anything. */
static int place_node_below(struct builder *b, const char *name)
{
	struct host_names below = {0};
	struct blockdev dev;

	if (blockdev_below(&b->host, name, b->arena, &below))
		return -1;
	for (unsigned i = 0; i < below.n; i++)
		if (!blockdev_of_name(&b->host, below.v[i], &dev) && dev.node >= 0)
			return dev.node;
	return -1;
}

int place_node(struct builder *b, const struct job_opts *o)
{
	const char *path = o->filename.n    ? o->filename.v[0]
			   : o->directory.n ? o->directory.v[0]
					    : ".";
	struct blockdev dev;

	if (path[0] != '/' && o->filename.n && o->directory.n)
		path = o->directory.v[0];
	if (blockdev_of_file(&b->host, path, &dev) < 0 &&
	    (!b->host.root[0] || blockdev_of_source(&b->host, path, &dev) < 0))
		return -1;
	return dev.node >= 0 ? dev.node : place_node_below(b, dev.name);
}

/* The CPUs near the device of the job's first target; without NUMA, or when the kernel does not
 * tell, all of them. */
static void place_near_device(struct draft *d, struct cpuset *out)
{
	int node = place_node(d->b, d->o);

	if (node < 0) {
		draft_reason(d, OPT_numa_cpu_nodes,
			     "any CPU: the NUMA node of the device is unknown");
		return;
	}
	place_add_node(d, (unsigned)node, out);
}

static void place_from_nodes(struct draft *d, struct cpuset *out)
{
	struct cpuset nodes = {NULL, 0};
	*out = (struct cpuset){NULL, 0};
	if (!strcmp(d->o->numa_cpu_nodes, "all"))
		return;
	if (!strcmp(d->o->numa_cpu_nodes, "device")) {
		place_near_device(d, out);
		return;
	}
	if (cpuset_parse(d->o->numa_cpu_nodes, d->b->arena, &nodes) || !nodes.n) {
		draft_error(d, ERR_USAGE, "numa-node", OPT_numa_cpu_nodes,
			    "use node numbers such as 0,2-3, or all, or device",
			    "numa_cpu_nodes=%s is not a list of NUMA nodes", d->o->numa_cpu_nodes);
		return;
	}
	for (unsigned i = 0; i < nodes.n; i++)
		if (!place_add_node(d, nodes.cpu[i], out))
			return;
}

/* Keep the CPUs this machine has. A job file written for a larger machine still runs as long as one
 * is left. */
static void place_keep_online(struct draft *d, enum job_opt opt, struct cpuset *cpus)
{
	struct cpuset online, both;
	char here[128];
	if (cpu_online(&d->b->host, d->b->arena, &online) ||
	    cpuset_both(cpus, &online, d->b->arena, &both))
		return;
	cpuset_print(&online, here, sizeof(here));
	if (!both.n) {
		draft_error(d, ERR_SETUP, "cpus-missing", opt, "choose CPUs that are online",
			    "none of the requested CPUs is online; online: %s", here);
		return;
	}
	if (both.n < cpus->n)
		draft_warn(
			d, "cpus-missing", opt, "",
			"%u of the %u requested CPUs are not online (online: %s); using the others",
			cpus->n - both.n, cpus->n, here);
	*cpus = both;
}

void place_init(struct draft *d)
{
	bool list = d->o->cpus_allowed.n > 0, mask = d->o->cpumask != 0;
	bool nodes = d->o->numa_cpu_nodes != NULL;
	enum job_opt opt = list ? OPT_cpus_allowed : mask ? OPT_cpumask : OPT_numa_cpu_nodes;

	d->cpus = (struct cpuset){NULL, 0};
	if (list + mask + nodes > 1) {
		draft_error(d, ERR_USAGE, "cpus-pair", nodes ? OPT_numa_cpu_nodes : OPT_cpumask,
			    "keep one of them",
			    "cpus_allowed, cpumask and numa_cpu_nodes exclude each other");
		return;
	}
	if (list)
		d->cpus = d->o->cpus_allowed;
	else if (mask)
		place_from_mask(d, &d->cpus);
	else if (nodes)
		place_from_nodes(d, &d->cpus);
	if (d->cpus.n)
		place_keep_online(d, opt, &d->cpus);
	if (!d->cpus.n && d->o->cpus_allowed_policy == CPUS_SPLIT &&
	    draft_own(d, "cpus_allowed_policy"))
		draft_warn(d, "unused", OPT_cpus_allowed_policy, "add cpus_allowed=LIST",
			   "cpus_allowed_policy=split has no effect without cpus_allowed");
}
