/* Exclusive descriptors for the length of a run: others (mount, mkfs, pvcreate) are kept away,
 * opens without O_EXCL, as workers do, are not hindered. Check all devices (guard.h) before the
 * first claim: a claim of our own looks like anyone else's. */
#ifndef FATHOM_TARGET_CLAIM_H
#define FATHOM_TARGET_CLAIM_H

#include "base/err.h"
#include "base/must_check.h"
#include "host/host.h"
#include "target/sys.h"

/* Claim all targets of a run; the caller closes fd[] at the end. A device named twice, or a
 * partition beside its whole disk, is claimed once: fd[i] is -1 for the others and for all that are
 * not block devices. allow (allow_mounted_write): devices that are busy are left unclaimed, else
 * -EBUSY with words. On failure nothing stays claimed. */
MUST_CHECK int guard_claim_all(const struct host *h, const struct sys_ops *sys,
			       const char *const *path, unsigned n, bool allow, int *fd,
			       struct err *err);

#endif
