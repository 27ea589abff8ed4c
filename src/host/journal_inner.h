/* Inside of the journal: its memory and its file. Not for other folders. */
#ifndef FATHOM_HOST_JOURNAL_INNER_H
#define FATHOM_HOST_JOURNAL_INNER_H

#include "base/arena.h"
#include "base/must_check.h"
#include "host/journal.h"

struct journal {
	const struct host *h;
	char path[HOST_PATH_MAX]; /* of the file, the root included */
	int fd;			  /* locked */
	struct arena a;
	struct journal_entry *v;
	unsigned n, room;
	bool force;
	void (*step)(void *ctx);
	void *step_ctx;
};

/* The folder of the journals. -ENAMETOOLONG. */
MUST_CHECK int journal_folder(const struct host *h, char *buf, size_t size);
/* A file of it by its name; create: also make folder and file. -EBUSY, -EACCES, -ENOENT. */
MUST_CHECK int journal_load(const struct host *h, const char *name, bool create,
			    struct journal **out);
/* Close the file, which goes unless it is kept, and free the journal. */
void journal_unload(struct journal *j, bool keep);
/* The start of a process, field 22 of /proc/PID/stat below a root. -ENOENT when it is gone. */
MUST_CHECK int journal_task_start(const struct host *h, pid_t pid, uint64_t *out);

/* Append a record and flush it. */
MUST_CHECK int journal_record(struct journal *j, const struct journal_entry *e);
/* Note that the i-th change is undone ('u'), or that it was said that it is not ('f'). */
MUST_CHECK int journal_mark(struct journal *j, unsigned i, char mark);
void journal_step(struct journal *j);

#endif
