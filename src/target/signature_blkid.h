/* libblkid's answer to what stands on a device. */
#ifndef FATHOM_TARGET_SIGNATURE_BLKID_H
#define FATHOM_TARGET_SIGNATURE_BLKID_H

#include "base/must_check.h"
#include "target/signature.h"

/* libblkid's low-level probing: 1 found, 0 nothing, -errno failed or not built in (-ENOSYS). */
MUST_CHECK int guard_signature_blkid(int fd, struct guard_signature *out);

#endif
