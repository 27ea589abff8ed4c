/* Between I/Os: what the load asks for while nothing is in flight, and the end of a worker. */
#include "base/time.h"
#include "worker/lifecycle.h"
#include "worker/files.h"
#include "worker/iolog.h"
#include "worker/messages.h"
#include "worker/open.h"
#include "worker/seconds.h"
#include "worker/state.h"
#include "worker/windows.h"
#include "worker/worker.h"
#include "target/cache.h"
#include <assert.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static void lifecycle_drop_caches(struct worker *w)
{
	for (unsigned i = 0; i < w->pj->files_n; i++) {
		const struct plan_file *f = &w->pj->files[i];
		if (w->engine->files[i].fd >= 0)
			IGNORE_RESULT(cache_drop(NULL, w->engine->files[i].fd, f->begin,
						 f->end - f->begin, w->pj->writes));
	}
}

static bool lifecycle_swap_files(struct worker *w)
{
	struct err err = {0};

	assert(w->workload_state == WORKLOAD_SWAP);
	if (w->fill.close_file != UINT16_MAX) {
		if (worker_close_file(w, w->fill.close_file) < 0)
			worker_fail(w, EIO, ERR_IO, "the flush at closing failed");
		worker_log_file(w, w->fill.close_file, IOLOG_CLOSE);
	}
	if (w->fill.open_file != UINT16_MAX) {
		if (worker_open_file(w, w->fill.open_file, &err) < 0) {
			worker_setup_error(w, &err);
			return false;
		}
		worker_log_file(w, w->fill.open_file, IOLOG_OPEN);
	}
	workload_swapped(w->load);
	return true;
}

static enum end_reason lifecycle_amount_reached(const struct worker *w)
{
	const struct plan_job *pj = w->pj;
	uint64_t ios = w->issued[DIR_READ] + w->issued[DIR_WRITE] + w->issued[DIR_TRIM];

	return pj->limit_ios && ios >= pj->limit_ios ? END_COUNT : END_SIZE;
}

/* unlink_each_loop: the next loop makes its files anew (planning lets them be created on opening).
 */
static bool lifecycle_renew_files(struct worker *w)
{
	struct err err = {0};

	for (unsigned i = 0; i < w->pj->files_n; i++) {
		const struct plan_target *t = &w->plan->targets[w->pj->files[i].target];
		struct stat st;
		if (!w->attached[i] || w->pj->caps & ENGINE_NO_FILES)
			continue;
		if (worker_close_file(w, i) < 0) {
			worker_fail(w, EIO, ERR_IO, "the flush at closing failed");
			return false;
		}
		if (!stat(t->path, &st) && S_ISREG(st.st_mode))
			unlink(t->path);
		if (worker_open_file(w, i, &err) < 0) {
			worker_setup_error(w, &err);
			return false;
		}
	}
	return true;
}

static bool lifecycle_next_loop(struct worker *w)
{
	if (!workload_next_loop(w->load, w->now)) {
		worker_stop(w, lifecycle_amount_reached(w));
		return false;
	}
	if (w->pj->o->unlink_each_loop)
		return lifecycle_renew_files(w);
	if (w->pj->o->invalidate && !w->setup.direct)
		lifecycle_drop_caches(w);
	return true;
}

bool worker_between(struct worker *w)
{
	assert(!w->in_flight && !w->pending_n && !w->load_drain);
	switch (w->workload_state) {
	case WORKLOAD_WRAP:
		lifecycle_drop_caches(w);
		return true;
	case WORKLOAD_SWAP:
		return lifecycle_swap_files(w);
	case WORKLOAD_LOOP:
		return lifecycle_next_loop(w);
	case WORKLOAD_END:
		worker_stop(w, lifecycle_amount_reached(w));
		return false;
	default:
		return true;
	}
}

/* end_fsync, end_syncfs: part of the job's time, counted as a phase of its own. */
static void lifecycle_flush_files(struct worker *w)
{
	const struct job_opts *o = w->pj->o;
	uint64_t from = clock_now(w->clock);

	assert(w->abandoned || !w->in_flight);
	if (!w->pj->writes || !(o->end_fsync || o->end_syncfs) || w->abandoned)
		return;
	worker_set_state(w, WORKER_FLUSH);
	for (unsigned i = 0; i < w->pj->files_n; i++) {
		int fd = w->engine->files[i].fd, ret = 0;
		if (fd < 0)
			continue;
		if (o->end_fsync)
			ret = fsync(fd);
		if (!ret && o->end_syncfs)
			ret = syncfs(fd);
		if (ret && errno != EINVAL && errno != EROFS)
			worker_fail(w, errno, ERR_IO, "the flush at the end of the job failed");
		w->phase[PHASE_SYNC].syncs++;
	}
	w->now = clock_now(w->clock);
	w->phase[PHASE_SYNC].ns += w->now - from;
	w->durable_ns = w->now;
}

static void lifecycle_measure_usage(struct worker *w)
{
	struct rusage u;

	/* In simulated time the thread is not the worker's, and reports shall repeat to the byte.
	 */
	if (w->plan->virtual_clock || getrusage(RUSAGE_THREAD, &u))
		return;
#define NS(t) ((uint64_t)(t).tv_sec * NS_PER_SEC + (uint64_t)(t).tv_usec * 1000u)
	w->usage.usr_ns = NS(u.ru_utime) - NS(w->usage.before.ru_utime);
	w->usage.sys_ns = NS(u.ru_stime) - NS(w->usage.before.ru_stime);
#undef NS
	w->usage.ctx = (uint64_t)(u.ru_nvcsw + u.ru_nivcsw - w->usage.before.ru_nvcsw -
				  w->usage.before.ru_nivcsw);
	w->usage.majf = (uint64_t)(u.ru_majflt - w->usage.before.ru_majflt);
	w->usage.minf = (uint64_t)(u.ru_minflt - w->usage.before.ru_minflt);
}

/* When the measured interval ends: at the time limit, or with the last completion. */
static uint64_t lifecycle_measured_end(const struct worker *w)
{
	if (w->outcome.end == END_SIZE || w->outcome.end == END_COUNT || w->outcome.end == END_FULL)
		return w->last_done > w->measure_ns ? w->last_done : w->now;
	return w->now > w->last_done ? w->now : w->last_done;
}

void worker_end(struct worker *w)
{
	uint64_t end = lifecycle_measured_end(w);

	assert(w->began && end >= w->start_ns);
	assert(w->abandoned || (!w->in_flight && !w->pending_n));
	if (w->outcome.end == END_TIME && w->pj->run_ns) {
		/* The clock was looked at a little after the limit; what counts is the limit,
		 * unless I/Os ended later. */
		uint64_t limit = w->measure_ns + w->pj->run_ns;
		end = w->last_done > limit ? w->last_done : limit;
	}
	worker_finish_windows(w, end);
	if (w->log.ios)
		pack_close(w->log.ios);
	w->phase[PHASE_WORKLOAD].ns = end > w->measure_ns ? end - w->measure_ns : 0;
	lifecycle_measure_usage(w);
	seconds_end(w, end);
	lifecycle_flush_files(w);
	for (unsigned i = 0; i < w->pj->files_n; i++)
		if (w->attached[i])
			worker_log_file(w, i, IOLOG_CLOSE);
	worker_close(w);
	w->end_ns = w->durable_ns > end ? w->durable_ns : end;
	worker_set_state(w, WORKER_DONE);
}
