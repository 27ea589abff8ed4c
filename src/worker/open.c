/* A worker opens what it needs: memory, engine, files, load. In its own thread, so that memory is
 * local. */
#include "worker/open.h"
#include "worker/buffers.h"
#include "worker/seconds.h"
#include "worker/files.h"
#include "worker/state.h"
#include "worker/timeline.h"
#include "worker/worker.h"
#include "target/cache.h"
#include "target/target.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_no_memory(struct err *err, const char *what)
{
	return err_set(err, ERR_SETUP, ENOMEM, "no memory for %s", what);
}

/* Which statistics are on, as one word. */
static unsigned open_accounting(const struct worker *w)
{
	const struct plan_job *pj = w->pj;
	const struct job_opts *o = pj->o;
	unsigned a = 0;

	if (!o->disable_clat)
		a |= ACCT_CLAT | (o->clat_percentiles ? ACCT_CLAT_HIST : 0);
	if (!o->disable_slat && !w->sync)
		a |= ACCT_SLAT | (o->slat_percentiles ? ACCT_SLAT_HIST : 0);
	/* A synchronous engine has one latency: the total is derived from it. */
	if (!o->disable_lat && !(w->sync && !o->disable_clat))
		a |= ACCT_LAT | (o->lat_percentiles ? ACCT_LAT_HIST : 0);
	for (unsigned d = 0; d < DIRS; d++) {
		a |= o->max_latency[d] ? ACCT_MAX_LAT : 0;
		a |= o->rate[d] || o->rate_iops[d] ? ACCT_SCHED : 0;
		a |= o->rate_min[d] || o->rate_iops_min[d] ? ACCT_RATE_MIN : 0;
	}
	if (pj->traits.own_priorities)
		a |= ACCT_PRIO;
	if (w->log.ios)
		a |= ACCT_LOG;
	if (w->log_windows && o->log_window_value != LOG_AVG)
		a |= ACCT_LOG_MAX;
	return a;
}

static int open_new_hist(struct worker *w, struct hist **h)
{
	if (*h)
		return 0;
	*h = arena_alloc(&w->arena, sizeof(**h), 64);
	return *h ? 0 : -ENOMEM;
}

static int open_make_hists(struct worker *w)
{
	const struct plan_job *pj = w->pj;
	const bool moves[DIRS] = {pj->reads, pj->writes, pj->trims};
	int ret = 0;

	for (unsigned d = 0; d < DIRS; d++) {
		struct dir_stats *t = &w->stats[d];
		for (unsigned k = 0; k < LAT_KINDS; k++)
			runstat_init(&t->lat[k]);
		runstat_init(&t->bw);
		runstat_init(&t->iops);
		if (!moves[d])
			continue;
		if (w->acct & ACCT_CLAT_HIST || (w->windows.hist_period && w->acct & ACCT_CLAT))
			ret |= open_new_hist(w, &t->hist[LAT_COMPLETE]);
		if (w->acct & ACCT_SLAT_HIST)
			ret |= open_new_hist(w, &t->hist[LAT_SUBMIT]);
		if (w->acct & ACCT_LAT_HIST)
			ret |= open_new_hist(w, &t->hist[LAT_TOTAL]);
		if (w->acct & ACCT_SCHED)
			ret |= open_new_hist(w, &t->hist[LAT_SCHEDULE]);
		if (w->windows.hist_period)
			ret |= open_new_hist(w, &w->windows.hist_prev[d]);
	}
	if (w->windows.hist_period)
		w->acct |= ACCT_CLAT_HIST;
	runstat_init(&w->sync_lat);
	if (pj->o->fsync || pj->o->fdatasync || pj->o->sync_file_range.value)
		ret |= open_new_hist(w, &w->sync_hist);
	for (unsigned i = 0; i < PRIO_STATS_MAX && w->acct & ACCT_PRIO; i++) {
		runstat_init(&w->prio[i].lat);
		ret |= open_new_hist(w, &w->prio[i].hist);
	}
	ret |= worker_timeline_open(w);
	return ret;
}

static int open_make_slots(struct worker *w)
{
	unsigned n = w->depth;

	assert(n && n <= UINT16_MAX + 1u && w->buffers.stride >= w->pj->max_len);
	w->ios = arena_alloc(&w->arena, sizeof(struct io) * n, 64);
	w->free = arena_new(&w->arena, struct io *, n);
	w->done = arena_new(&w->arena, struct io *, n);
	w->pending = arena_new(&w->arena, struct io *, n);
	if (!w->ios || !w->free || !w->done || !w->pending)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		w->ios[i].slot = (uint16_t)i;
		w->ios[i].buf = (char *)w->buffers.start + i * w->buffers.stride;
		w->free[n - 1 - i] =
			&w->ios[i]; /* slot 0 on top: a shallow queue stays in few cache lines */
	}
	w->free_n = n;
	return 0;
}

