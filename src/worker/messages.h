/* Messages of workers, for the messages of the run. Not in the loop; thread safe. */
#ifndef FATHOM_WORKER_MESSAGES_H
#define FATHOM_WORKER_MESSAGES_H

#include "worker/worker.h"

void worker_job_error(struct worker *w, int error, enum err_class cls, const char *text);
void worker_io_error(struct worker *w, int error, bool go_on, const char *remedy, const char *fmt,
		     ...) __attribute__((format(printf, 5, 6)));
/* The job fails before it began, for this reason. */
void worker_setup_error(struct worker *w, const struct err *err);

#endif
