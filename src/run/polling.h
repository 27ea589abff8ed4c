/* Was polling asked for and did not happen? Judged by the interrupts and counters of the run, not
 * by a table of kernel versions; marks results and says so. */
#ifndef FATHOM_RUN_POLLING_H
#define FATHOM_RUN_POLLING_H

#include "run/pool.h"

void polling_judge(struct pool *c, struct result *out);

#endif
