/* A file that text is appended to in large pieces. The buffer exists from the first text on. Few
 * sinks keep their file open; with many (hundreds of clones with logs) the file is opened for each
 * piece, so that descriptors do not run out. */
#ifndef FATHOM_LOG_LOGSINK_H
#define FATHOM_LOG_LOGSINK_H

#include "base/err.h"
#include "base/must_check.h"
#include "base/newfile.h"
#include <stdbool.h>
#include <stddef.h>

#define LOGSINK_BUFFER 65536

struct logsink {
	char *path;
	struct newfile new;
	int fd; /* -1: opened for each piece */
	bool truncate;
	bool created; /* the file was not there before */
	char *buf;
	size_t used;
	int failed; /* -errno of the first failure; nothing is written after it */
};

/* Create the file if needed: with truncate a new one, which takes its name in logsink_finish, else
 * text is appended to what there is. One written in place (base/newfile) is not truncated before
 * logsink_begin. path is taken over, and freed by release. */
MUST_CHECK int logsink_open(struct logsink *s, char *path, bool truncate, bool keep_open,
			    struct err *err);
MUST_CHECK int logsink_begin(struct logsink *s, struct err *err);
/* Room for n bytes (n <= LOGSINK_BUFFER) at the end of the buffer; NULL after a failure. */
MUST_CHECK char *logsink_room(struct logsink *s, size_t n);
void logsink_advance(struct logsink *s, const char *end);
int logsink_flush(struct logsink *s);
/* Flushes and closes; a new file takes its name when all of it could be written. 0 or -errno. */
MUST_CHECK int logsink_finish(struct logsink *s);
/* Append n bytes; much at once goes to the file without a copy. */
void logsink_put(struct logsink *s, const void *data, size_t n);
/* Without flushing; what has not taken its name is removed. undo: also one written in place, if
 * this sink created it. */
void logsink_release(struct logsink *s, bool undo);

#endif
