/* From workers to the result of a run. */
#ifndef FATHOM_RUN_RESULTS_H
#define FATHOM_RUN_RESULTS_H

#include "base/must_check.h"
#include "run/pool.h"

/* The jobs of the running run, without groups and disks. */
MUST_CHECK int results_live(struct pool *c, uint64_t now, struct result *out);
MUST_CHECK int results_build(struct pool *c, uint64_t now, bool final, struct result *out);

#endif
