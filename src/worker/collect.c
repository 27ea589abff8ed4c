/* From a worker's counters to a result. */
#include "worker/collect.h"
#include "worker/account.h"
#include "worker/seconds.h"
#include <assert.h>
#include <string.h>

static struct hist *collect_hist(char **memory, const struct hist *h)
{
	struct hist *copy = (struct hist *)*memory;

	if (!h)
		return NULL;
	*copy = *h;
	*memory += COLLECT_HIST;
	return copy;
}

static void collect_dir(const struct worker *w, unsigned d, char **memory, struct dir_stats *to)
{
	const struct dir_stats *from = &w->stats[d];

	*to = *from;
	dir_stats_settle(to, w->acct);
	for (unsigned k = 0; k < LAT_KINDS; k++)
		to->hist[k] = collect_hist(memory, from->hist[k]);
	/* A synchronous engine has one latency; the total is the completion. */
	if (w->sync && w->acct & ACCT_CLAT && !w->pj->o->disable_lat) {
		to->lat[LAT_TOTAL] = to->lat[LAT_COMPLETE];
		if (w->pj->o->lat_percentiles && !to->hist[LAT_TOTAL])
			to->hist[LAT_TOTAL] = collect_hist(memory, from->hist[LAT_COMPLETE]);
	}
}

static void collect_timeline(const struct timeline *from, char **memory, struct timeline *to)
{
	if (!from->n)
		return;
	*to = *from;
	to->point = (struct timeline_point *)*memory;
	memcpy(to->point, from->point, from->n * sizeof(*to->point));
	*memory += COLLECT_TIMELINE;
}

size_t collect_bytes(const struct worker *w)
{
	size_t hists = w->sync_hist ? 1 : 0;

	for (unsigned d = 0; d < DIRS; d++) {
		for (unsigned k = 0; k < LAT_KINDS; k++)
			hists += w->stats[d].hist[k] ? 1 : 0;
		/* The total that is derived from the completion, and the undisturbed seconds. */
		hists += w->stats[d].hist[LAT_COMPLETE] ? 1 : 0;
		hists += w->seconds.quiet[d] ? 1 : 0;
	}
	for (unsigned i = 0; i < PRIO_STATS_MAX; i++)
		hists += w->prio[i].hist ? 1 : 0;
	return hists * COLLECT_HIST + COLLECT_TIMELINE;
}

static uint64_t collect_depth_integral(const struct worker *w, unsigned d)
{
	const struct dir_stats *t = &w->stats[d];

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
static bool collect_syncs(const struct job_opts *o)
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
	out->writes_synced = pj->writes && collect_syncs(pj->o);
	for (unsigned d = 0; d < DIRS; d++) {
		out->issued[d] = w->issued[d];
		out->runtime_ns[d] = w->stats[d].ios || w->issued[d] ? run : 0;
		out->phase[PHASE_WORKLOAD].ios[d] = w->stats[d].ios;
		out->phase[PHASE_WORKLOAD].bytes[d] = w->stats[d].bytes;
		if (job_moves(pj, d)) {
			out->rate_asked[d] = pj->o->rate[d];
			out->rate_iops_asked[d] = (uint64_t)pj->o->rate_iops[d];
		}
		out->depth_time += collect_depth_integral(w, d);
	}
	out->job_runtime_ns = run;
	out->depth_ns = out->phase[PHASE_WORKLOAD].ns ? out->phase[PHASE_WORKLOAD].ns : run;
	if (w->stats[DIR_READ].ios + w->stats[DIR_WRITE].ios + w->stats[DIR_TRIM].ios &&
	    w->last_done > w->measure_ns)
		out->last_done_ns = w->last_done - w->measure_ns;
	out->durable_ns =
		w->durable_ns > w->measure_ns ? (double)(w->durable_ns - w->measure_ns) : 0;
}

/* What this program took for an I/O besides the I/O, ns; in simulated time nothing. */
static uint64_t collect_own_cost(const struct worker *w)
{
	if (!w->own_ios || w->plan->virtual_clock)
		return 0;
	return (w->own_ns + w->own_ios / 2) / w->own_ios;
}

void worker_collect(const struct worker *w, uint64_t now, char *memory, struct result_job *out)
{
	const struct plan_job *pj = w->pj;

	assert(memory && ((uintptr_t)memory & 63) == 0);
	*out = (struct result_job){
		.name = pj->name,
		.description = pj->description,
		.engine = pj->engine->name,
		.no_device = pj->caps & ENGINE_NO_DISK,
		.group = pj->group,
		.number = pj->number,
		.members = 1,
		.started = w->began,
		.options = pj->job->own,
		.options_n = pj->job->own_n,
		.error = w->outcome.error ? w->outcome.error : w->outcome.first_error,
		.error_class = w->outcome.error_class,
		.error_text = w->outcome.error_text,
		.total_err = w->outcome.total_err,
		.errors = {w->outcome.errors[DIR_READ], w->outcome.errors[DIR_WRITE],
			   w->outcome.errors[DIR_TRIM]},
		.first_error = w->outcome.first_error,
		.end = w->outcome.end,
		.tid = w->thread.tid,
		.start_ns = w->measure_ns,
		.end_ns = now,
		.start_wall_ns = clock_wall(w->clock, w->start_ns),
		.end_wall_ns = clock_wall(w->clock, now),
		.sync_lat = w->sync_lat,
		.syncs = w->syncs,
		.issued_syncs = w->issued_syncs,
		.usr_ns = w->usage.usr_ns,
		.sys_ns = w->usage.sys_ns,
		.ctx = w->usage.ctx,
		.majf = w->usage.majf,
		.minf = w->usage.minf,
		.depth_asked = (unsigned)pj->job->o.iodepth,
		.depth_planned = pj->depth,
		.log_stall_ns = w->log.stall_ns,
		.overhead_ns = collect_own_cost(w),
	};
	for (unsigned d = 0; d < DIRS; d++)
		collect_dir(w, d, &memory, &out->dir[d]);
	out->sync_hist = collect_hist(&memory, w->sync_hist);
	collect_timeline(&w->steps.timeline, &memory, &out->timeline);
	for (unsigned i = 0; i < PRIO_STATS_MAX; i++) {
		out->prio[i] = w->prio[i];
		out->prio[i].hist = w->prio[i].used ? collect_hist(&memory, w->prio[i].hist) : NULL;
	}
	memcpy(out->lat_bins, w->lat_bins, sizeof(out->lat_bins));
	collect_depth(w, out);
	collect_counts(w, now, out);
	memcpy(out->cpus, w->thread.cpus, sizeof(out->cpus));
	memcpy(out->engine_note, w->engine_store.note, sizeof(out->engine_note));
	seconds_collect(w, &memory, &out->watched);
}
