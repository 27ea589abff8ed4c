#include "host/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t memory_field(const char *text, const char *name)
{
	const char *at = strstr(text, name);
	/* Names are followed by a colon and begin a line. */
	while (at && ((at != text && at[-1] != '\n') || at[strlen(name)] != ':'))
		at = strstr(at + 1, name);
	return at ? strtoull(at + strlen(name) + 1, NULL, 10) * 1024 : 0;
}

void memory_read(const struct host *h, struct memory *out)
{
	char *text, line[64], *from, *to;
	uint64_t v;
	memset(out, 0, sizeof(*out));
	out->balancing = -1;
	if (!host_read_all(h, &text, NULL, "/proc/meminfo")) {
		out->total = memory_field(text, "MemTotal");
		out->available = memory_field(text, "MemAvailable");
		uint64_t swap = memory_field(text, "SwapTotal"),
			 rest = memory_field(text, "SwapFree");
		out->swap_used = swap > rest ? swap - rest : 0;
		free(text);
	}
	if (!host_read_text(h, line, sizeof(line), "/sys/kernel/mm/transparent_hugepage/enabled") &&
	    (from = strchr(line, '[')) && (to = strchr(from, ']'))) {
		*to = '\0';
		snprintf(out->huge, sizeof(out->huge), "%.15s", from + 1);
	}
	if (!host_read_u64(h, &v, "/proc/sys/kernel/numa_balancing"))
		out->balancing = v != 0;
}

int memory_pressure(const struct host *h, const char *what, double *some, double *full)
{
	char text[256];
	double s, f = 0;
	int ret = host_read_text(h, text, sizeof(text), "/proc/pressure/%s", what);
	if (ret)
		return ret;
	const char *second = strstr(text, "full avg10=");
	if (sscanf(text, "some avg10=%lf", &s) != 1)
		return -EINVAL;
	if (second)
		sscanf(second, "full avg10=%lf", &f);
	*some = s;
	*full = f;
	return 0;
}
