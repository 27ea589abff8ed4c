/* The thread pool: all workers of a run as threads, and what the files of run share. */
#ifndef FATHOM_RUN_POOL_H
#define FATHOM_RUN_POOL_H

#include "base/must_check.h"
#include "log/writer.h"
#include "monitor/disks.h"
#include "run/run.h"
#include "worker/worker.h"
#include <setjmp.h>

struct isolate;
struct watch;

struct pool {
	struct worker_env env; /* what the workers may know */
	const struct plan *plan;
	const struct run_options *ro;
	const struct run_hooks *hooks;
	struct diag *diag;
	uint64_t clock_resolution_ns, own_ns; /* measured at start-up */
	int event_fd;			      /* a worker changed its state */
	struct log_writer *log;
	bool *created; /* [plan->targets_n]: this run made the file (unlink may remove it) */
	struct phase_counts *layout; /* [plan->jobs_n]: by the first worker that uses a target */
	int *claims;		     /* O_EXCL descriptors held on devices that are written */
	unsigned claims_n;
	struct disks *disks;
	struct watch *watch;	 /* NULL in simulated time */
	struct isolate *isolate; /* NULL: no job asks for it */
};

/* The pool a worker belongs to. */
static inline struct pool *pool_of(const struct worker *w)
{
	return (struct pool *)((char *)w->env - offsetof(struct pool, env));
}

/* -errno; nothing is left behind then. */
MUST_CHECK int pool_init(struct pool *c, const struct plan *p, const struct run_options *ro,
			 const struct run_hooks *hooks, struct diag *diag);
void pool_release(struct pool *c);
/* Virtual clock: whose steps the calling thread takes from now on, NULL for nobody's. The caller
 * sigsetjmp()s what this returns; when the worker crashes, control comes back there with its state
 * WORKER_CRASHED. */
sigjmp_buf *pool_guard(struct worker *w);
/* A thread that sets the worker up and waits for its start. -errno. */
MUST_CHECK int pool_launch(struct pool *c, struct worker *w);
/* It was told to stop before its start. */
void pool_not_started(struct worker *w);
/* Let a READY worker begin at that time. */
void pool_go(struct worker *w, uint64_t at);
/* Add REQUEST_ bits and interrupt a blocking wait. */
void pool_request(struct worker *w, unsigned bits);
void pool_ask_snapshot(struct worker *w);
void pool_join(struct worker *w);

#endif
