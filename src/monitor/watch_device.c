#include "monitor/watch_device.h"
#include "host/blocktree.h"
#include "host/cpu.h"
#include "host/pcidev.h"
#include <assert.h>
#include <linux/mempolicy.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOOK_NS 10000000000ull

static void watch_device_add(struct watch_device *d, const char *disk)
{
	for (unsigned i = 0; i < d->n; i++)
		if (!strcmp(d->disk[i], disk))
			return;
	if (d->n < WATCH_DISKS)
		memcpy(d->disk[d->n++], disk, strlen(disk) + 1);
}

/* Disks of which nothing is built any further down; returns their node. */
static int watch_device_find_disks(const struct host *h, const char *name, struct arena *a,
				   struct watch_device *d)
{
	struct host_names names = {0};
	int node = -1;

	if (host_names_add(&names, a, name))
		return -1;
	IGNORE_RESULT(blockdev_below(h, name, a, &names)); /* then it is the device alone */
	for (unsigned i = 0; i < names.n; i++) {
		struct blockdev dev;
		struct host_names below = {0};
		if (blockdev_of_name(h, names.v[i], &dev) < 0)
			continue;
		/* A partition stands for its disk; layers have no thermometer and no node. */
		if (!dev.partition && !dev.hidden &&
		    (blockdev_slaves(h, names.v[i], a, &below) < 0 || below.n))
			continue;
		if (d->n && dev.node != node)
			node = -1;
		else
			node = dev.node;
		watch_device_add(d, dev.disk);
	}
	return node;
}

void watch_device_open(const struct host *h, const char *name, const struct cpuset *allowed,
		       struct watch_device *d)
{
	struct cpuset of_node, near;
	struct arena a;

	assert(h && name);
	*d = (struct watch_device){.node = -1, .looked_ns = UINT64_MAX};
	arena_init(&a, 1 << 20);
	int node = watch_device_find_disks(h, name, &a, d);
	if (node >= 0 && cpu_nodes(h) > 1) {
		d->node = node;
		if (!cpu_of_node(h, (unsigned)node, &a, &of_node) &&
		    !cpuset_both(&of_node, allowed, &a, &near))
			cpuset_print(&near, d->near, sizeof(d->near));
	}
	arena_release(&a);
}

/* How far below its limit, thousandths of a degree; one without a limit is never close. */
static int64_t watch_device_margin(const struct temperature *t)
{
	int64_t limit = temperature_limit(t);

	return limit ? limit - t->now_mc : INT64_MAX - t->now_mc;
}

void watch_device_look(const struct host *h, struct watch_device *d, uint64_t now)
{
	int64_t closest = INT64_MAX;

	if (d->looked_ns != UINT64_MAX && now - d->looked_ns < LOOK_NS)
		return;
	d->looked_ns = now;
	d->milli_c = d->limit_milli_c = 0;
	for (unsigned i = 0; i < d->n; i++) {
		struct temperature t;
		if (pcidev_temperature(h, d->disk[i], &t) < 0 || t.now_mc <= 0 ||
		    watch_device_margin(&t) >= closest)
			continue;
		closest = watch_device_margin(&t);
		d->milli_c = (uint64_t)t.now_mc;
		d->limit_milli_c = (uint64_t)temperature_limit(&t);
		memcpy(d->hottest, d->disk[i], sizeof(d->hottest));
	}
}

bool watch_device_hot(const struct watch_device *d)
{
	return d->limit_milli_c && d->milli_c >= d->limit_milli_c;
}

bool watch_throttled(const struct host *h, unsigned cpu, uint64_t *times)
{
	uint64_t core, package = 0;

	if (host_read_u64(h, &core,
			  "/sys/devices/system/cpu/cpu%u/thermal_throttle/core_throttle_count",
			  cpu) < 0)
		return false;
	IGNORE_RESULT(host_read_u64(
		h, &package,
		"/sys/devices/system/cpu/cpu%u/thermal_throttle/package_throttle_count", cpu));
	*times = core + package;
	return true;
}

int watch_memory_node(const void *page)
{
	int node = -1;

	if (!page || syscall(SYS_get_mempolicy, &node, NULL, 0, page, MPOL_F_NODE | MPOL_F_ADDR))
		return -1;
	return node;
}
