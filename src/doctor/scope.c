/* What is to be checked: the devices under the targets, the CPUs the jobs may use, and what they do
 * to each device. */
#include "doctor/scope.h"
#include "host/blocktree.h"
#include "doctor/check_job.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int scope_cpu_order(const void *x, const void *y)
{
	unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
	return a < b ? -1 : a > b;
}

int scope_join(struct doctor *d, struct cpuset *to, const struct cpuset *more)
{
	assert(to != more);
	unsigned n = 0, *v = arena_new(d->a, unsigned, to->n + more->n + 1);
	if (!v)
		return -ENOMEM;
	if (to->n)
		memcpy(v, to->cpu, to->n * sizeof(*v));
	if (more->n)
		memcpy(v + to->n, more->cpu, more->n * sizeof(*v));
	qsort(v, to->n + more->n, sizeof(*v), scope_cpu_order);
	for (unsigned i = 0; i < to->n + more->n; i++)
		if (!n || v[n - 1] != v[i])
			v[n++] = v[i];
	*to = (struct cpuset){v, n};
	return 0;
}

static int scope_find_cpus(struct doctor *d)
{
	const struct plan *p = d->in.plan;
	int ret =
		d->h->root[0] ? cpu_online(d->h, d->a, &d->usable) : cpu_allowed(d->a, &d->usable);
	if (ret == -ENOMEM)
		return ret;
	d->pinned = p && p->jobs_n;
	d->only_polls = d->pinned;
	ret = 0;
	for (unsigned i = 0; p && i < p->jobs_n && !ret; i++) {
		const struct plan_job *pj = &p->jobs[i];
		d->pinned &= pj->cpus.n > 0;
		d->only_polls &= check_job_polls(pj);
		/* Clones have the CPUs of the first. */
		if (pj->clone == 0)
			ret = scope_join(d, &d->cpus, pj->cpus.n ? &pj->cpus : &d->usable);
	}
	if (!p || !p->jobs_n)
		d->cpus = d->usable;
	for (unsigned w = 0; p && w < p->stages_n; w++) {
		unsigned workers = 0, pollers = 0;
		for (unsigned i = 0; i < p->jobs_n; i++)
			if (p->jobs[i].stage == w) {
				workers++;
				pollers += check_job_polls(&p->jobs[i]);
			}
		d->workers = workers > d->workers ? workers : d->workers;
		d->pollers = pollers > d->pollers ? pollers : d->pollers;
	}
	return ret;
}

static bool scope_syncs(const struct plan_job *pj)
{
	return pj->o->fsync || pj->o->fdatasync || pj->o->sync != SYNC_NONE;
}

static int scope_use_add(struct doctor *d, struct check_use *u, const struct plan_job *pj)
{
	bool random = pj->o->rw.bits & RW_RANDOM, direct = pj->o->direct;
	bool polls = check_job_polls(pj);
	if (!u->any) {
		u->pinned = u->only_polls = u->fsyncs = true;
		u->any = true;
	}
	u->reads |= pj->reads;
	u->writes |= pj->writes || pj->trims;
	u->random |= random;
	u->sequential |= !random;
	u->direct |= direct;
	u->buffered |= !direct || pj->caps & ENGINE_MAPS;
	u->fsyncs &= !pj->writes || scope_syncs(pj);
	u->polls |= polls;
	u->only_polls &= polls;
	u->pinned &= pj->cpus.n > 0;
	for (unsigned i = 0; i < DIRS; i++)
		if (pj->min_len[i] && (!u->min_len || pj->min_len[i] < u->min_len))
			u->min_len = (uint32_t)pj->min_len[i];
	return scope_join(d, &u->cpus, pj->cpus.n ? &pj->cpus : &d->usable);
}

static int scope_use_join(struct doctor *d, struct check_use *to, const struct check_use *more)
{
	if (!to->any && !to->cpus.n) {
		*to = *more;
		return 0;
	}
	if (!more->any)
		return 0;
	to->reads |= more->reads;
	to->writes |= more->writes;
	to->random |= more->random;
	to->sequential |= more->sequential;
	to->direct |= more->direct;
	to->buffered |= more->buffered;
	to->fsyncs &= more->fsyncs;
	to->polls |= more->polls;
	to->only_polls &= more->only_polls;
	to->pinned &= more->pinned;
	to->depth = more->depth > to->depth ? more->depth : to->depth;
	if (more->min_len && (!to->min_len || more->min_len < to->min_len))
		to->min_len = more->min_len;
	return scope_join(d, &to->cpus, &more->cpus);
}

