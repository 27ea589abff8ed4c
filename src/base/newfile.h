/* A file that appears under its name only when it is complete: it is written beside it, as
 * NAME.PID.part, and takes the name in the end. What stood there before stays until then.
 *
 * Written in place are what cannot be replaced: devices, FIFOs, names below /dev and /proc,
 * symbolic links, files with several links or of another user, and files in a folder that takes no
 * new ones.
 */
#ifndef FATHOM_BASE_NEWFILE_H
#define FATHOM_BASE_NEWFILE_H

#include "base/must_check.h"
#include <sys/types.h>

struct newfile {
	char *part; /* the name meanwhile, owned; NULL: written in place */
	int fd;	    /* the caller's, who closes it */
};

/* Opens for writing with O_APPEND; a new file gets `mode` without the bits of the umask, one that
 * takes the place of another that one's mode. A file written in place is created but not truncated.
 * 0 or -errno; f is set on success only. */
MUST_CHECK int newfile_open(struct newfile *f, const char *path, mode_t mode);
/* Gives it its name. 0 or -errno, and then nothing of it is left. Releases f->part. */
MUST_CHECK int newfile_finish(struct newfile *f, const char *path);
/* Removes it; one written in place stays as it is. Releases f->part. */
void newfile_drop(struct newfile *f);

#endif
