/* From workers to the result of a run: one entry a report block, groups, disks, exit code. */
#include "run/results.h"
#include "monitor/hostinfo.h"
#include "monitor/watch.h"
#include "worker/collect.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A job that has nothing to show. */
static void blank(const struct plan_job *pj, struct result_job *out)
{
	*out = (struct result_job){
		.name = pj->name,
		.description = pj->description,
		.engine = pj->engine->name,
		.group = pj->group,
		.number = pj->number,
		.members = 1,
		.options = pj->job->own,
		.options_n = pj->job->own_n,
		.end = END_NOT_STARTED,
		.depth_asked = (unsigned)pj->job->o.iodepth,
		.depth_planned = pj->depth,
	};
	collect_style(pj, &out->style);
	collect_planned(pj, out);
}

/* A running worker's own copy of its numbers; a finished worker can be read directly. */
static int of_worker(struct pool *c, unsigned i, uint64_t now, struct result_job *out)
{
	struct worker *w = c->env.workers[i];
	int rc = 0;

	if (!w) {
		blank(&c->plan->jobs[i], out);
		return 0;
	}
	unsigned state = atomic_load_explicit(&w->shared.state, memory_order_acquire);
	if (state == WORKER_DONE || state == WORKER_CRASHED || c->plan->virtual_clock ||
	    w->abandoned) {
		bool over = state == WORKER_DONE || state == WORKER_CRASHED;
		rc = worker_collect(w, over ? w->end_ns : now, out);
	} else {
		pthread_mutex_lock(&w->snap_lock);
		if (w->snap && w->snap->name)
			rc = result_job_copy(out, w->snap);
		else
			blank(w->pj, out);
		pthread_mutex_unlock(&w->snap_lock);
	}
	out->phase[PHASE_LAYOUT] = c->layout[i];
	if (!rc && c->watch)
		rc = watched_merge(&out->watched, watch_of(c->watch, i));
	return rc;
}

static int build_entry(struct pool *c, const struct plan_entry *e, uint64_t now,
		       struct result_job *out)
{
	int rc = of_worker(c, e->members[0], now, out);

	for (unsigned k = 1; k < e->n && !rc; k++) {
		struct result_job one;
		rc = of_worker(c, e->members[k], now, &one);
		if (!rc)
			rc = result_job_merge(out, &one);
		result_job_release(&one);
	}
	out->merged = e->n > 1;
	return rc;
}

static uint64_t wall_now(const struct pool *c, uint64_t now)
{
	return clock_wall(&c->env.clock, now);
}

static uint64_t clock_cost(const struct clock *clk)
{
	if (clk->kind == CLOCK_KIND_VIRTUAL)
		return 0;
	uint64_t a = clock_now(clk), b = a;
	for (unsigned i = 0; i < 1000; i++)
		b = clock_now(clk);
	return (b - a) / 1000;
}

static const char *clock_word(const struct clock *clk)
{
#if defined(__aarch64__)
	static const char counter[] = "cntvct";
#else
	static const char counter[] = "tsc";
#endif

	return clk->kind == CLOCK_KIND_TSC	 ? counter
	       : clk->kind == CLOCK_KIND_VIRTUAL ? "virtual"
						 : "monotonic";
}

int results_live(struct pool *c, uint64_t now, struct result *out)
{
	const struct plan *p = c->plan;
	int rc = 0;

	*out = (struct result){
		.version = c->ro->version,
		.wall_ns = wall_now(c, now),
		.elapsed_ns = now,
		.globals = p->list->globals,
		.globals_n = p->list->globals_n,
		.diag = c->diag,
		.clock_name = clock_word(&c->env.clock),
		.clock_backwards = c->env.clock.backwards,
	};
	out->jobs = calloc(p->entries_n ? p->entries_n : 1, sizeof(*out->jobs));
	if (!out->jobs)
		return -ENOMEM;
	for (unsigned e = 0; e < p->entries_n && !rc; e++) {
		rc = build_entry(c, &p->entries[e], now, &out->jobs[e]);
		out->jobs_n++;
	}
	if (rc)
		result_release(out);
	return rc;
}

int results_build(struct pool *c, uint64_t now, bool final, struct result *out)
{
	int rc = results_live(c, now, out);

	if (rc)
		return rc;
	out->final = final;
	out->clock_drift_ppm = clock_drift_ppm(&c->env.clock);
	out->clock_read_ns = clock_cost(&c->env.clock);
	out->clock_resolution_ns = c->clock_resolution_ns;
	out->own_ns = c->own_ns;
	rc = result_groups(out);
	if (!rc)
		rc = disks_collect(c->disks, now, out);
	if (!rc)
		rc = hostinfo_collect(&c->env, c->disks, out);
	if (rc)
		result_release(out);
	return rc;
}
