/* Inside of plan: a random stream for each purpose. */
#ifndef FATHOM_PLAN_SEEDS_H
#define FATHOM_PLAN_SEEDS_H

#include "plan/build.h"

void seeds_init(struct draft *d, struct plan_job *pj);

#endif
