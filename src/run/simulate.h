/* Let simulated time pass: the steps of all workers in one thread. */
#ifndef FATHOM_RUN_SIMULATE_H
#define FATHOM_RUN_SIMULATE_H

#include "base/must_check.h"
#include "run/supervisor.h"

MUST_CHECK int simulate_run(struct pool *c, struct supervisor *s);

#endif
