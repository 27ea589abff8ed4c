/* A file that always holds the newest page, for collectors that read files: each page is written
 * beside it and takes its name when it is complete (base/newfile).
 *
 * A thread writes, so that textfile_publish() never waits for the disk; a page that is not begun
 * when the next one comes is skipped. The other functions are for one thread. */
#ifndef FATHOM_LIVE_TEXTFILE_H
#define FATHOM_LIVE_TEXTFILE_H

#include "base/err.h"
#include "base/must_check.h"
#include <stddef.h>

struct textfile;

/* Check that the file can be created or replaced, start the thread. Nothing has the name before the
 * first page. -errno with text. */
MUST_CHECK int textfile_open(const char *path, struct textfile **out, struct err *err);
/* A new page, malloc'ed; the thread owns it. */
void textfile_publish(struct textfile *t, char *text, size_t n);
/* 0, or the positive errno of the first page that could not be written; later ones are tried. */
int textfile_error(struct textfile *t);
/* Write the last page, waiting up to grace_ms for it, and end the thread. The file stays. */
void textfile_close(struct textfile *t, unsigned grace_ms);

#endif
