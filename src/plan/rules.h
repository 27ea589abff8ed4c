/* Inside of plan: the rules that hold between options, one small function each, in tables by
 * subject. A rule may change the effective options (with a reason), warn, or report an error. They
 * run in the order of the tables. */
#ifndef FATHOM_PLAN_RULES_H
#define FATHOM_PLAN_RULES_H

#include "plan/build.h"

typedef void (*rule_fn)(struct draft *d);

/* Each ends with NULL. Before: what must hold before block sizes and engine are looked at. */
extern const rule_fn rules_before[], rules_workload[], rules_time[], rules_data[], rules_stat[];

/* All of them, on a draft. */
void rules_apply(struct draft *d);

#endif
