/* From workers to the result of a run: one entry a report block, groups, disks, exit code. */
#include "run/results.h"
#include "result/merge.h"
#include "result/groups.h"
#include "monitor/hostinfo.h"
#include "monitor/watch.h"
#include "worker/collect.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned results_precision(const struct opt_floats *l)
{
	unsigned most = 0;

	for (unsigned i = 0; i < l->n; i++) {
		char text[40];
		snprintf(text, sizeof(text), "%.6f", l->v[i]);
		size_t n = strlen(text);
		while (n && text[n - 1] == '0')
			n--;
		unsigned decimals = (unsigned)(n - 1 - (size_t)(strchr(text, '.') - text));
		if (decimals > most)
			most = decimals;
	}
	return most;
}

static void results_style(const struct plan_job *pj, struct result_style *s)
{
	const struct job_opts *o = pj->o;

	*s = (struct result_style){
		.slat_on = !o->disable_slat && pj->is_async,
		.clat_on = !o->disable_clat,
		.lat_on = !o->disable_lat,
		.bw_on = !o->disable_bw_measurement,
		.slat_percentiles = o->slat_percentiles,
		.clat_percentiles = o->clat_percentiles,
		.lat_percentiles = o->lat_percentiles,
		.percentiles_n = o->percentile_list.n,
		.percentile_precision = results_precision(&o->percentile_list),
		.kb_base = (unsigned)o->kb_base,
		.unit_base = o->unit_base ? (unsigned)o->unit_base : 8,
		.digits = (unsigned)o->significant_figures,
		.unified = o->unified_rw_reporting,
		.continue_mask = (unsigned)o->continue_on_error,
		.is_async = pj->is_async,
		.hide = !o->stats,
	};
	if (s->percentile_precision < 2 && !job_given(pj->job, OPT_percentile_list))
		s->percentile_precision = 2;
	memcpy(s->percentile, o->percentile_list.v, sizeof(s->percentile));
	/* Ascending, as the tables are printed. */
	for (unsigned i = 1; i < s->percentiles_n; i++)
		for (unsigned k = i; k && s->percentile[k - 1] > s->percentile[k]; k--) {
			double swap = s->percentile[k];
			s->percentile[k] = s->percentile[k - 1];
			s->percentile[k - 1] = swap;
		}
}

static void results_planned(const struct plan_job *pj, struct result_job *out)
{
	static const enum end_reason ends[] = {
		[PLAN_END_SIZE] = END_SIZE,
		[PLAN_END_COUNT] = END_COUNT,
		[PLAN_END_TIME] = END_TIME,
		[PLAN_END_FULL] = END_FULL,
	};

	assert(pj->run_ns != UINT64_MAX);
	out->planned_end = ends[pj->ends_by];
	out->planned_ios = pj->expect_ios;
	out->planned_bytes = pj->expect_bytes;
	out->planned_ns = pj->run_ns ? pj->run_ns : UINT64_MAX;
}

/* A job that has nothing to show. */
static void results_blank(const struct plan_job *pj, struct result_job *out)
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
}

/* The numbers of a worker that does not change them any more, or will not come back. */
static int results_of_ended(const struct worker *w, uint64_t now, struct result_job *out)
{
	struct result_job job;
	char *memory = aligned_alloc(64, (collect_bytes(w) + 63) & ~(size_t)63);

	if (!memory)
		return -ENOMEM;
	worker_collect(w, now, memory, &job);
	int ret = result_job_copy(out, &job);
	free(memory);
	return ret;
}

static int results_of_worker(struct pool *c, unsigned i, uint64_t now, struct result_job *out)
{
	const struct plan_job *pj = &c->plan->jobs[i];
	struct worker *w = c->env.workers[i];
	unsigned state =
		w ? atomic_load_explicit(&w->shared.state, memory_order_acquire) : WORKER_NONE;
	bool over = state == WORKER_DONE || state == WORKER_CRASHED;
	int ret = -ENOENT;

	assert(i < c->plan->jobs_n);
	if (w && (over || c->plan->virtual_clock || w->abandoned))
		ret = results_of_ended(w, over ? w->end_ns : now, out);
	else if (w)
		ret = snapshot_read(w, out);
	if (ret == -ENOENT)
		results_blank(pj, out);
	else if (ret)
		return ret;
	results_style(pj, &out->style);
	results_planned(pj, out);
	if (!w)
		return 0;
	out->phase[PHASE_LAYOUT] = c->layout[i];
	return c->watch ? watched_merge(&out->watched, watch_of(c->watch, i)) : 0;
}

static int results_build_entry(struct pool *c, const struct plan_entry *e, uint64_t now,
			       struct result_job *out)
{
	int ret = results_of_worker(c, e->members[0], now, out);

	assert(e->n && e->first < c->plan->jobs_n);
	for (unsigned k = 1; k < e->n && !ret; k++) {
		struct result_job one = {0};
		ret = results_of_worker(c, e->members[k], now, &one);
		if (!ret)
			ret = result_job_merge(out, &one);
		result_job_release(&one);
	}
	out->merged = e->n > 1;
	return ret;
}

static uint64_t results_wall_now(const struct pool *c, uint64_t now)
{
	return clock_wall(&c->env.clock, now);
}

static uint64_t results_clock_cost(const struct clock *clk)
{
	if (clk->kind == CLOCK_KIND_VIRTUAL)
		return 0;
	uint64_t a = clock_now(clk), b = a;
	for (unsigned i = 0; i < 1000; i++)
		b = clock_now(clk);
	return (b - a) / 1000;
}

static const char *results_clock_word(const struct clock *clk)
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
	int ret = 0;

	*out = (struct result){
		.version = c->ro->version,
		.wall_ns = results_wall_now(c, now),
		.elapsed_ns = now,
		.globals = p->list->globals,
		.globals_n = p->list->globals_n,
		.diag = c->diag,
		.clock_name = results_clock_word(&c->env.clock),
		.clock_backwards = c->env.clock.backwards,
	};
	out->jobs = calloc(p->entries_n ? p->entries_n : 1, sizeof(*out->jobs));
	if (!out->jobs)
		return -ENOMEM;
	for (unsigned e = 0; e < p->entries_n && !ret; e++) {
		ret = results_build_entry(c, &p->entries[e], now, &out->jobs[e]);
		out->jobs_n++;
	}
	if (ret)
		result_release(out);
	return ret;
}

int results_build(struct pool *c, uint64_t now, bool final, struct result *out)
{
	int ret = results_live(c, now, out);

	if (ret)
		return ret;
	out->final = final;
	out->clock_drift_ppm = clock_drift_ppm(&c->env.clock);
	out->clock_read_ns = results_clock_cost(&c->env.clock);
	out->clock_resolution_ns = c->clock_resolution_ns;
	out->own_ns = c->own_ns;
	ret = result_groups(out);
	if (!ret)
		ret = disks_collect(c->disks, now, out);
	if (!ret)
		ret = hostinfo_collect(&c->env, c->disks, out);
	if (ret)
		result_release(out);
	return ret;
}
