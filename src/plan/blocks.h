/* Inside of plan: directions and block sizes. */
#ifndef FATHOM_PLAN_BLOCKS_H
#define FATHOM_PLAN_BLOCKS_H

#include "plan/build.h"

/* directions and block sizes of the draft from its options. */
void blocks_init(struct draft *d);
/* The declared block sizes of a direction, for the job line. */
void blocks_declared(const struct job_opts *o, unsigned dir, uint64_t *lo, uint64_t *hi);
/* The mean size of the draft's I/Os as far as it can be told, bytes. */
double blocks_mean(const struct draft *d);

#endif
