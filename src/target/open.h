/* How a worker opens a target. */
#ifndef FATHOM_TARGET_OPEN_H
#define FATHOM_TARGET_OPEN_H

#include "base/must_check.h"
#include "target/target.h"

struct target_open {
	const char *path;
	bool read, write;   /* at least one; trims need write */
	bool direct;	    /* O_DIRECT */
	enum opt_sync sync; /* O_SYNC or O_DSYNC, only when writing */
	bool create; /* make a missing regular file (create_on_open), mode 0600; never below /dev */
	bool exclusive; /* O_EXCL on an existing block device: fails with EBUSY while anything else
			   holds it */
	bool noatime;	/* left out by itself when the file is not ours */
	bool nonblock;	/* for fifos */
	enum opt_hint hint; /* posix_fadvise for the whole file; failures do not matter */
	bool random;	    /* what HINT_AUTO means for this job */
};

/* Open for a worker; *fd is the caller's to close. -errno with words: what was asked, on which file
 * system, what to do instead. Never truncates. */
MUST_CHECK int target_open(const struct sys_ops *sys, const struct target_open *o, int *fd,
			   struct err *err);

#endif
