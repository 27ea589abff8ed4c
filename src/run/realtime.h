/* Let real time pass: threads, signals, waits. */
#ifndef FATHOM_RUN_REALTIME_H
#define FATHOM_RUN_REALTIME_H

#include "base/must_check.h"
#include "run/supervisor.h"

MUST_CHECK int realtime_run(struct pool *c, struct supervisor *s);

#endif
