/* Where the run took place: what two results have to agree in to be compared. */
#include "host/cpu.h"
#include "host/kernel.h"
#include "host/memory.h"
#include "host/virt.h"
#include "monitor/hostinfo.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* The text behind "model name : ", "" when there is none. */
static void hostinfo_read_model(const struct host *h, char *buf, size_t size)
{
	static const char key[] = "model name";
	char *text;

	buf[0] = 0;
	if (host_read_all(h, &text, NULL, "/proc/cpuinfo") < 0)
		return;
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		line += strlen(key);
		line += strspn(line, " \t:");
		snprintf(buf, size, "%.*s", (int)strcspn(line, "\n"), line);
		break;
	}
	free(text);
}

static void hostinfo_copy_text(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	memcpy(to, from, n);
	to[n] = 0;
}

static int hostinfo_collect_devices(const struct disks *ds, struct result *out)
{
	if (!ds || !ds->n)
		return 0;
	out->devices = calloc(ds->n, sizeof(*out->devices));
	if (!out->devices)
		return -ENOMEM;
	out->devices_n = ds->n;
	for (unsigned i = 0; i < ds->n; i++) {
		const struct blockdev *dev = &ds->v[i].dev;
		struct result_device *r = &out->devices[i];

		hostinfo_copy_text(r->name, sizeof(r->name), dev->name);
		hostinfo_copy_text(r->model, sizeof(r->model), dev->model);
		hostinfo_copy_text(r->scheduler, sizeof(r->scheduler), dev->scheduler);
		r->size = dev->size;
		r->rotational = dev->rotational;
		r->write_back = dev->write_back;
		r->node = dev->node;
	}
	return 0;
}

int hostinfo_collect(const struct worker_env *env, const struct disks *ds, struct result *out)
{
	struct result_host *r = &out->host;
	struct kernel k = {0};
	struct utsname u;
	struct memory m;

	assert(env && out);
	if (env->plan->virtual_clock)
		return 0;
	r->known = true;
	if (kernel_read(&env->host, &k) == 0)
		hostinfo_copy_text(r->kernel, sizeof(r->kernel), k.release);
	if (uname(&u) == 0)
		hostinfo_copy_text(r->machine, sizeof(r->machine), u.machine);
	hostinfo_read_model(&env->host, r->cpu_model, sizeof(r->cpu_model));
	if (host_read_text(&env->host, r->governor, sizeof(r->governor),
			   "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") < 0)
		r->governor[0] = 0;
	if (clocksource_read(&env->host, r->clock_source, sizeof(r->clock_source)) < 0)
		r->clock_source[0] = 0;
	r->cpus = cpu_configured(&env->host);
	memory_read(&env->host, &m);
	r->memory_bytes = m.total;
	return hostinfo_collect_devices(ds, out);
}
