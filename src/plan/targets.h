/* Inside of plan: what a worker does to its targets. */
#ifndef FATHOM_PLAN_TARGETS_H
#define FATHOM_PLAN_TARGETS_H

#include "plan/build.h"

/* what a worker does to its targets: layout, permissions, guard, holes. */
void targets_use(struct draft *d, struct plan_job *pj);

#endif
