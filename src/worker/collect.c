/* From a worker's counters to a result. */
#include "worker/collect.h"
#include "worker/account.h"
#include "worker/seconds.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned precision_of(const struct opt_floats *l)
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

void collect_style(const struct plan_job *pj, struct result_style *s)
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
		.percentile_precision = precision_of(&o->percentile_list),
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

void collect_planned(const struct plan_job *pj, struct result_job *out)
{
	static const enum end_reason ends[] = {
		[PLAN_END_SIZE] = END_SIZE,
		[PLAN_END_COUNT] = END_COUNT,
		[PLAN_END_TIME] = END_TIME,
		[PLAN_END_FULL] = END_FULL,
	};

	out->planned_end = ends[pj->ends_by];
	out->planned_ios = pj->expect_ios;
	out->planned_bytes = pj->expect_bytes;
	out->planned_ns = pj->run_ns ? pj->run_ns : UINT64_MAX;
}

static struct hist *copy_hist(const struct hist *h, int *rc)
{
	struct hist *c;

	if (!h || *rc)
		return NULL;
	c = malloc(sizeof(*c));
	if (!c) {
		*rc = -ENOMEM;
		return NULL;
	}
	*c = *h;
	return c;
}

static int collect_dir(const struct worker *w, unsigned d, struct tally *to)
{
	const struct tally *from = &w->tally[d];
	int rc = 0;

	*to = *from;
	tally_settle(to, w->acct);
	for (unsigned k = 0; k < LAT_KINDS; k++)
		to->hist[k] = copy_hist(from->hist[k], &rc);
	/* A synchronous engine has one latency; the total is the completion. */
	if (w->sync && w->acct & ACCT_CLAT && !w->pj->o->disable_lat) {
		to->lat[LAT_TOTAL] = to->lat[LAT_COMPLETE];
		if (w->pj->o->lat_percentiles && !to->hist[LAT_TOTAL] && !rc)
			to->hist[LAT_TOTAL] = copy_hist(from->hist[LAT_COMPLETE], &rc);
	}
	return rc;
}

static uint64_t depth_integral(const struct worker *w, unsigned d)
{
	const struct tally *t = &w->tally[d];

	if (w->acct & ACCT_LAT)
		return t->lat[LAT_TOTAL].sum;
	return t->lat[LAT_SUBMIT].sum + t->lat[LAT_COMPLETE].sum;
}

static void collect_depth(const struct worker *w, struct result_job *out)
{
	uint64_t issued = 0;

	memcpy(out->depth_level, w->depth_level, sizeof(out->depth_level));
	memcpy(out->depth_submit, w->depth_submit, sizeof(out->depth_submit));
	memcpy(out->depth_complete, w->depth_complete, sizeof(out->depth_complete));
	for (unsigned d = 0; d < DIRS; d++)
		issued += w->issued[d];
	if (w->sync && w->depth == 1) {
		/* One at a time by nature: not counted in the loop. */
		out->depth_level[0] = issued;
		out->depth_submit[1] = out->depth_complete[1] = issued;
	}
}

/* Does the job itself see to it that what it wrote is on the medium? */
static bool syncs(const struct job_opts *o)
{
	return o->fsync || o->fdatasync || o->sync_file_range.value || o->sync != SYNC_NONE ||
	       o->end_fsync || o->end_syncfs || o->fsync_on_close;
}

