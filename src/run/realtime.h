/* Let real time pass: threads, signals, waits. */
#ifndef FATHOM_RUN_REALTIME_H
#define FATHOM_RUN_REALTIME_H

#include "run/supervisor.h"

int realtime_run(struct pool *c, struct supervisor *s);

#endif
