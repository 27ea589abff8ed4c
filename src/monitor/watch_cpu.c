#include "monitor/watch_cpu.h"
#include "host/task.h"
#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct seen {
	long pid;
	struct task t;
	uint64_t used; /* ticks since the look before */
};

struct busiest {
	struct seen *v; /* ascending by number, as /proc is */
	size_t n, room;
};

static int watch_cpu_by_pid(const void *x, const void *y)
{
	const struct seen *a = x, *b = y;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static bool watch_cpu_remember(struct busiest *b, const struct seen *one)
{
	if (b->n == b->room) {
		size_t room = b->room ? b->room * 2 : 256;
		struct seen *v = realloc(b->v, room * sizeof(*v));
		if (!v)
			return false;
		b->v = v;
		b->room = room;
	}
	b->v[b->n++] = *one;
	return true;
}

/* A task that was not there before has used all that it ever used since. */
static uint64_t watch_cpu_used_since(const struct busiest *before, const struct seen *one)
{
	const struct seen *was =
		before->n ? bsearch(one, before->v, before->n, sizeof(*one), watch_cpu_by_pid)
			  : NULL;

	if (!was || was->t.start != one->t.start)
		return one->t.ticks;
	return one->t.ticks > was->t.ticks ? one->t.ticks - was->t.ticks : 0;
}

void busiest_look(const struct host *h, struct busiest **b)
{
	char path[HOST_PATH_MAX];
	struct busiest now = {0}, *old = *b;
	DIR *dir = host_path(h, path, sizeof(path), "/proc") ? NULL : opendir(path);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		struct seen one = {.pid = strtol(e->d_name, NULL, 10)};
		if (one.pid <= 0 || one.pid == getpid() || task_read(h, e->d_name, &one.t))
			continue;
		one.used = old ? watch_cpu_used_since(old, &one) : 0;
		if (!watch_cpu_remember(&now, &one))
			break;
	}
	if (dir)
		closedir(dir);
	if (now.n)
		qsort(now.v, now.n, sizeof(*now.v), watch_cpu_by_pid);
	if (!old)
		old = *b = calloc(1, sizeof(*old));
	else
		free(old->v);
	if (old)
		*old = now;
	else
		free(now.v);
}

uint64_t busiest_on(const struct busiest *b, const struct cpuset *cpus, char *who, size_t size)
{
	const struct seen *most = NULL;

	assert(cpus && who && size);
	who[0] = 0;
	for (size_t i = 0; b && i < b->n; i++) {
		const struct seen *one = &b->v[i];
		if (!one->used || (most && one->used <= most->used) ||
		    (one->t.threads == 1 && cpus->n && !cpuset_has(cpus, one->t.cpu)))
			continue;
		most = one;
	}
	if (!most)
		return 0;
	snprintf(who, size, "%s (%ld)", most->t.name, most->pid);
	for (char *p = who; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			*p = '?'; /* anybody may call itself anything */
	return most->used * task_tick_ns();
}

void busiest_free(struct busiest *b)
{
	if (b)
		free(b->v);
	free(b);
}

static bool watch_cpu_within(const struct cpuset *inner, const struct cpuset *outer)
{
	if (inner->cpu == outer->cpu && inner->n == outer->n)
		return true; /* clones share their list */
	for (unsigned i = 0; i < inner->n; i++)
		if (!cpuset_has(outer, inner->cpu[i]))
			return false;
	return true;
}

unsigned workers_within(const struct worker_env *env, const struct cpuset *allowed,
			const struct cpuset *cpus)
{
	unsigned n = 0;

	assert(env && env->plan);
	for (unsigned i = 0; i < env->plan->jobs_n; i++) {
		const struct worker *k = env->workers[i];
		const struct cpuset *his = &env->plan->jobs[i].cpus;
		unsigned state = k ? atomic_load_explicit(&k->shared.state, memory_order_acquire)
				   : WORKER_NONE;
		if (state == WORKER_RUN || state == WORKER_DRAIN)
			n += watch_cpu_within(his->n ? his : allowed, cpus);
	}
	return n;
}