static void collect_counts(const struct worker *w, uint64_t now, struct result_job *out)
{
	const struct plan_job *pj = w->pj;
	struct workload_counts lc = {0};
	bool ramp = w->io_flags & IO_RAMP;
	uint64_t run = !ramp && now > w->measure_ns ? now - w->measure_ns : 0;

	if (w->load)
		workload_counts(w->load, &lc);
	out->late_ios = lc.late_ios;
	out->behind_ns_max = lc.behind_ns_max;
	out->cached_bytes = w->cached_bytes;
	out->region_bytes = pj->region;
	out->paced = job_paced(pj);
	for (unsigned i = 0; i < pj->files_n; i++)
		out->unwritten_bytes += pj->files[i].unwritten;
	memcpy(out->phase, w->phase, sizeof(out->phase));
	memcpy(out->size_min, pj->min_len, sizeof(out->size_min));
	memcpy(out->size_max, pj->most_len, sizeof(out->size_max));
	out->writes_buffered = pj->writes && !pj->o->direct;
	out->writes_synced = pj->writes && syncs(pj->o);
	for (unsigned d = 0; d < DIRS; d++) {
		out->issued[d] = w->issued[d];
		out->runtime_ns[d] = w->tally[d].ios || w->issued[d] ? run : 0;
		out->phase[PHASE_WORKLOAD].ios[d] = w->tally[d].ios;
		out->phase[PHASE_WORKLOAD].bytes[d] = w->tally[d].bytes;
		if (job_moves(pj, d)) {
			out->rate_asked[d] = pj->o->rate[d];
			out->rate_iops_asked[d] = (uint64_t)pj->o->rate_iops[d];
		}
		out->depth_time += depth_integral(w, d);
	}
	out->job_runtime_ns = run;
	out->depth_ns = out->phase[PHASE_WORKLOAD].ns ? out->phase[PHASE_WORKLOAD].ns : run;
	if (w->tally[DIR_READ].ios + w->tally[DIR_WRITE].ios + w->tally[DIR_TRIM].ios &&
	    w->last_done > w->measure_ns)
		out->last_done_ns = w->last_done - w->measure_ns;
	out->durable_ns =
		w->durable_ns > w->measure_ns ? (double)(w->durable_ns - w->measure_ns) : 0;
}

/* What this program took for an I/O besides the I/O, ns; in simulated time nothing. */
static uint64_t own_cost(const struct worker *w)
{
	if (!w->own_ios || w->plan->virtual_clock)
		return 0;
	return (w->own_ns + w->own_ios / 2) / w->own_ios;
}

int worker_collect(const struct worker *w, uint64_t now, struct result_job *out)
{
	const struct plan_job *pj = w->pj;
	int rc = 0;

	*out = (struct result_job){
		.name = pj->name,
		.description = pj->description,
		.engine = pj->engine->name,
		.group = pj->group,
		.number = pj->number,
		.members = 1,
		.started = w->began,
		.options = pj->job->own,
		.options_n = pj->job->own_n,
		.error = w->error ? w->error : w->first_error,
		.error_class = w->error_class,
		.error_text = w->error_text,
		.total_err = w->total_err,
		.errors = {w->errors[DIR_READ], w->errors[DIR_WRITE], w->errors[DIR_TRIM]},
		.first_error = w->first_error,
		.end = w->end,
		.tid = w->tid,
		.start_ns = w->measure_ns,
		.end_ns = now,
		.start_wall_ns = clock_wall(w->clock, w->start_ns),
		.end_wall_ns = clock_wall(w->clock, now),
		.sync_lat = w->sync_lat,
		.syncs = w->syncs,
		.issued_syncs = w->issued_syncs,
		.usr_ns = w->usr_ns,
		.sys_ns = w->sys_ns,
		.ctx = w->ctx,
		.majf = w->majf,
		.minf = w->minf,
		.depth_asked = (unsigned)pj->job->o.iodepth,
		.depth_planned = pj->depth,
		.log_stall_ns = w->log.stall_ns,
		.overhead_ns = own_cost(w),
	};
	collect_style(pj, &out->style);
	collect_planned(pj, out);
	for (unsigned d = 0; d < DIRS && !rc; d++)
		rc = collect_dir(w, d, &out->dir[d]);
	out->sync_hist = copy_hist(w->sync_hist, &rc);
	if (!rc)
		rc = timeline_copy(&out->timeline, &w->timeline);
	for (unsigned i = 0; i < TALLY_PRIOS; i++) {
		out->prio[i] = w->prio[i];
		out->prio[i].hist = w->prio[i].used ? copy_hist(w->prio[i].hist, &rc) : NULL;
	}
	memcpy(out->lat_bins, w->lat_bins, sizeof(out->lat_bins));
	collect_depth(w, out);
	collect_counts(w, now, out);
	memcpy(out->cpus, w->cpus, sizeof(out->cpus));
	memcpy(out->engine_note, w->engine_store.note, sizeof(out->engine_note));
	if (!rc)
		rc = seconds_collect(w, &out->watched);
	if (rc)
		result_job_release(out);
	return rc;
}
