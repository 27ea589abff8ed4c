#include "host/busy.h"

#include "host/list.h"
#include "host/task.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MAX 64u

struct task_look {
	struct busy_task t; /* cpu_ns and io_bytes since it began */
	uint64_t born;	    /* tells a new task with an old number */
	bool io;
};

struct cpu_look {
	unsigned cpu;
	uint64_t user, idle, irq, steal, all; /* ticks */
};

struct busy_look {
	struct task_look *task;
	unsigned tasks;
	struct cpu_look *cpu;
	unsigned cpus;
	struct cpu_look sum;
};

static bool busy_read_io_file(const struct host *h, const char *pid, const char *thread,
			      uint64_t *bytes)
{
	char io[512], *r, *w;
	if (host_read_text(h, io, sizeof(io), thread ? "/proc/%s/task/%s/io" : "/proc/%s/io", pid,
			   thread) ||
	    !(r = strstr(io, "\nread_bytes: ")) || !(w = strstr(io, "\nwrite_bytes: ")))
		return false;
	*bytes += strtoull(r + 13, NULL, 10) + strtoull(w + 14, NULL, 10);
	return true;
}

/* The figures of a process hold those of all children it has waited for, which may be hours of
 * somebody's work: its threads are asked one by one, as long as they are few. */
static bool busy_read_io(const struct host *h, const char *pid, unsigned threads, uint64_t *bytes)
{
	struct arena a;
	struct host_names list = {0};
	bool known = false;
	if (threads > THREADS_MAX)
		return busy_read_io_file(h, pid, NULL, bytes);
	arena_init(&a, 0);
	if (!host_list_dir(h, &a, &list, "/proc/%s/task", pid))
		for (unsigned i = 0; i < list.n; i++)
			known |= busy_read_io_file(h, pid, list.v[i], bytes);
	arena_release(&a);
	return known;
}

static bool busy_read_task(const struct host *h, const char *pid, struct task_look *out)
{
	struct task t;
	if (task_read(h, pid, &t))
		return false;
	memset(out, 0, sizeof(*out));
	snprintf(out->t.name, sizeof(out->t.name), "%.31s", t.name);
	out->t.pid = (unsigned)strtoul(pid, NULL, 10);
	out->t.cpu = t.cpu;
	out->t.cpu_ns = t.ticks * task_tick_ns();
	out->born = t.start;
	out->io = busy_read_io(h, pid, t.threads, &out->t.io_bytes);
	return true;
}

static int busy_look_tasks(const struct host *h, struct arena *a, struct busy_look *l)
{
	struct host_names all = {0};
	int ret = host_list_dir(h, a, &all, "/proc");
	if (ret)
		return ret;
	l->task = arena_new(a, struct task_look, all.n ? all.n : 1);
	if (!l->task)
		return -ENOMEM;
	for (unsigned i = 0; i < all.n; i++)
		if (all.v[i][0] >= '0' && all.v[i][0] <= '9' &&
		    busy_read_task(h, all.v[i], &l->task[l->tasks]))
			l->tasks++;
	return 0;
}

/* "cpu3 user nice system idle iowait irq softirq steal guest guest_nice" */
static bool busy_parse_cpu(char *line, struct cpu_look *out)
{
	uint64_t v[8] = {0}, all = 0;
	char *end = line + 3;
	if (strncmp(line, "cpu", 3))
		return false;
	/* "cpu  " is the sum. */
	unsigned cpu = line[3] == ' ' ? 0 : (unsigned)strtoul(line + 3, &end, 10);
	for (unsigned i = 0; i < 8; i++) {
		v[i] = strtoull(end, &end, 10);
		all += v[i];
	}
	*out = (struct cpu_look){cpu, v[0] + v[1] + v[2], v[3] + v[4], v[5] + v[6], v[7], all};
	return true;
}

