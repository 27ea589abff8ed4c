/* Sums over the jobs of a group. */
#ifndef FATHOM_RESULT_GROUPS_H
#define FATHOM_RESULT_GROUPS_H

#include "base/must_check.h"
#include "result/result.h"

/* Fill groups from jobs. */
MUST_CHECK int result_groups(struct result *r);

#endif
