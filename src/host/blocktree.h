/* How block devices stand on each other, as /sys shows it. Names are those of blockdev.h.
 *
 * Lists are appended to, each name once; they return 0 (also when nothing is found), -ENOENT (no
 * such device) or -ENOMEM. */
#ifndef FATHOM_HOST_BLOCKTREE_H
#define FATHOM_HOST_BLOCKTREE_H

#include "base/must_check.h"
#include "host/blockdev.h"

/* Partitions of a whole disk. */
MUST_CHECK int blockdev_partitions(const struct host *h, const char *disk, struct arena *a,
				   struct host_names *out);
/* Devices built on this one (dm, md, bcache, loop), one level. Those of its partitions are not
 * included. */
MUST_CHECK int blockdev_holders(const struct host *h, const char *name, struct arena *a,
				struct host_names *out);
/* Devices this one is built of, one level: slaves of dm and md, hidden paths of a multipath NVMe
 * device. */
MUST_CHECK int blockdev_slaves(const struct host *h, const char *name, struct arena *a,
			       struct host_names *out);
/* All devices below this one, to the bottom, parents first, each once, without itself; a
 * partition's own disk is included. For disk statistics. */
MUST_CHECK int blockdev_below(const struct host *h, const char *name, struct arena *a,
			      struct host_names *out);

#endif
