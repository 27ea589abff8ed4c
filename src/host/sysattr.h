/* A file of /sys or /proc that is read and written as one value: a attribute.
 *
 * Texts are as the kernel prints them, a newline at the end included. Below a root that is not this
 * machine the file afterwards holds what the kernel would show. */
#ifndef FATHOM_HOST_SYSATTR_H
#define FATHOM_HOST_SYSATTR_H

#include "base/arena.h"
#include "base/must_check.h"
#include "host/host.h"

/* The longest text of a attribute; longer ones give -E2BIG. */
#define SYSATTR_MAX 4096

/* The exact text, in the arena. -errno (-ENOENT: there is no such attribute). */
MUST_CHECK int sysattr_read(const struct host *h, const char *path, struct arena *a,
			    const char **text);
/* Turn it to `word`. was: its text as read before; NULL when unknown. -errno: that of the kernel
 * when it refuses. Does not look whether the word has been taken. */
MUST_CHECK int sysattr_write(const struct host *h, const char *path, const char *was,
			     const char *word);
/* Turn it back to an exact text that was read from it. */
MUST_CHECK int sysattr_restore(const struct host *h, const char *path, const char *text);

/* What is in force: "none" of "[none] mq-deadline\n", else the text without the blanks around it.
 * -ENAMETOOLONG. */
MUST_CHECK int sysattr_active(const char *text, char *word, size_t size);
/* Does a attribute with this text have that setting? Choices in brackets, lists of CPUs ("0-2" is
 * "0,1,2") and masks ("f" is "00000000,0000000f") are understood; "+word" and "-word" ask whether a
 * list of words has it (cgroup.subtree_control). */
bool sysattr_is(const char *text, const char *setting);
/* Is it "+word" or "-word"? */
bool sysattr_is_switch(const char *setting);

#endif