/* The folder a file that does not exist yet will be in, the deepest that is there. */
static int scope_device_of_missing(const struct host *h, const char *path, struct blockdev *out)
{
	char folder[HOST_PATH_MAX];
	struct stat st;
	if ((size_t)snprintf(folder, sizeof(folder), "%s%s", path[0] == '/' ? "" : "./", path) >=
	    sizeof(folder))
		return -ENAMETOOLONG;
	char *slash;
	while ((slash = strrchr(folder, '/'))) {
		if (slash == folder) {
			folder[1] = '\0';
			break;
		}
		*slash = '\0';
		if (!stat(folder, &st))
			break;
	}
	return blockdev_of_file(h, folder, out);
}

static int scope_device_of(const struct host *h, const char *path, bool *raw, struct blockdev *out)
{
	struct stat st;
	*raw = false;
	if (h->root[0]) {
		*raw = !blockdev_of_source(h, path, out);
		return *raw ? 0 : blockdev_of_dev(h, 0, 0, path, out);
	}
	if (stat(path, &st))
		return scope_device_of_missing(h, path, out);
	*raw = S_ISBLK(st.st_mode);
	return blockdev_of_file(h, path, out);
}

const struct mount *scope_mount(struct doctor *d, const char *path)
{
	char folder[HOST_PATH_MAX], *real = NULL;
	if (!d->mounts_known)
		return NULL;
	if (!d->h->root[0]) {
		const char *slash = strrchr(path, '/');
		real = realpath(path, NULL);
		/* Not there yet: the mount of its folder. */
		if (!real && (size_t)snprintf(folder, sizeof(folder), "%.*s/.",
					      slash ? (int)(slash - path) : 1,
					      slash ? path : ".") < sizeof(folder))
			real = realpath(folder, NULL);
	}
	const struct mount *m = mounts_find_path(&d->mounts, 0, real ? real : path);
	free(real);
	return m;
}

/* The entry of a device (files of the same device share one), made when new; NULL without memory.
 */
static struct check_top *scope_top_of(struct doctor *d, const struct blockdev *dev,
				      const char *path)
{
	for (unsigned i = 0; i < d->tops; i++)
		if (!strcmp(d->top[i].dev.name, dev->name) && !d->top[i].path == !path)
			return &d->top[i];
	struct check_top *v = arena_new(d->a, struct check_top, d->tops + 1);
	if (!v)
		return NULL;
	if (d->tops)
		memcpy(v, d->top, d->tops * sizeof(*v));
	d->top = v;
	v += d->tops++;
	v->dev = *dev;
	v->path = path;
	if (path)
		v->mount = scope_mount(d, path);
	else if (d->mounts_known)
		v->mount = mounts_find_device(d->h, &d->mounts, dev->major, dev->minor, dev->name);
	return v;
}

static int scope_lose(struct doctor *d, const char *path)
{
	const char **v = arena_new(d->a, const char *, d->losts + 1);
	if (!v)
		return -ENOMEM;
	if (d->losts)
		memcpy(v, d->lost, d->losts * sizeof(*v));
	d->lost = v;
	v[d->losts++] = path;
	return 0;
}

/* Most I/Os in flight on a device at once: the sum over the workers of a stage. */
static unsigned scope_depth_of(struct doctor *d, const unsigned *top_of_target, unsigned top)
{
	const struct plan *p = d->in.plan;
	unsigned most = 0;
	for (unsigned w = 0; w < p->stages_n; w++) {
		unsigned sum = 0;
		for (unsigned i = 0; i < p->jobs_n; i++) {
			const struct plan_job *pj = &p->jobs[i];
			for (unsigned k = 0; pj->stage == w && k < pj->files_n; k++)
				if (top_of_target[pj->files[k].target] == top) {
					sum += pj->depth;
					break;
				}
		}
		most = sum > most ? sum : most;
	}
	return most;
}

