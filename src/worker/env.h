/* What the workers of a run share: set up before the first of them, and const while they run. */
#ifndef FATHOM_WORKER_ENV_H
#define FATHOM_WORKER_ENV_H

#include "base/clock.h"
#include "base/diag.h"
#include "host/host.h"
#include "plan/plan.h"

struct worker;

struct worker_env {
	const struct plan *plan;
	struct clock clock;
	struct host host;
	struct diag *diag; /* thread safe */
	/* By the worker's own thread, before it is placed: to CPUs of its own, if it has such.
	 * NULL: none has. */
	void (*enter)(struct worker *w);
	bool periodic;		 /* snapshots are taken at intervals, not only when somebody asks */
	struct worker **workers; /* [plan->jobs_n]; each in memory of its own, NULL until made */
};

#endif
