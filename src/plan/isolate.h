/* Inside of plan: CPUs of their own for the workers that ask for them. */
#ifndef FATHOM_PLAN_ISOLATE_H
#define FATHOM_PLAN_ISOLATE_H

#include "plan/build.h"

/* CPUs of their own for the workers that ask for them, once all jobs are there. */
void isolate_plan(struct builder *b);

#endif
