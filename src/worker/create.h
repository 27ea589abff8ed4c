/* Making and freeing workers; by the thread that made the run, before and after it. */
#ifndef FATHOM_WORKER_CREATE_H
#define FATHOM_WORKER_CREATE_H

#include "base/must_check.h"
#include "worker/worker.h"

/* A worker that was not started, in pages of its own. NULL with words. */
MUST_CHECK struct worker *worker_create(struct worker_env *env, const struct plan_job *pj,
					struct err *err);
/* Does nothing with one whose thread or I/Os never came back: what they use must stay. */
void worker_destroy(struct worker *w);

#endif
