/* What the parts of logs share: files are opened in logs.c, lines go there in logs_write.c, single
 * I/Os in logs_ios.c. */
#ifndef FATHOM_LOG_LOGS_OWN_H
#define FATHOM_LOG_LOGS_OWN_H

#include "base/must_check.h"
#include "log/logline.h"
#include "log/logs.h"
#include "log/logs_write.h"
#include "log/logs_ios.h"
#include "log/logsink.h"
#include "log/logspool.h"

struct log_job {
	const struct plan_job *plan;
	int sink[LOGK_KINDS]; /* -1: none */
	struct logline_style style;
	unsigned each;	      /* kinds that have a line for each I/O: bits 1 << LOGK_* */
	int binary;	      /* sink of blocks as they are, -1: none */
	struct logline_io io; /* of the last I/O */
	bool windows;	      /* few lines, each of interest at once */
	unsigned coarseness;
	size_t *path_len; /* of the job's files, for the iolog */
};

struct logs {
	struct log_job *jobs;
	unsigned jobs_n;
	struct logsink *sinks;
	unsigned sinks_n, room;
	int bandwidth[DIRS];   /* sinks of --bandwidth-log, -1: none */
	struct logspool spool; /* text that was put off */
};

static inline void logs_note(int *rc, const struct logsink *s)
{
	if (!*rc)
		*rc = s->failed;
}

/* The first failure of a file that single I/Os go to. */
MUST_CHECK int logs_io_failure(const struct logs *l, const struct log_job *j);

#endif
