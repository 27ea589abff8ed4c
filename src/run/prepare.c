/* Before the first worker starts: devices are claimed, files brought to their size, a few at a time
 * in parallel. */
#include "run/prepare.h"
#include "base/signals.h"
#include "target/guard.h"
#include "target/claim.h"
#include "target/layout.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAYOUT_THREADS 4u
#define MIB	       (1024u * 1024u)

struct item {
	unsigned target;
	struct layout_file file;
	struct err err;
	int rc;
	bool done;
	uint64_t ns;
};

struct work {
	struct pool *c;
	atomic_int *stop;
	struct item *items;
	unsigned n;
	atomic_uint next;
	atomic_int failed;
};

/* Keep others away from the devices that are written while the run lasts. */
static int prepare_claim_devices(struct pool *c)
{
	const struct plan *p = c->plan;
	const char **paths = calloc(p->targets_n ? p->targets_n : 1, sizeof(*paths));
	struct err err = {0};
	bool allow = false;
	unsigned n = 0;

	if (!paths)
		return -ENOMEM;
	for (unsigned i = 0; i < p->targets_n; i++) {
		const struct plan_target *t = &p->targets[i];
		if (t->kind != PLAN_BLOCK || !(t->written || t->trimmed))
			continue;
		paths[n++] = t->path;
		allow |= t->may_write_mounted;
	}
	int ret = n ? guard_claim_all(&c->env.host, NULL, paths, n, allow, c->claims, &err) : 0;
	if (ret < 0)
		diag_add_err(c->diag, "device-in-use", -1, &err);
	else
		c->claims_n = n;
	free(paths);
	return ret;
}

/* The signals that end a run are blocked while files are made: look for them after each write. */
static void prepare_check_signals(void *ctx, uint64_t bytes)
{
	struct work *work = ctx;

	(void)bytes;
	if (signals_pending())
		atomic_store(work->stop, 1);
}

static void prepare_lay_out_one(struct work *work, struct item *it)
{
	struct pool *c = work->c;
	const struct plan_target *t = &c->plan->targets[it->target];
	const struct plan_job *pj = &c->plan->jobs[t->first_job];
	struct layout l = {
		.may_create = t->may_create,
		.fsync = t->create_fsync,
		.enospc_ok = pj->o->fill_device,
		.seed = pj->seed[SEED_BUFFER] + it->target,
		.stop = work->stop,
		.progress = prepare_check_signals,
		.progress_ctx = work,
	};
	uint64_t from = clock_now(&c->env.clock);

	it->file = (struct layout_file){.path = t->path,
					.size = t->size_needed,
					.fill = t->fill,
					.fallocate = t->fallocate};
	it->rc = layout_file(&l, &it->file, &it->err);
	it->ns = clock_now(&c->env.clock) - from;
	it->done = true;
	if (it->rc < 0)
		atomic_store(&work->failed, 1);
}

static void *prepare_layout_main(void *arg)
{
	struct work *work = arg;

	for (;;) {
		unsigned i = atomic_fetch_add(&work->next, 1);
		if (i >= work->n || atomic_load(&work->failed))
			return NULL;
		prepare_lay_out_one(work, &work->items[i]);
	}
}

/* "NAME: Laying out IO file (1 file / 4MiB)", once a job, before it happens. */
static void prepare_announce(struct work *work)
{
	struct pool *c = work->c;

	for (unsigned i = 0; i < work->n; i++) {
		unsigned job = c->plan->targets[work->items[i].target].first_job, files = 0;
		uint64_t bytes = 0;
		char line[300];
		bool first = true;
		for (unsigned k = 0; k < work->n; k++) {
			const struct plan_target *t = &c->plan->targets[work->items[k].target];
			if (t->first_job != job)
				continue;
			first = first && k >= i;
			files++;
			bytes += t->size_needed - t->size_now;
		}
		if (!first || !c->hooks->info)
			continue;
		snprintf(line, sizeof(line), "%s: Laying out IO file%s (%u file%s / %s%lluMiB)",
			 c->plan->jobs[job].name, files > 1 ? "s" : "", files, files > 1 ? "s" : "",
			 files > 1 ? "total " : "", (unsigned long long)(bytes / MIB));
		c->hooks->info(c->hooks->ctx, line);
	}
}

static void prepare_run_layout(struct work *work)
{
	pthread_t threads[LAYOUT_THREADS];
	unsigned n = 0, want = work->n < LAYOUT_THREADS ? work->n : LAYOUT_THREADS;

	for (unsigned i = 1; i < want; i++)
		if (!pthread_create(&threads[n], NULL, prepare_layout_main, work))
			n++;
	prepare_layout_main(work);
	for (unsigned i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

/* Files as they were: nobody has written to them yet. */
static void prepare_undo(struct work *work)
{
	struct layout l = {0};

	for (unsigned i = 0; i < work->n; i++)
		if (work->items[i].done && work->items[i].rc == 0)
			IGNORE_RESULT(layout_undo(&l, &work->items[i].file));
}

static int prepare_settle(struct work *work)
{
	struct pool *c = work->c;
	int ret = 0;

	for (unsigned i = 0; i < work->n; i++) {
		struct item *it = &work->items[i];
		unsigned job = c->plan->targets[it->target].first_job;
		if (!it->done)
			continue;
		if (it->rc < 0) {
			diag_add_err(c->diag, "layout", (int)job, &it->err);
			ret = ret ? ret : it->rc;
			continue;
		}
		c->created[it->target] = it->file.created;
		c->layout[job].ns += it->ns;
		c->layout[job].bytes[DIR_WRITE] += it->file.written;
	}
	return ret;
}

int prepare_targets(struct pool *c, atomic_int *stop)
{
	struct work work = {.c = c, .stop = stop};
	int ret = prepare_claim_devices(c);

	if (ret < 0)
		return ret;
	work.items = calloc(c->plan->targets_n ? c->plan->targets_n : 1, sizeof(*work.items));
	if (!work.items)
		return -ENOMEM;
	for (unsigned i = 0; i < c->plan->targets_n; i++)
		if (c->plan->targets[i].lay_out)
			work.items[work.n++].target = i;
	prepare_announce(&work);
	if (work.n)
		prepare_run_layout(&work);
	ret = prepare_settle(&work);
	if (ret < 0)
		prepare_undo(&work);
	free(work.items);
	return ret;
}

static bool prepare_may_unlink(const struct pool *c, const struct plan_job *pj, uint32_t target)
{
	const struct plan_target *t = &c->plan->targets[target];

	if (!pj->o->unlink || pj->caps & ENGINE_NO_FILES || (t->kind != PLAN_REGULAR && t->exists))
		return false;
	/* A read job removes only what this run made. */
	return pj->writes || c->created[target];
}

static void prepare_unlink_files(struct pool *c)
{
	for (unsigned j = 0; j < c->plan->jobs_n; j++) {
		const struct plan_job *pj = &c->plan->jobs[j];
		for (unsigned i = 0; i < pj->files_n; i++) {
			struct stat st;
			if (prepare_may_unlink(c, pj, pj->files[i].target) &&
			    !stat(pj->files[i].path, &st) && S_ISREG(st.st_mode))
				unlink(pj->files[i].path);
		}
	}
}

void prepare_release(struct pool *c)
{
	for (unsigned i = 0; i < c->claims_n; i++)
		if (c->claims[i] >= 0)
			close(c->claims[i]);
	c->claims_n = 0;
	prepare_unlink_files(c);
}