static int open_engine(struct worker *w, struct err *err)
{
	const struct plan_job *pj = w->pj;
	const struct engine_ops *ops = pj->engine;
	struct engine *e = &w->engine_store;
	size_t ctx = (ops->ctx_size + 63) & ~(size_t)63;

	assert(w->batch_all && w->batch_all <= w->depth && w->batch_part <= w->batch_all);
	w->setup = (struct engine_setup){
		.options = pj->engine_options,
		.given = pj->engine_given,
		.clock = w->clock,
		.depth = w->depth,
		.batch = w->batch_all,
		.files = pj->files_n ? pj->files_n : 1,
		.direct = pj->o->direct,
		.reads = pj->reads,
		.writes = pj->writes,
		.trims = pj->trims,
		.ios = w->ios,
		.buffers = w->buffers.start,
		.buffer_bytes = w->buffers.bytes,
		.max_len = pj->max_len,
		.seed = pj->seed[SEED_ENGINE],
		.worker = pj->number,
		.sync_range_flags = (unsigned)pj->o->sync_file_range.value,
		.atomic = pj->o->atomic,
		.lazy = pj->o->disable_slat,
	};
	w->engine_memory = arena_alloc(&w->arena, ctx + ops->io_size * w->depth + 64, 64);
	e->files = arena_new(&w->arena, struct engine_file, w->setup.files);
	if (!w->engine_memory || !e->files)
		return open_no_memory(err, "the engine");
	for (unsigned i = 0; i < w->setup.files; i++)
		e->files[i].fd = -1;
	e->ops = ops;
	e->setup = &w->setup;
	e->ctx = w->engine_memory;
	e->io_data = (char *)w->engine_memory + ctx;
	int ret = ops->open(e, err);
	if (ret < 0)
		return ret;
	w->engine = e;
	w->submit = ops->submit;
	w->perform = w->sync && w->depth == 1 ? ops->perform : NULL;
	w->reap = ops->reap;
	return 0;
}

static int open_files(struct worker *w, struct err *err)
{
	unsigned n = w->pj->open_files < w->pj->files_n ? w->pj->open_files : w->pj->files_n;

	for (unsigned i = 0; i < n; i++) {
		int ret = worker_open_file(w, i, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int open_load(struct worker *w, struct err *err)
{
	struct workload_setup s = {
		.plan = w->pj,
		.stop_at_wrap = w->pj->o->invalidate && !w->pj->o->direct &&
				!(w->pj->caps & ENGINE_NO_FILES),
		.buffers = w->buffers.start,
		.buffer_stride = w->buffers.stride,
		.slots = w->depth,
	};
	int ret = workload_init(&w->load, &s, &w->arena, err);

	assert(w->engine && w->free_n == w->depth);
	if (ret < 0)
		return ret;
	if (workload_wants_completions(w->load))
		w->acct |= ACCT_WORKLOAD;
	return 0;
}

int worker_open(struct worker *w, struct err *err)
{
	const struct plan_job *pj = w->pj;
	int ret;

	assert(!w->engine && !w->load && pj->depth);
	w->clock = &w->env->clock;
	w->depth = pj->depth;
	w->batch_all = pj->batch;
	w->batch = w->batch_part = pj->batch_part;
	w->reap_min = pj->reap_min ? pj->reap_min : 1;
	w->reap_max = pj->reap_max;
	w->depth_low = pj->depth_low;
	w->sync = !pj->is_async;
	w->one_op = pj->reads + pj->writes + pj->trims == 1 && !pj->o->fsync && !pj->o->fdatasync &&
		    !pj->o->sync_file_range.value;
	w->next_event = UINT64_MAX;
	w->windows.hist_period = w->windows.hist_period ? pj->o->log_hist_msec : 0;
	w->acct = open_accounting(w);
	if (open_make_hists(w))
		return open_no_memory(err, "histograms");
	ret = memory_get(w, err);
	if (ret < 0)
		return ret;
	if (seconds_open(w))
		return open_no_memory(err, "the seconds of the run");
	w->attached = arena_new(&w->arena, bool, pj->files_n ? pj->files_n : 1);
	if (open_make_slots(w) || !w->attached)
		return open_no_memory(err, "the queue");
	ret = open_engine(w, err);
	if (ret < 0)
		return ret;
	if (snapshot_open(w))
		return open_no_memory(err, "copies of its numbers");
	ret = open_files(w, err);
	return ret < 0 ? ret : open_load(w, err);
}

void worker_close(struct worker *w)
{
	seconds_close(w);
	if (w->engine) {
		for (unsigned i = 0; i < w->pj->files_n; i++)
			if (worker_close_file(w, i) < 0)
				worker_fail(w, EIO, ERR_IO, "the flush at closing failed");
		/* I/Os that were given up may still land in the buffers: the engine and they stay.
		 */
		if (!w->abandoned)
			w->engine->ops->close(w->engine);
		w->engine = NULL;
	}
	if (!w->abandoned)
		memory_put(w);
}
