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

#endif
