/* Inside of plan: regions. */
#ifndef FATHOM_PLAN_SIZES_H
#define FATHOM_PLAN_SIZES_H

#include "plan/build.h"

/* regions; false after an error. limits.c: when it is enough. */
bool sizes_region(struct draft *d, struct plan_job *pj);

#endif
