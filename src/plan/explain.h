/* `fathom explain`: the plan in words, worker by worker, with the reason of every value that
 * differs from the declared one. Text only; prints nothing itself. */
#ifndef FATHOM_PLAN_EXPLAIN_H
#define FATHOM_PLAN_EXPLAIN_H

#include "base/str.h"
#include "plan/plan.h"

void explain_plan(const struct plan *p, struct str *out);

#endif
