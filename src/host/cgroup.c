#include "host/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "/sys/fs/cgroup"

/* The folder of our group: version 2, or the version 1 hierarchy of a controller. */
struct group {
	unsigned version;
	char mount[64]; /* below ROOT: "", "/unified", "/cpu,cpuacct" */
	char path[256];
};

static bool cgroup_has_word(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
		if (!strncmp(p, word, n) && (p[n] == ',' || p[n] == '\0'))
			return true;
	return false;
}

/* One line of /proc/self/cgroup: "4:cpu,cpuacct:/a/b" or "0::/a/b". */
static bool cgroup_line_matches(char *line, const char *controller, struct group *g)
{
	char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
	if (!path)
		return false;
	*path++ = '\0';
	list++;
	if (controller ? !cgroup_has_word(list, controller) : list[0] != '\0')
		return false;
	g->version = controller ? 1 : 2;
	snprintf(g->mount, sizeof(g->mount), "%s%.60s", controller ? "/" : "",
		 controller ? list : "");
	/* A group above the root of our name space shows as "/..": only what is below is seen. */
	snprintf(g->path, sizeof(g->path), "%.250s", strstr(path, "/..") ? "/" : path);
	return true;
}

static int cgroup_find_line(const struct host *h, const char *controller, struct group *g)
{
	char *text, *save = NULL;
	int ret = host_read_all(h, &text, NULL, "/proc/self/cgroup");
	if (ret)
		return ret;
	ret = -ENOENT;
	for (char *line = strtok_r(text, "\n", &save); line && ret;
	     line = strtok_r(NULL, "\n", &save))
		if (cgroup_line_matches(line, controller, g))
			ret = 0;
	free(text);
	return ret;
}

static int cgroup_find_group(const struct host *h, const char *controller, struct group *g)
{
	memset(g, 0, sizeof(*g));
	if (!cgroup_find_line(h, controller, g)) {
		if (host_exists(h, ROOT "%s", g->mount))
			return 0;
		snprintf(g->mount, sizeof(g->mount), "/%s", controller);
		return host_exists(h, ROOT "%s", g->mount) ? 0 : -ENOENT;
	}
	if (cgroup_find_line(h, NULL, g))
		return -ENOENT;
	if (host_exists(h, ROOT "/cgroup.controllers"))
		return 0;
	snprintf(g->mount, sizeof(g->mount), "/unified");
	return host_exists(h, ROOT "/unified/cgroup.controllers") ? 0 : -ENOENT;
}

/* From our group to the root: the next one up; false above the root. In a container the path may be
 * that of the host, whose folders we do not see: they are passed over. */
static bool cgroup_go_up(char *path)
{
	char *slash = strrchr(path, '/');
	if (!slash || !path[0] || !strcmp(path, "/"))
		return false;
	if (slash == path)
		slash[1] = '\0';
	else
		*slash = '\0';
	return true;
}

static int cgroup_read_file(const struct host *h, const struct group *g, const char *path,
			    const char *what, char *buf, size_t size)
{
	return host_read_text(h, buf, size, ROOT "%s%s/%s", g->mount, strcmp(path, "/") ? path : "",
			      what);
}

/* CPU time of one group; false without a limit. */
static bool cgroup_cpu_limit(const struct host *h, const struct group *g, const char *path,
			     double *cpus)
{
	char text[64], more[64];
	double quota, period;
	if (g->version == 2) {
		if (cgroup_read_file(h, g, path, "cpu.max", text, sizeof(text)) ||
		    sscanf(text, "%lf %lf", &quota, &period) != 2)
			return false;
	} else {
		if (cgroup_read_file(h, g, path, "cpu.cfs_quota_us", text, sizeof(text)) ||
		    cgroup_read_file(h, g, path, "cpu.cfs_period_us", more, sizeof(more)) ||
		    sscanf(text, "%lf", &quota) != 1 || sscanf(more, "%lf", &period) != 1)
			return false;
	}
	if (quota <= 0 || period <= 0)
		return false;
	*cpus = quota / period;
	return true;
}

static uint64_t cgroup_memory_limit(const struct host *h, const struct group *g, const char *path)
{
	char text[64], *end;
	if (cgroup_read_file(h, g, path, g->version == 2 ? "memory.max" : "memory.limit_in_bytes",
			     text, sizeof(text)))
		return 0;
	uint64_t v = strtoull(text, &end, 10);
	/* Version 1 writes "no limit" as a number near 2^63. */
	return *end || v >= (1ull << 62) ? 0 : v;
}

