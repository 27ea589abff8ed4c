/* Plain files below /dev that look like a mistyped device. */
#ifndef FATHOM_TARGET_DEVGUARD_H
#define FATHOM_TARGET_DEVGUARD_H

#include "base/must_check.h"
#include "base/err.h"
#include "target/sys.h"
#include <stdbool.h>

/* Would making this file put a plain file below /dev? (/dev/shm, /dev/mqueue and /dev/hugepages are
 * file systems for files.) Symbolic links of the folders are followed. -EPERM with words that say
 * it looks like a mistyped device; 0 otherwise, also when the path exists. */
MUST_CHECK int target_guard_dev(const struct sys_ops *sys, const char *path, struct err *err);

#endif
