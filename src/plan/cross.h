/* Inside of plan: checks that look at several jobs. */
#ifndef FATHOM_PLAN_CROSS_H
#define FATHOM_PLAN_CROSS_H

#include "plan/build.h"

/* checks that look at several jobs. */
void cross_check(struct builder *b);

#endif
