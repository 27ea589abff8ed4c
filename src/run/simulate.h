/* Let simulated time pass: the steps of all workers in one thread. */
#ifndef FATHOM_RUN_SIMULATE_H
#define FATHOM_RUN_SIMULATE_H

#include "run/supervisor.h"

int simulate_run(struct pool *c, struct supervisor *s);

#endif
