/* Inside of plan: the engine, its options, depth and batches. */
#ifndef FATHOM_PLAN_ENGINES_H
#define FATHOM_PLAN_ENGINES_H

#include "plan/build.h"

/* find the engine, parse its options; depth and batch limits. */
void engines_init(struct draft *d);
void engines_depth(struct draft *d);
void engines_check(struct draft *d, const struct plan_job *pj);

#endif
