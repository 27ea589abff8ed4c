/* The files of a worker: opened and attached to its engine one by one, their page cache prepared.
 * By its own thread, with no I/O on that file in flight. */
#ifndef FATHOM_WORKER_FILES_H
#define FATHOM_WORKER_FILES_H

#include "base/must_check.h"
#include "worker/worker.h"

MUST_CHECK int worker_open_file(struct worker *w, unsigned file, struct err *err);
/* -errno of a flush that fsync_on_close asked for. */
MUST_CHECK int worker_close_file(struct worker *w, unsigned file);

#endif