static void cgroup_read_cpuset(const struct host *h, struct arena *a, struct cpuset *out)
{
	struct group g;
	char text[4096];
	struct cpuset l;
	if (cgroup_find_group(h, "cpuset", &g))
		return;
	if (cgroup_read_file(h, &g, g.path,
			     g.version == 2 ? "cpuset.cpus.effective" : "cpuset.cpus", text,
			     sizeof(text)) &&
	    cgroup_read_file(h, &g, "/", g.version == 2 ? "cpuset.cpus.effective" : "cpuset.cpus",
			     text, sizeof(text)))
		return;
	if (!cpuset_parse(text, a, &l))
		*out = l;
}

int cgroup_read(const struct host *h, struct arena *a, struct cgroup *out)
{
	struct group g;
	struct cgroup c;
	double cpus;
	memset(&c, 0, sizeof(c));
	int ret = cgroup_find_group(h, "cpu", &g);
	if (ret)
		return ret;
	c.version = g.version;
	c.cpus_known = true;
	memcpy(c.path, g.path, sizeof(c.path));
	do {
		if (cgroup_cpu_limit(h, &g, g.path, &cpus) && (c.cpus <= 0 || cpus < c.cpus))
			c.cpus = cpus;
	} while (cgroup_go_up(g.path));
	if (!cgroup_find_group(h, "memory", &g))
		do {
			uint64_t v = cgroup_memory_limit(h, &g, g.path);
			if (v && (!c.memory || v < c.memory))
				c.memory = v;
		} while (cgroup_go_up(g.path));
	cgroup_read_cpuset(h, a, &c.cpuset);
	*out = c;
	return 0;
}

static void cgroup_tighten(uint64_t *limit, uint64_t v)
{
	if (v && (!*limit || v < *limit))
		*limit = v;
}

/* "259:0 rbps=max wbps=1048576 riops=max wiops=max" */
static void cgroup_io_max_line(char *line, const char *device, struct cgroup_io *io)
{
	char *save = NULL, *w = strtok_r(line, " ", &save);
	if (!w || strcmp(w, device))
		return;
	while ((w = strtok_r(NULL, " ", &save))) {
		char *eq = strchr(w, '=');
		if (!eq || strlen(w) < 4 || eq[1] < '0' || eq[1] > '9')
			continue;
		uint64_t v = strtoull(eq + 1, NULL, 10);
		unsigned dir = w[0] == 'w';
		if (!strncmp(w + 1, "bps=", 4))
			cgroup_tighten(&io->bytes[dir], v);
		else if (!strncmp(w + 1, "iops=", 5))
			cgroup_tighten(&io->ios[dir], v);
	}
}

/* "259:0 1048576" */
static void cgroup_throttle_line(const char *line, const char *device, uint64_t *limit)
{
	size_t n = strlen(device);
	if (!strncmp(line, device, n) && line[n] == ' ')
		cgroup_tighten(limit, strtoull(line + n, NULL, 10));
}

static bool cgroup_read_io(const struct host *h, const struct group *g, const char *device,
			   struct cgroup_io *io)
{
	static const char *const files[] = {
		"blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device",
		"blkio.throttle.read_iops_device", "blkio.throttle.write_iops_device"};
	uint64_t *const limit[] = {&io->bytes[0], &io->bytes[1], &io->ios[0], &io->ios[1]};
	char text[4096], *save;
	bool seen = false;
	if (g->version == 2) {
		if (cgroup_read_file(h, g, g->path, "io.max", text, sizeof(text)))
			return false;
		save = NULL;
		for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
			cgroup_io_max_line(l, device, io);
		return true;
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (cgroup_read_file(h, g, g->path, files[i], text, sizeof(text)))
			continue;
		seen = true;
		save = NULL;
		for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
			cgroup_throttle_line(l, device, limit[i]);
	}
	return seen;
}

int cgroup_io_limits(const struct host *h, unsigned major, unsigned minor, struct cgroup_io *out)
{
	struct group g;
	struct cgroup_io io;
	char device[32];
	bool seen = false, root;
	memset(&io, 0, sizeof(io));
	int ret = cgroup_find_group(h, "blkio", &g);
	if (ret)
		return ret;
	snprintf(device, sizeof(device), "%u:%u", major, minor);
	/* The root of all groups has no limits and so no file. */
	root = !strcmp(g.path, "/");
	do {
		seen |= cgroup_read_io(h, &g, device, &io);
	} while (cgroup_go_up(g.path));
	if (!seen && !root)
		return -ENOENT;
	*out = io;
	return 0;
}
