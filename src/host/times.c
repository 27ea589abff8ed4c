#include "host/times.h"
#include "host/task.h"
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int thread_times(const struct host *h, long tid, struct thread_times *out)
{
	char text[4096], which[40], *end;
	struct thread_times t = {0};
	struct task task;
	int ret = host_read_text(h, text, sizeof(text), "/proc/self/task/%ld/schedstat", tid);

	if (ret < 0)
		return ret;
	t.run_ns = strtoull(text, &end, 10);
	t.wait_ns = strtoull(end, NULL, 10);
	if (host_read_text(h, text, sizeof(text), "/proc/self/task/%ld/status", tid) == 0) {
		const char *p = strstr(text, "nonvoluntary_ctxt_switches:");
		t.preempted = p ? strtoull(p + strlen("nonvoluntary_ctxt_switches:"), NULL, 10) : 0;
	}
	snprintf(which, sizeof(which), "self/task/%ld", tid);
	if (task_read(h, which, &task) == 0)
		t.cpu = task.cpu;
	*out = t;
	return 0;
}

/* Time so far in which some task was stalled, ns; 0 unknown. */
static uint64_t times_stalled(const struct host *h, const char *what)
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
		m.irq_ns = (v[5] + v[6]) * task_tick_ns();
		m.steal_ns = v[7] * task_tick_ns();
		free(text);
	}
	m.memory_ns = times_stalled(h, "memory");
	m.io_ns = times_stalled(h, "io");
	*out = m;
}

static uint64_t times_since(uint64_t a, uint64_t b)
{
	return b > a ? b - a : 0;
}

struct machine_times machine_since(const struct machine_times *earlier,
				   const struct machine_times *later)
{
	return (struct machine_times){
		.steal_ns = times_since(earlier->steal_ns, later->steal_ns),
		.irq_ns = times_since(earlier->irq_ns, later->irq_ns),
		.memory_ns = times_since(earlier->memory_ns, later->memory_ns),
		.io_ns = times_since(earlier->io_ns, later->io_ns),
		.cpus = later->cpus,
	};
}

static bool times_read_file(char *text, size_t size, const char *path)
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
		if (e->d_name[0] == '.' || !times_read_file(text, sizeof(text), path) ||
		    strncmp(text, "iou-wrk-", 8))
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%.20s/schedstat", e->d_name);
		if (times_read_file(text, sizeof(text), path))
			ns += strtoull(text, NULL, 10);
	}
	if (dir)
		closedir(dir);
	return ns;
}
