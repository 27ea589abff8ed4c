/* From the counters of a worker to a result. */
#ifndef FATHOM_WORKER_COLLECT_H
#define FATHOM_WORKER_COLLECT_H

#include "worker/worker.h"

void collect_style(const struct plan_job *pj, struct result_style *s);
void collect_planned(const struct plan_job *pj, struct result_job *out);
/* A copy of the numbers so far for a report; by the worker itself, or by the supervisor once it is
 * done. */
int worker_collect(const struct worker *w, uint64_t now, struct result_job *out);

#endif
