/* Inside of plan: when a worker has done enough. */
#ifndef FATHOM_PLAN_LIMITS_H
#define FATHOM_PLAN_LIMITS_H

#include "plan/build.h"

void sizes_limits(struct draft *d, struct plan_job *pj);

#endif
