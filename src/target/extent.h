/* What a range of a regular file is made of. Reads of holes and of unwritten (preallocated) extents
 * never touch the medium, so a benchmark over them measures memory. */
#ifndef FATHOM_TARGET_EXTENT_H
#define FATHOM_TARGET_EXTENT_H

#include "base/must_check.h"
#include "target/sys.h"
#include <stdbool.h>
#include <stdint.h>

struct extent_share {
	uint64_t data;	    /* bytes that were written */
	uint64_t hole;	    /* bytes without space behind them, and beyond the end of the file */
	uint64_t unwritten; /* bytes allocated but never written */
	bool exact; /* FIEMAP was used; otherwise SEEK_HOLE, which shows unwritten extents as holes
		     */
};

/* Measure [offset, offset + len) of fd. flush: have dirty pages written back first; without it data
 * that are only in the page cache over preallocated space count as unwritten. data + hole +
 * unwritten = len. -EOPNOTSUPP when the file system tells neither way, or for anything but a
 * regular file; -errno. */
MUST_CHECK int extent_measure(const struct sys_ops *sys, int fd, uint64_t offset, uint64_t len,
			      bool flush, struct extent_share *out);

#endif
