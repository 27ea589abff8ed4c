/* Inside of plan: drafts to clones, clones to report entries. */
#ifndef FATHOM_PLAN_EXPAND_H
#define FATHOM_PLAN_EXPAND_H

#include "plan/build.h"

/* add the clones to the plan; entries and cross-job rules once all jobs are there. */
void expand_draft(struct draft *d);
void expand_entries(struct builder *b);

#endif
