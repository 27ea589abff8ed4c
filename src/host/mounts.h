/* The mount table and the swap table of this process: /proc/self/mountinfo (proc(5)) and
 * /proc/swaps. */
#ifndef FATHOM_HOST_MOUNTS_H
#define FATHOM_HOST_MOUNTS_H

#include "base/arena.h"
#include "base/must_check.h"
#include "host/host.h"

struct mount {
	uint64_t id;
	unsigned major, minor; /* st_dev of its files; major 0: anonymous */
	const char *point;     /* where it is mounted, \040 and the like decoded */
	const char *fstype;    /* "ext4", "fuse.sshfs" */
	const char *source;    /* "/dev/sda1", "tmpfs", ... */
	const char *options;   /* mount options of this mount, "rw,noatime" */
	const char *super;     /* options of the file system */
};

struct mounts {
	struct mount *v; /* in the order of the kernel; later ones cover earlier ones; owned by the
			    arena */
	unsigned n;
	const char **swap; /* file or device names in use as swap */
	unsigned swaps;
};

/* Read both tables. -errno when there is no mountinfo; a missing swap table counts as empty. Lines
 * that cannot be understood are left out. */
MUST_CHECK int mounts_read(const struct host *h, struct arena *a, struct mounts *out);
/* The last mount of a device number, or whose source is the device of that name (btrfs); NULL when
 * not mounted. Sources that are symbolic links (/dev/mapper/x) are resolved through /sys where a
 * name is given. */
const struct mount *mounts_find_device(const struct host *h, const struct mounts *m, unsigned major,
				       unsigned minor, const char *name);
/* By mount id, or (id 0 or unknown) the deepest mount that contains the absolute path. NULL when
 * none. */
const struct mount *mounts_find_path(const struct mounts *m, uint64_t id, const char *path);
/* Is the device of this number or kernel name used as swap? */
bool mounts_is_swap(const struct host *h, const struct mounts *m, unsigned major, unsigned minor,
		    const char *name);

#endif
