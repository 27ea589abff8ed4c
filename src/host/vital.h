/* Disks this system stands on: those that hold its root file system or its swap space, at any depth
 * (partitions, dm, md, other disks of the same btrfs). Nobody turns their knobs for a measurement.
 */
#ifndef FATHOM_HOST_VITAL_H
#define FATHOM_HOST_VITAL_H

#include "base/must_check.h"
#include "host/blockdev.h"

struct vital {
	struct host_names root, swap; /* devices down to the disks */
	bool known; /* false: the mount table cannot be read, or the root file system is on disks
		       that it does not name (zfs) */
};
/* Lists live in the arena. -ENOMEM. */
MUST_CHECK int vital_read(const struct host *h, struct arena *a, struct vital *out);
/* What the system has on the disk: "the root file system", "swap space"; NULL nothing. */
const char *vital_on(const struct vital *v, const char *disk);

#endif
