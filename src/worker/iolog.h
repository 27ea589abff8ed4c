/* write_iolog: what the worker issues and which files it opens, on their way to the log. */
#ifndef FATHOM_WORKER_IOLOG_H
#define FATHOM_WORKER_IOLOG_H

#include "worker/worker.h"

/* These were stamped and are about to be submitted. */
void worker_log_issue(struct worker *w, struct io *const *ios, unsigned n);
/* A file is added, opened or closed (IOLOG_*). Does nothing without write_iolog. */
void worker_log_file(struct worker *w, unsigned file, unsigned what);

#endif
