/* Bring files to the size a job needs before it runs (compatibility 5.9, but kind to data).
 *
 * Existing bytes are never unlinked, truncated or overwritten, and holes within the old size are
 * not filled: a file is extended beyond its old end or the call fails. On failure or stop what this
 * call made is taken back: a new file is unlinked, an extended one cut to its old size, folders it
 * made are removed. When a later step of the run fails before any worker has written, layout_undo
 * does the same for finished files.
 *
 * Different files may be laid out by several threads at once; one path must be given once only.
 */
#ifndef FATHOM_TARGET_LAYOUT_H
#define FATHOM_TARGET_LAYOUT_H

#include "base/err.h"
#include "base/must_check.h"
#include "conf/value.h"
#include "target/sys.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What the run wants; shared by all files, const while they are laid out. */
struct layout {
	const struct sys_ops *sys; /* NULL: real */
	bool may_create; /* allow_file_create (and not --readonly): make missing files, extend short
			    ones */
	bool fsync;	 /* create_fsync; of files that get data */
	bool enospc_ok;	 /* fill_device: a full file system ends the layout without error */
	size_t block;	 /* bytes a write, 0: 1 MiB */
	uint64_t seed;	 /* of the data */
	const atomic_int *stop; /* non-zero: give up within one write; may be NULL */
	/* Called from the thread that lays out after each write; may be NULL. bytes: written since
	 * the last call. */
	void (*progress)(void *ctx, uint64_t bytes);
	void *progress_ctx;
};

struct layout_file {
	const char *path;
	uint64_t size; /* wanted end, bytes */
	bool fill; /* the job reads, or overwrite=1: write incompressible data through; else only
		      preallocate as fallocate says */
	enum opt_fallocate
		fallocate; /* NATIVE and POSIX give up silently where the file system cannot; KEEP
			     reserves space but leaves the size; TRUNCATE makes the size
			     without space; NONE only makes the file (fio does the same) */
	unsigned mode;	   /* of a new file, 0: 0644; folders are made with 0700 */

	/* Set by layout_file; init to 0. */
	uint64_t old_size; /* before; 0 for a new file */
	uint64_t new_size; /* after */
	uint64_t written;  /* bytes of data written */
	bool created, extended;
	bool full;     /* the file system was full (enospc_ok) */
	unsigned dirs; /* innermost folders of path that were made */
	dev_t dev;
	ino_t ino;
};

/* Lay out one file. A file that is large enough, a device or a fifo is left alone (0). -errno with
 * words: -ENOENT / -ENOSPC (ENOENT: may not create; EFBIG: may not extend, wanted and found size
 * named), -ENOSPC, -EINTR (stop, class ERR_INTERRUPTED), -EPERM (below /dev), ... */
MUST_CHECK int layout_file(const struct layout *l, struct layout_file *f, struct err *err);
/* Take back what layout_file did for f, if the path is still the same file and still of the size it
 * was given (someone else may have written since). Does nothing when neither created nor extended.
 * -errno when that failed. */
MUST_CHECK int layout_undo(const struct layout *l, struct layout_file *f);

#endif
