/* What a command is to look at: a device, a file, or the jobs of a file. */
#ifndef FATHOM_CMD_SUBJECT_H
#define FATHOM_CMD_SUBJECT_H

#include "base/must_check.h"
#include "cmd/cmd.h"
#include "host/blockdev.h"

struct subject {
	struct blockdev dev;
	const char *device; /* kernel name, NULL when it is no device */
	const char *path;   /* a file or folder, or NULL */
	struct plan *plan;  /* of a job file, or NULL */
};

/* The words of a command that looks at a subject. */
struct subject_words {
	const char *command, *usage; /* for messages */
	/* An option of the command's own: 1 it is one, 0 it is none, -EINVAL after complaining. */
	int (*option)(void *ctx, const char *word);
	void *ctx;
	const char *what;    /* found: the argument, NULL without */
	const char *sysroot; /* "" for this machine */
	bool json, help;
};

/* "error: COMMAND: textword" and the usage, to standard error; -EINVAL. */
int subject_wrong(const struct subject_words *s, const char *text, const char *word);
/* Goes through the arguments. 0, or -EINVAL and it was said why. */
MUST_CHECK int subject_parse(struct subject_words *s, int argc, char **argv);
/* Opens the session. what: the argument, NULL for none; command: the word for messages. 0; else the
 * exit status, and it was said why. Planning opens nothing for writing. */
MUST_CHECK int subject_find(struct session *s, const char *command, char *program, const char *what,
			    const struct host *h, struct subject *out);

#endif
