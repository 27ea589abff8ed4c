#include "run/watch_other.h"
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t tick_ns(void)
{
	long hz = sysconf(_SC_CLK_TCK);

	return 1000000000ull / (uint64_t)(hz > 0 ? hz : 100);
}

/* The last field of stat before which a name with blanks and brackets stands: count from the last
 * bracket. */
static const char *stat_field(const char *text, unsigned n)
{
	const char *p = strrchr(text, ')');

	for (unsigned i = 2; p && i < n; i++) {
		p = strchr(p + 1, ' ');
	}
	return p ? p + 1 : NULL;
}

int thread_times(const struct host *h, long tid, struct thread_times *out)
{
	char text[4096], *end;
	struct thread_times t = {0};
	int rc = host_read_text(h, text, sizeof(text), "/proc/self/task/%ld/schedstat", tid);

	if (rc < 0)
		return rc;
	t.run_ns = strtoull(text, &end, 10);
	t.wait_ns = strtoull(end, NULL, 10);
	if (host_read_text(h, text, sizeof(text), "/proc/self/task/%ld/status", tid) == 0) {
		const char *p = strstr(text, "nonvoluntary_ctxt_switches:");
		t.preempted = p ? strtoull(p + strlen("nonvoluntary_ctxt_switches:"), NULL, 10) : 0;
	}
	if (host_read_text(h, text, sizeof(text), "/proc/self/task/%ld/stat", tid) == 0) {
		const char *p = stat_field(text, 39);
		t.cpu = p ? (unsigned)strtoul(p, NULL, 10) : 0;
	}
	*out = t;
	return 0;
}

/* Time so far in which some task was stalled, ns; 0 unknown. */
static uint64_t stalled(const struct host *h, const char *what)
{
	char text[400];

	if (host_read_text(h, text, sizeof(text), "/proc/pressure/%s", what) < 0)
		return 0;
	const char *p = strstr(text, "total=");
	return p ? strtoull(p + 6, NULL, 10) * 1000u : 0;
}

void machine_times(const struct host *h, struct machine_times *out)
{
	struct machine_times m = {.cpus = 0};
	char *text;
	uint64_t v[10] = {0};

	if (host_read_all(h, &text, NULL, "/proc/stat") == 0) {
		char *p = text + 3; /* "cpu " */
		for (unsigned i = 0; i < 10; i++)
			v[i] = strtoull(p, &p, 10);
		for (p = strstr(text, "\ncpu"); p; p = strstr(p + 1, "\ncpu"))
			m.cpus += isdigit((unsigned char)p[4]) != 0;
		m.irq_ns = (v[5] + v[6]) * tick_ns();
		m.steal_ns = v[7] * tick_ns();
		free(text);
	}
	m.memory_ns = stalled(h, "memory");
	m.io_ns = stalled(h, "io");
	*out = m;
}

static uint64_t since(uint64_t a, uint64_t b)
{
	return b > a ? b - a : 0;
}

struct machine_times machine_since(const struct machine_times *earlier,
				   const struct machine_times *later)
{
	return (struct machine_times){
		.steal_ns = since(earlier->steal_ns, later->steal_ns),
		.irq_ns = since(earlier->irq_ns, later->irq_ns),
		.memory_ns = since(earlier->memory_ns, later->memory_ns),
		.io_ns = since(earlier->io_ns, later->io_ns),
		.cpus = later->cpus,
	};
}

static bool read_file(char *text, size_t size, const char *path)
{
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;

	if (f)
		fclose(f);
	text[n] = 0;
	return n > 0;
}

uint64_t kernel_worker_time(void)
{
	DIR *dir = opendir("/proc/self/task");
	uint64_t ns = 0;
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		char path[300], text[120];
		snprintf(path, sizeof(path), "/proc/self/task/%.20s/comm", e->d_name);
		if (e->d_name[0] == '.' || !read_file(text, sizeof(text), path) ||
		    strncmp(text, "iou-wrk-", 8))
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%.20s/schedstat", e->d_name);
		if (read_file(text, sizeof(text), path))
			ns += strtoull(text, NULL, 10);
	}
	if (dir)
		closedir(dir);
	return ns;
}

struct task {
	long pid;
	uint64_t ticks;
};

struct busiest {
	struct task *v;
	size_t n, room;
};

static bool read_task(long pid, uint64_t *ticks, char *name, size_t size)
{
	char path[64], text[1024];

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	if (!read_file(text, sizeof(text), path))
		return false;
	const char *open = strchr(text, '('), *close = strrchr(text, ')'),
		   *p = stat_field(text, 14);
	char *end;
	if (!open || !close || !p)
		return false;
	*ticks = strtoull(p, &end, 10);
	*ticks += strtoull(end, NULL, 10);
	snprintf(name, size, "%.*s", (int)(close - open - 1), open + 1);
	return true;
}

static uint64_t ticks_before(const struct busiest *b, long pid, uint64_t fallback)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].pid == pid)
			return b->v[i].ticks;
	return fallback;
}

static bool remember(struct busiest *b, long pid, uint64_t ticks)
{
	if (b->n == b->room) {
		size_t room = b->room ? b->room * 2 : 256;
		struct task *v = realloc(b->v, room * sizeof(*v));
		if (!v)
			return false;
		b->v = v;
		b->room = room;
	}
	b->v[b->n++] = (struct task){pid, ticks};
	return true;
}

uint64_t busiest_look(struct busiest **b, char *who, size_t size)
{
	struct busiest now = {0}, *old = *b;
	DIR *dir = opendir("/proc");
	uint64_t most = 0;
	struct dirent *e;

	who[0] = 0;
	while (dir && (e = readdir(dir))) {
		long pid = strtol(e->d_name, NULL, 10);
		uint64_t ticks;
		char name[64];
		if (pid <= 0 || pid == getpid() || !read_task(pid, &ticks, name, sizeof(name)))
			continue;
		uint64_t used = old ? ticks - ticks_before(old, pid, ticks) : 0;
		if (used > most) {
			most = used;
			snprintf(who, size, "%s (%ld)", name, pid);
		}
		if (!remember(&now, pid, ticks))
			break;
	}
	if (dir)
		closedir(dir);
	if (!old)
		old = *b = calloc(1, sizeof(*old));
	else
		free(old->v);
	if (old)
		*old = now;
	else
		free(now.v);
	return most * tick_ns();
}

void busiest_free(struct busiest *b)
{
	if (b)
		free(b->v);
	free(b);
}