static int scope_tops_of_plan(struct doctor *d)
{
	const struct plan *p = d->in.plan;
	unsigned *of = arena_new(d->a, unsigned, p->targets_n + 1);
	int ret = of ? 0 : -ENOMEM;
	for (unsigned i = 0; i < p->targets_n && !ret; i++) {
		const struct plan_target *t = &p->targets[i];
		struct blockdev dev;
		bool raw;
		of[i] = UINT32_MAX;
		if (t->kind == PLAN_NONE)
			continue;
		if (scope_device_of(d->h, t->path, &raw, &dev)) {
			ret = scope_lose(d, t->path);
			continue;
		}
		struct check_top *top = scope_top_of(d, &dev, raw ? NULL : t->path);
		if (!top)
			return -ENOMEM;
		of[i] = (unsigned)(top - d->top);
		if (!raw && t->size_needed > t->size_now)
			top->needs += t->size_needed - t->size_now;
	}
	for (unsigned i = 0; i < p->jobs_n && !ret; i++) {
		const struct plan_job *pj = &p->jobs[i];
		for (unsigned k = 0; k < pj->files_n && !ret && pj->clone == 0; k++)
			if (of[pj->files[k].target] != UINT32_MAX)
				ret = scope_use_add(d, &d->top[of[pj->files[k].target]].use, pj);
	}
	for (unsigned i = 0; i < d->tops && !ret; i++)
		d->top[i].use.depth = scope_depth_of(d, of, i);
	return ret;
}

static int scope_leaf_add(struct doctor *d, const struct blockdev *dev, const struct check_use *use)
{
	assert(dev && use);
	for (unsigned i = 0; i < d->leaves; i++)
		if (!strcmp(d->leaf[i].dev.name, dev->name))
			return scope_use_join(d, &d->leaf[i].use, use);
	struct check_leaf *v = arena_new(d->a, struct check_leaf, d->leaves + 1);
	if (!v)
		return -ENOMEM;
	if (d->leaves)
		memcpy(v, d->leaf, d->leaves * sizeof(*v));
	d->leaf = v;
	v += d->leaves++;
	v->dev = *dev;
	v->use = *use;
	queue_read(d->h, dev, &v->queue);
	return 0;
}

/* Disks with nothing below them. A multipath NVMe disk is one: its paths are hidden. */
static int scope_leaves_of(struct doctor *d, const struct check_top *top)
{
	struct host_names below = {0};
	int ret = host_names_add(&below, d->a, top->dev.name);
	if (!ret)
		ret = blockdev_below(d->h, top->dev.name, d->a, &below);
	if (ret == -ENOENT)
		ret = 0;
	for (unsigned i = 0; i < below.n && !ret; i++) {
		struct host_names slaves = {0};
		struct blockdev b;
		if (blockdev_of_name(d->h, below.v[i], &b) || b.partition || b.hidden)
			continue;
		bool multipath = !strncmp(b.name, "nvme", 4);
		if (!multipath && !blockdev_slaves(d->h, b.name, d->a, &slaves) && slaves.n)
			continue;
		ret = scope_leaf_add(d, &b, &top->use);
	}
	return ret;
}

int scope_find(struct doctor *d)
{
	struct blockdev dev;
	bool raw = true;
	int ret = scope_find_cpus(d);
	if (!ret && d->in.plan)
		ret = scope_tops_of_plan(d);
	if (!ret && (d->in.device || d->in.path)) {
		ret = d->in.device ? blockdev_of_name(d->h, d->in.device, &dev)
				   : scope_device_of(d->h, d->in.path, &raw, &dev);
		if (ret && !d->in.device)
			return scope_lose(d, d->in.path);
		if (ret)
			return -ENODEV;
		struct check_top *top = scope_top_of(d, &dev, raw ? NULL : d->in.path);
		if (!top)
			return -ENOMEM;
		top->use.cpus = d->usable;
	}
	for (unsigned i = 0; i < d->tops && !ret; i++)
		ret = scope_leaves_of(d, &d->top[i]);
	return ret;
}
