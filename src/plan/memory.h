/* Inside of plan: an estimate of the memory of the whole plan. */
#ifndef FATHOM_PLAN_MEMORY_H
#define FATHOM_PLAN_MEMORY_H

#include "plan/build.h"

/* estimate the memory of the whole plan; a warning when it is much, an error when the
 * machine does not have it. */
void memory_check(struct builder *b);

#endif
