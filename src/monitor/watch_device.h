/* What the watcher asks about the disks below a job: how hot they are, and on which NUMA node they
 * sit. All of it from files below the host's root. */
#ifndef FATHOM_MONITOR_WATCH_DEVICE_H
#define FATHOM_MONITOR_WATCH_DEVICE_H

#include "base/cpuset.h"
#include "base/must_check.h"
#include "host/blockdev.h"
#include "result/watched.h"

#define WATCH_DISKS 8u

struct watch_device {
	unsigned n;
	char disk[WATCH_DISKS][BLOCKDEV_NAME]; /* whole disks at the bottom */
	int node;      /* of all of them; -1 unknown, there is one node only, or they differ */
	char near[96]; /* CPUs of that node the process may use, one list */
	/* As of the last look. */
	uint64_t milli_c, limit_milli_c; /* of the disk closest to its limit; 0 unknown */
	char hottest[BLOCKDEV_NAME];
	uint64_t looked_ns; /* when; UINT64_MAX: never */
};

/* name: kernel name of what the job uses (dm, md, a partition, a disk). */
void watch_device_open(const struct host *h, const char *name, const struct cpuset *allowed,
		       struct watch_device *d);
/* Ask for the temperatures unless that was done less than ten seconds ago: a drive reads its health
 * log for an answer. */
void watch_device_look(const struct host *h, struct watch_device *d, uint64_t now);
bool watch_device_hot(const struct watch_device *d);
/* Times this CPU slowed itself down for heat so far, with its package's; false: it does not tell.
 */
bool watch_throttled(const struct host *h, unsigned cpu, uint64_t *times);
/* The node of a page of this process, -1 unknown. */
MUST_CHECK int watch_memory_node(const void *page);

#endif
