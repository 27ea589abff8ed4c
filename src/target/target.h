/* One file or device that a job names: what it is, and how a worker opens it. Thread safe; paths
 * are the caller's. */
#ifndef FATHOM_TARGET_TARGET_H
#define FATHOM_TARGET_TARGET_H

#include "base/err.h"
#include "base/must_check.h"
#include "conf/value.h"
#include "host/host.h"
#include "target/sys.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum target_kind {
	TARGET_MISSING,
	TARGET_REGULAR,
	TARGET_BLOCK,
	TARGET_CHAR,
	TARGET_FIFO,
	TARGET_SOCKET,
	TARGET_DIRECTORY
};

enum target_direct { TARGET_DIRECT_UNKNOWN, TARGET_DIRECT_YES, TARGET_DIRECT_NO };

struct target_info {
	const char *path; /* the pointer given */
	enum target_kind kind;
	uint64_t size;	    /* bytes: apparent size of a file, capacity of a block device, else 0 */
	uint64_t allocated; /* bytes of disk space a regular file occupies (st_blocks x 512) */
	dev_t dev, rdev;    /* of the file system; of the device itself */
	ino_t ino;
	uint64_t mount_id; /* of mountinfo, 0 unknown */
	char fs[32]; /* type of the file system the file lives on, or would be made on; "" unknown
		      */
	enum target_direct
		direct;	    /* does O_DIRECT work? what statx says, UNKNOWN when it does not say */
	unsigned alignment; /* of offset and length for direct I/O, bytes, at least 1; a guess of
			       512 (files) or the logical block size (devices) when statx is silent;
			       1 for others */
	unsigned memory_alignment; /* of buffers for direct I/O */
	bool alignment_known;	   /* statx or the device said so */
	bool read_only;		   /* block device marked read-only, or file system mounted so */
};

const char *target_kind_word(enum target_kind k); /* "regular file", "block device", ... */

/* Find out about path; nothing is opened for writing. Devices of a recorded machine (a root that is
 * not ours) are described as its /sys has them. A missing file is no error (kind MISSING; fs
 * of the deepest folder that exists). -errno with words when it cannot be told (EACCES on a folder,
 * ELOOP, ENOTDIR). */
MUST_CHECK int target_probe(const struct host *h, const struct sys_ops *sys, const char *path,
			    struct target_info *out, struct err *err);
/* Can direct I/O of this block size work there? 0, or -EINVAL with words that name the alignment
 * and the file system. */
MUST_CHECK int target_check_direct(const struct target_info *t, uint64_t block, struct err *err);

#endif