static int busy_look_cpus(const struct host *h, struct arena *a, struct busy_look *l)
{
	char *text, *save = NULL;
	int ret = host_read_all(h, &text, NULL, "/proc/stat");
	unsigned room = 1;
	if (ret)
		return ret;
	for (const char *p = text; (p = strstr(p, "\ncpu")); p++)
		room++;
	l->cpu = arena_new(a, struct cpu_look, room);
	if (!l->cpu)
		ret = -ENOMEM;
	for (char *line = strtok_r(text, "\n", &save); line && !ret;
	     line = strtok_r(NULL, "\n", &save)) {
		struct cpu_look c;
		if (!busy_parse_cpu(line, &c))
			continue;
		if (line[3] == ' ')
			l->sum = c;
		else if (l->cpus < room)
			l->cpu[l->cpus++] = c;
	}
	free(text);
	return ret;
}

int busy_start(const struct host *h, struct arena *a, struct busy_look **out)
{
	struct busy_look *l = arena_new(a, struct busy_look, 1);
	if (!l)
		return -ENOMEM;
	int ret = busy_look_cpus(h, a, l);
	if (!ret)
		ret = busy_look_tasks(h, a, l);
	if (!ret)
		*out = l;
	return ret;
}

static double busy_percent(uint64_t earlier, uint64_t later, uint64_t span)
{
	return later > earlier && span ? 100.0 * (double)(later - earlier) / (double)span : 0;
}

static const struct task_look *busy_find_task(const struct busy_look *l, const struct task_look *t)
{
	for (unsigned i = 0; i < l->tasks; i++)
		if (l->task[i].t.pid == t->t.pid && l->task[i].born == t->born)
			return &l->task[i];
	return NULL;
}

static int busy_by_time(const void *x, const void *y)
{
	const struct busy_task *a = x, *b = y;
	return a->cpu_ns > b->cpu_ns ? -1 : a->cpu_ns < b->cpu_ns;
}

static void busy_differ_tasks(const struct busy_look *first, const struct busy_look *second,
			      struct busy *out)
{
	unsigned self = (unsigned)getpid();
	for (unsigned i = 0; i < second->tasks; i++) {
		struct busy_task t = second->task[i].t;
		const struct task_look *was = busy_find_task(first, &second->task[i]);
		out->io_hidden |= !second->task[i].io;
		if (t.pid == self)
			continue;
		if (was) {
			t.cpu_ns -= was->t.cpu_ns < t.cpu_ns ? was->t.cpu_ns : t.cpu_ns;
			t.io_bytes -= was->t.io_bytes < t.io_bytes ? was->t.io_bytes : t.io_bytes;
		}
		if (t.cpu_ns || t.io_bytes)
			out->task[out->tasks++] = t;
	}
	if (out->tasks)
		qsort(out->task, out->tasks, sizeof(*out->task), busy_by_time);
}

int busy_end(const struct host *h, struct arena *a, const struct busy_look *first, uint64_t span_ns,
	     struct busy *out)
{
	struct busy_look *l;
	struct busy b = {.span_ns = span_ns};
	int ret = busy_start(h, a, &l);
	if (ret)
		return ret;
	b.task = arena_new(a, struct busy_task, l->tasks ? l->tasks : 1);
	b.cpu = arena_new(a, struct busy_cpu, l->cpus ? l->cpus : 1);
	if (!b.task || !b.cpu)
		return -ENOMEM;
	for (unsigned i = 0; i < l->cpus; i++)
		for (unsigned k = 0; k < first->cpus; k++) {
			const struct cpu_look *x = &first->cpu[k], *y = &l->cpu[i];
			uint64_t span = y->all > x->all ? y->all - x->all : 0;
			if (x->cpu != y->cpu)
				continue;
			b.cpu[b.cpus++] = (struct busy_cpu){
				y->cpu, busy_percent(x->user + x->irq, y->user + y->irq, span),
				busy_percent(x->irq, y->irq, span),
				busy_percent(x->steal, y->steal, span)};
		}
	b.steal = busy_percent(first->sum.steal, l->sum.steal,
			       l->sum.all > first->sum.all ? l->sum.all - first->sum.all : 0);
	busy_differ_tasks(first, l, &b);
	*out = b;
	return 0;
}
