/* Changes to the machine that can be taken back exactly, also by another process after a kill -9.
 *
 * Each change is written to a file of its owner, which is flushed, before it is made. The files lie
 * in <root>/run/fathom, or where the environment variable FATHOM_STATE_DIR says; like the changes,
 * /run does not outlive a boot. An owner is "tune" (until `fathom tune --restore`), or a process,
 * named by its number and start: its changes may be taken back by anybody once it is gone. One
 * handle at a time uses a file: a process that opens its own a second time gets another one, to be
 * undone before the first. Handles are used by one thread.
 *
 * Files are text, a record a line: "w path old new", "k path old", "m folder", "t pid start from
 * to" for changes, "u number" once one is undone, "f number" once it was said that it cannot be;
 * fields separated by tabs, with \\ \n \t escaped. A last line that was cut off is of a change that
 * was not made. */
#ifndef FATHOM_HOST_JOURNAL_H
#define FATHOM_HOST_JOURNAL_H

#include "base/err.h"
#include "base/must_check.h"
#include "base/str.h"
#include "host/host.h"
#include <sys/types.h>

struct journal;

/* Open the journal of an owner, NULL: of this process; made when it is not there, after which its
 * changes of before are part of it. -EBUSY: another process uses it; -EACCES: no right to the
 * folder. */
MUST_CHECK int journal_open(const struct host *h, const char *owner, struct journal **out,
			    struct err *err);
/* The same when it is there already; -ENOENT (err untouched) when it is not: nothing is changed. */
MUST_CHECK int journal_open_existing(const struct host *h, const char *owner, struct journal **out,
				     struct err *err);
/* The file is kept unless it holds no change. NULL is allowed. */
void journal_close(struct journal *j);

/* Write `text` to a attribute (host/attribute.h) at `path`, which is without the root. Nothing
 * happens when it has that setting. 0; -errno of the kernel; -EIO when it was accepted and did not
 * take (the old value is written back). */
MUST_CHECK int journal_write(struct journal *j, const char *path, const char *text,
			     struct err *err);
/* Remember a attribute that the next change through this journal will set to something else on the
 * way (a scheduler its depth): it is given back after that change is. */
MUST_CHECK int journal_keep(struct journal *j, const char *path, struct err *err);
/* Make a folder (of a control group). -EEXIST: it is not ours. Undone after what is in it; tasks
 * left in it go to the group above. */
MUST_CHECK int journal_mkdir(struct journal *j, const char *path, struct err *err);
/* Move a process from one control group to another (folders, "/sys/fs/cgroup/a"). Undone when it is
 * still the same process and still there. -ESRCH. */
MUST_CHECK int journal_move(struct journal *j, pid_t task, const char *from_cgroup,
			    const char *to_cgroup, struct err *err);

/* From here on undo also what somebody else changed since. */
void journal_force(struct journal *j);

enum journal_kind { JOURNAL_WRITE, JOURNAL_KEEP, JOURNAL_MKDIR, JOURNAL_MOVE };
struct journal_entry {
	enum journal_kind kind;
	const char *path;      /* of a move: the group it came from */
	const char *from, *to; /* write, keep: exact text before, text written; move: from, to */
	pid_t task;	       /* move */
	uint64_t start;	       /* move: of the task, field 22 of its stat */
	bool undone, said;
};
/* The i-th change that is still in force, in order; NULL behind the last. Owned by the journal. */
const struct journal_entry *journal_entry(const struct journal *j, unsigned i);

/* For tests: called between any two steps that leave a trace. */
void journal_on_step(struct journal *j, void (*step)(void *ctx), void *ctx);

#endif
