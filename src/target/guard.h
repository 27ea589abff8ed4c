/* May this run write to (or trim) that device? Asked before anything is touched.
 *
 * Refused: the device, one of its partitions or its whole disk is mounted, used as swap, or held by
 * another driver (dm, md, ...; the message names what stands on top); the disk has partitions, or a
 * partition table the kernel has not read; the device is claimed by someone (O_EXCL fails).
 * allow_mounted_write=1 turns these into warnings. A read-only device is refused always.
 *
 * A signature that nothing uses (file system, swap, LUKS, RAID or LVM member, partition table) is
 * refused as well; allow_signature_write=1, --force or allow_mounted_write=1 turn it into a
 * warning. Regular files are looked at only for a loop device on them, which is then checked in
 * their place.
 */
#ifndef FATHOM_TARGET_GUARD_H
#define FATHOM_TARGET_GUARD_H

#include "base/err.h"
#include "base/must_check.h"
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

/* What may be written to all the same; GUARD_ALLOW_USED includes the other. */
enum { GUARD_ALLOW_USED = 1 /* allow_mounted_write */, GUARD_ALLOW_SIGNATURE = 2 };

#define GUARD_FINDINGS 16
struct guard_report {
	struct guard_finding v[GUARD_FINDINGS];
	unsigned n, more; /* more: findings that did not fit */
};

/* Check what path leads to. Block devices, and regular files with a loop device on them, are looked
 * at; anything else gives an empty report and 0. allow: GUARD_ALLOW_*. A device not refused by what
 * /sys and /proc tell is opened read-only (O_EXCL, closed again) for signatures and claims. 0: may
 * write (the report may hold warnings); -EBUSY or -EROFS with words naming the first refusal and
 * the number of others, and the option that allows it as remedy; -errno when it cannot be told. */
MUST_CHECK int guard_check(const struct host *h, const struct sys_ops *sys, const char *path,
			   unsigned allow, struct guard_report *out, struct err *err);
/* The part that reads /sys and /proc only, by kernel name; shown is how the user called it. */
MUST_CHECK int guard_check_name(const struct host *h, const char *name, const char *shown,
				unsigned allow, struct guard_report *out, struct err *err);

/* A signature on a device or image. */
struct guard_signature {
	char name[64];	/* "ext4 file system", "LVM2_member", "GPT partition table" */
	char label[64]; /* printable; "" none or not known */
	char uuid[64];
	bool table; /* it is a partition table */
};

/* What the device or image holds: by libblkid where the program is built with it, by our own table
 * where not, or where libblkid fails. False: nothing that is known. */
bool guard_signature(const struct sys_ops *sys, int fd, struct guard_signature *out);
/* Our own table; NULL: nothing. */
const char *guard_signature_table(const struct sys_ops *sys, int fd, bool *table);
/* libblkid's low-level probing: 1 found, 0 nothing, -errno failed or not built in (-ENOSYS). */
MUST_CHECK int guard_signature_blkid(int fd, struct guard_signature *out);

/* Keep others (mount, mkfs, pvcreate) away while the run lasts: an O_EXCL descriptor that the
 * caller closes at the end; opens without O_EXCL, as workers do, are not hindered. Check all
 * devices before the first claim: a claim of our own looks like anyone else's. -1 in *fd and 0 for
 * anything but a block device; -EBUSY with words. */
MUST_CHECK int guard_claim(const struct sys_ops *sys, const char *path, int *fd, struct err *err);
/* The same for all targets of a run. A device named twice, or a partition beside its whole disk, is
 * claimed once: fd[i] is -1 for the others and for all that are not block devices. allow
 * (allow_mounted_write): devices that are busy are left unclaimed. On failure nothing stays
 * claimed. */
MUST_CHECK int guard_claim_all(const struct host *h, const struct sys_ops *sys,
			       const char *const *path, unsigned n, bool allow, int *fd,
			       struct err *err);

#endif
