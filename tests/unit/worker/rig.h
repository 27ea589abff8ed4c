/* Workers without threads, engines or files, for tests of what is computed about them. */
#ifndef TEST_WORKER_RIG_H
#define TEST_WORKER_RIG_H

#include "worker/worker.h"
#include "worker/state.h"

#include <stdlib.h>
#include <string.h>

#define MS  UINT64_C(1000000)
#define RIG 4 /* workers */

struct rig {
	struct worker_env env;
	struct plan plan;
	struct plan_job jobs[RIG];
	struct job declared;
	struct job_opts opts[RIG];
	struct worker *workers[RIG];
	/* What was logged. */
	struct log_rec recs[256];
	unsigned recs_job[256];
	unsigned recs_n;
};

static inline int rig_log(void *ctx, unsigned job, const struct log_rec *recs, unsigned n)
{
	struct rig *r = ctx;

	for (unsigned i = 0; i < n && r->recs_n < 256; i++) {
		r->recs_job[r->recs_n] = job;
		r->recs[r->recs_n++] = recs[i];
	}
	return 0;
}

static inline int rig_drain(void *ctx, unsigned job, const void *slots, unsigned n, bool full)
{
	(void)full;
	return rig_log(ctx, job, slots, n);
}

static inline struct rig *rig_new(unsigned n)
{
	struct rig *r = calloc(1, sizeof(*r));

	if (!r)
		abort();
	r->plan = (struct plan){.jobs = r->jobs, .jobs_n = n, .virtual_clock = true};
	r->env = (struct worker_env){.plan = &r->plan, .workers = r->workers};
	clock_init_virtual(&r->env.clock, 0);
	for (unsigned i = 0; i < n; i++) {
		struct worker *w = aligned_alloc(128, (sizeof(*w) + 127) & ~(size_t)127);
		if (!w)
			abort();
		memset(w, 0, sizeof(*w));
		r->workers[i] = w;
		r->jobs[i] = (struct plan_job){.job = &r->declared,
					       .o = &r->opts[i],
					       .name = "j",
					       .number = i,
					       .reads = true,
					       .writes = true};
		r->opts[i].rwmixread = 50;
		r->opts[i].bwavgtime = r->opts[i].iopsavgtime = 100 * MS;
		w->env = &r->env;
		w->plan = &r->plan;
		w->pj = &r->jobs[i];
		w->clock = &r->env.clock;
		worker_set_state(w, WORKER_NONE);
	}
	return r;
}

static inline void rig_free(struct rig *r)
{
	for (unsigned i = 0; i < RIG; i++)
		free(r->workers[i]);
	free(r);
}

static inline void rig_go(struct worker *w, uint64_t at)
{
	atomic_store(&w->thread.go_at, at);
	atomic_store(&w->thread.go, true);
	worker_set_state(w, WORKER_SETUP);
	worker_set_state(w, WORKER_READY);
	worker_set_state(w, WORKER_RUN);
}

/* Bytes moved so far, of which some in the ramp. */
static inline void rig_moved(struct worker *w, unsigned dir, uint64_t bytes, uint64_t ramp)
{
	w->stats[dir].bytes = bytes - ramp;
	w->phase[PHASE_RAMP].bytes[dir] = ramp;
}

#endif
