/* The page cache over a range of a file or block device: drop, fill, measure. Ranges are bytes; len
 * 0: to the end. */
#ifndef FATHOM_TARGET_CACHE_H
#define FATHOM_TARGET_CACHE_H

#include "base/must_check.h"
#include "target/sys.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Drop clean pages (posix_fadvise DONTNEED; a block device also gets BLKFLSBUF where we may).
 * flush: write dirty pages back first, since they cannot be dropped otherwise. Pages that others
 * map or lock stay: measure with cache_resident. 0 or -errno; other files than regular ones and
 * block devices: 0. */
MUST_CHECK int cache_drop(const struct sys_ops *sys, int fd, uint64_t offset, uint64_t len,
			  bool flush);
/* Read a range so that it is in the cache (pre_read). The end of the file ends it. *stop non-zero:
 * -EINTR. stop may be NULL. fd must not be O_DIRECT. */
MUST_CHECK int cache_fill(const struct sys_ops *sys, int fd, uint64_t offset, uint64_t len,
			  const atomic_int *stop);
/* Bytes of the range that are in the page cache, in whole pages but at most len: cachestat(2), else
 * mincore(2) (which tells only of files we own or may write). -ENOSYS, -EPERM, -errno when it
 * cannot be told. */
MUST_CHECK int cache_resident(int fd, uint64_t offset, uint64_t len, uint64_t *bytes);
/* The way of older kernels. */
MUST_CHECK int cache_resident_mincore(int fd, uint64_t offset, uint64_t len, uint64_t *bytes);

#endif
