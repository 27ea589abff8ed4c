/* The type of a file system by the magic number of statfs(2), as messages call it. Reads only, safe
 * from any thread. */
#ifndef FATHOM_TARGET_FSNAME_H
#define FATHOM_TARGET_FSNAME_H

#include "base/must_check.h"
#include <stdbool.h>
#include <stddef.h>

/* Name of the type of the file system that holds path ("ext4", "tmpfs"; the number in hex when it
 * has no name here). *read_only (may be NULL): it is mounted so. -errno; outputs untouched then. */
MUST_CHECK int fsname_of_path(const char *path, char *buf, size_t size, bool *read_only);

#endif
