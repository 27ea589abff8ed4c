/* May this run write to (or trim) that device? Asked before anything is touched.
 *
 * Refused: the device, one of its partitions or its whole disk is mounted, used as swap, or held by
 * another driver (dm, md, ...; the message names what stands on top); the disk has partitions, or a
 * partition table the kernel has not read; the device is claimed by someone (O_EXCL fails).
 * allow_mounted_write=1 turns these into warnings. A read-only device is refused always. A
 * file-system signature (or RAID, LVM, LUKS, swap) that nothing uses is a warning only.
 */
#ifndef FATHOM_TARGET_GUARD_H
#define FATHOM_TARGET_GUARD_H

#include "base/err.h"
#include "host/host.h"
#include "target/sys.h"
#include <stdbool.h>

enum guard_kind {
	GUARD_MOUNTED,
	GUARD_SWAP,
	GUARD_HELD,
	GUARD_PARTITIONED,
	GUARD_CLAIMED,
	GUARD_READ_ONLY,
	GUARD_SIGNATURE
};

struct guard_finding {
	enum guard_kind kind;
	bool refused;	/* false: say it as a warning */
	char text[256]; /* "/dev/sda: partition sda2 is mounted on /home" */
};

#define GUARD_FINDINGS 16
struct guard_report {
	struct guard_finding v[GUARD_FINDINGS];
	unsigned n, more; /* more: findings that did not fit */
};

/* Check what path leads to. Only block devices are looked at; anything else gives an empty report
 * and 0. allow: allow_mounted_write. A device not refused by what /sys and /proc tell is opened
 * read-only (O_EXCL, closed again) for signatures and claims. 0: may write (the report may hold
 * warnings); -EBUSY or -EROFS with words naming the first refusal and the number of others, remedy
 * allow_mounted_write=1; -errno when it cannot be told. */
int guard_check(const struct host *h, const struct sys_ops *sys, const char *path, bool allow,
		struct guard_report *out, struct err *err);
/* The part that reads /sys and /proc only, by kernel name; shown is how the user called it. */
int guard_check_name(const struct host *h, const char *name, const char *shown, bool allow,
		     struct guard_report *out, struct err *err);
/* The name of the signature at the start of a device or image ("ext4", "xfs", "LVM2 member", "GPT
 * partition table"), or NULL. *table: it is a partition table. */
const char *guard_signature(const struct sys_ops *sys, int fd, bool *table);

/* Keep others (mount, mkfs, pvcreate) away while the run lasts: an O_EXCL descriptor that the
 * caller closes at the end; opens without O_EXCL, as workers do, are not hindered. Check all
 * devices before the first claim: a claim of our own looks like anyone else's. -1 in *fd and 0 for
 * anything but a block device; -EBUSY with words. */
int guard_claim(const struct sys_ops *sys, const char *path, int *fd, struct err *err);
/* The same for all targets of a run. A device named twice, or a partition beside its whole disk, is
 * claimed once: fd[i] is -1 for the others and for all that are not block devices. allow
 * (allow_mounted_write): devices that are busy are left unclaimed. On failure nothing stays
 * claimed. */
int guard_claim_all(const struct host *h, const struct sys_ops *sys, const char *const *path,
		    unsigned n, bool allow, int *fd, struct err *err);

#endif
