/* Findings of a run: reads that never reached the device, a depth that was never there. */
#ifndef FATHOM_RUN_FINDINGS_H
#define FATHOM_RUN_FINDINGS_H

#include "run/pool.h"

void findings_judge(struct pool *c, struct result *out);

#endif
