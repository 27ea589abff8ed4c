/* Disks this system stands on: those that hold its root file system or its swap space, at any depth
 * (partitions, dm, md, other disks of the same btrfs). Nobody turns their settings for a
 * measurement.
 */
#ifndef FATHOM_HOST_SYSTEM_DISKS_H
#define FATHOM_HOST_SYSTEM_DISKS_H

#include "base/must_check.h"
#include "host/blockdev.h"

struct system_disks {
	struct host_names root, swap; /* devices down to the disks */
	bool known; /* false: the mount table cannot be read, or the root file system is on disks
		       that it does not name (zfs) */
};
/* Lists live in the arena. -ENOMEM. */
MUST_CHECK int system_disks_read(const struct host *h, struct arena *a, struct system_disks *out);
/* What the system has on the disk: "the root file system", "swap space"; NULL nothing. */
const char *system_disks_use(const struct system_disks *v, const char *disk);

#endif
