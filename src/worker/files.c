#include "worker/files.h"
#include "target/cache.h"
#include "target/target.h"
#include "target/open.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* pre_read goes through the page cache whatever the job's own descriptor does. */
static int files_fill_cache(const struct plan_file *f, struct err *err)
{
	int fd = open(f->path, O_RDONLY | O_CLOEXEC);
	int ret = fd < 0 ? -errno : cache_fill(NULL, fd, f->begin, f->end - f->begin, NULL);

	if (fd >= 0)
		close(fd);
	if (ret < 0)
		err_set(err, ERR_SETUP, -ret, "pre_read of %s failed: %s", f->path, strerror(-ret));
	return ret;
}

/* The page cache as the job wants it at the start, and how much of the region is in it then. */
static int files_prepare_cache(struct worker *w, const struct plan_file *f,
			       const struct plan_target *t, int fd, struct err *err)
{
	const struct job_opts *o = w->pj->o;
	uint64_t len = f->end - f->begin, bytes;
	int ret = 0;

	if (t->kind != PLAN_REGULAR && t->kind != PLAN_BLOCK)
		return 0;
	if (o->pre_read)
		ret = files_fill_cache(f, err);
	else if (o->invalidate)
		IGNORE_RESULT(cache_drop(NULL, fd, f->begin, len, t->kind == PLAN_REGULAR));
	if (!ret && w->pj->reads && !o->direct && cache_resident(fd, f->begin, len, &bytes) == 0)
		w->cached_bytes += bytes;
	return ret;
}

int worker_open_file(struct worker *w, unsigned i, struct err *err)
{
	const struct plan_job *pj = w->pj;
	const struct plan_file *f = &pj->files[i];
	const struct plan_target *t = &w->plan->targets[f->target];
	struct engine_file *ef = &w->engine->files[i];
	int ret = 0;

	assert(i < w->pj->files_n && !w->attached[i]);
	*ef = (struct engine_file){
		.fd = -1, .size = f->end, .path = f->path, .alignment = t->alignment};
	if (!(pj->caps & ENGINE_NO_FILES)) {
		struct target_open how = {
			.path = f->path,
			.read = pj->reads || (!pj->writes && !pj->trims),
			.write = pj->writes || pj->trims,
			.direct = pj->o->direct && !(pj->caps & ENGINE_MAPS),
			.sync = (enum opt_sync)pj->o->sync,
			.create = t->create_on_open,
			.noatime = true,
			.hint = (enum opt_hint)pj->o->fadvise_hint,
			.random = pj->o->rw.bits & RW_RANDOM,
		};
		/* A mapping that is written needs both. */
		how.read = how.read || pj->caps & ENGINE_MAPS;
		ret = target_open(NULL, &how, &ef->fd, err);
		if (ret < 0)
			return ret;
		ef->block_device = t->kind == PLAN_BLOCK;
		ef->direct = how.direct;
		ret = files_prepare_cache(w, f, t, ef->fd, err);
	}
	if (!ret)
		ret = w->engine->ops->attach(w->engine, i, err);
	if (ret < 0) {
		if (ef->fd >= 0)
			close(ef->fd);
		ef->fd = -1;
		return ret;
	}
	w->files_open++;
	w->attached[i] = true;
	atomic_store_explicit(&w->shared.open_files, w->files_open, memory_order_relaxed);
	return 0;
}

int worker_close_file(struct worker *w, unsigned i)
{
	struct engine_file *ef = &w->engine->files[i];
	int ret = 0;

	if (!w->attached[i])
		return 0;
	w->engine->ops->detach(w->engine, i);
	w->attached[i] = false;
	w->files_open--;
	atomic_store_explicit(&w->shared.open_files, w->files_open, memory_order_relaxed);
	if (ef->fd < 0)
		return 0;
	if (w->pj->o->fsync_on_close && w->pj->writes) {
		uint64_t from = clock_now(w->clock);
		ret = fsync(ef->fd) ? -errno : 0;
		w->durable_ns = clock_now(w->clock);
		w->phase[PHASE_SYNC].syncs++;
		w->phase[PHASE_SYNC].ns += w->durable_ns - from;
	}
	close(ef->fd);
	ef->fd = -1;
	return ret;
}
