/* Execute a plan. Blocks until the run is over (or was stopped) and fills the result.
 *
 * What is shown while it runs goes through hooks, so that run prints nothing and knows no format.
 * Hooks are called from the supervising thread, except those of logs.
 */
#ifndef FATHOM_RUN_RUN_H
#define FATHOM_RUN_RUN_H

#include "base/must_check.h"
#include "log/writer.h"
#include "plan/plan.h"
#include "result/progress.h"
#include "result/result.h"

struct run_hooks {
	void *ctx;
	/* Text for the report stream: layout lines and such, without newline. */
	void (*info)(void *ctx, const char *line);
	/* About to start: layout is done. */
	void (*starting)(void *ctx, unsigned workers);
	void (*progress)(void *ctx, const struct progress *p);
	/* A full report of the running state (status interval, SIGUSR1). */
	void (*snapshot)(void *ctx, const struct result *r);
	/* The running state for whoever follows the run: every live_ns, and once more with the
	 * final result. Until then without groups, disks and the cost of the clock. */
	void (*live)(void *ctx, const struct result *r, const struct progress *p);
	struct log_hooks log; /* from the log writer's thread, never two at once */
};

struct run_options {
	uint64_t progress_ns;	     /* period of the progress hook, 0: none */
	uint64_t status_interval_ns; /* period of snapshots, 0: none */
	uint64_t live_ns;	     /* period of the live hook, 0: none */
	const char *version;
	const char *sysroot;
	bool bandwidth_log; /* call log.lines for job UINT_MAX with the sums of all jobs */
};

/* 0 even when jobs failed (see result->exit_code); -errno when the run could not be carried out at
 * all. */
MUST_CHECK int run_plan(const struct plan *p, const struct run_options *ro,
			const struct run_hooks *hooks, struct result *out, struct diag *diag);

#endif
