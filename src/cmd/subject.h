/* What a command is to look at: a device, a file, or the jobs of a file. */
#ifndef FATHOM_CMD_SUBJECT_H
#define FATHOM_CMD_SUBJECT_H

#include "cmd/cmd.h"
#include "host/blockdev.h"

struct subject {
	struct blockdev dev;
	const char *device; /* kernel name, NULL when it is no device */
	const char *path;   /* a file or folder, or NULL */
	struct plan *plan;  /* of a job file, or NULL */
};

/* Opens the session. what: the argument, NULL for none; command: the word for messages. 0; else the
 * exit status, and it was said why. Planning opens nothing for writing. */
int subject_find(struct session *s, const char *command, char *program, const char *what,
		 const struct host *h, struct subject *out);

#endif
