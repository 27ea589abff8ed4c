#include "host/isolation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel without an isolated CPU writes an empty line, one without tickless CPUs "(null)". */
static int isolation_list(const struct host *h, const char *what, struct arena *a,
			  struct cpuset *out, bool *known)
{
	char *text;
	int ret = host_read_all(h, &text, NULL, "/sys/devices/system/cpu/%s", what);
	if (ret)
		return 0;
	if (strstr(text, "(null)"))
		*known = true;
	else
		*known = (ret = cpuset_parse(text, a, out)) == 0;
	free(text);
	return ret == -ENOMEM ? ret : 0;
}

int isolation_read(const struct host *h, struct arena *a, struct isolation *out)
{
	struct isolation i;
	memset(&i, 0, sizeof(i));
	int ret = isolation_list(h, "isolated", a, &i.isolated, &i.isolated_known);
	if (!ret)
		ret = isolation_list(h, "nohz_full", a, &i.tickless, &i.tickless_known);
	if (!ret)
		*out = i;
	return ret;
}

int isolation_boot_word(const struct host *h, const char *name, char *buf, size_t size)
{
	char *text, *save = NULL;
	size_t n = strlen(name);
	int ret = host_read_all(h, &text, NULL, "/proc/cmdline");
	if (ret)
		return ret;
	ret = -ENOENT;
	for (char *w = strtok_r(text, " \n", &save); w; w = strtok_r(NULL, " \n", &save))
		if (!strncmp(w, name, n) && (w[n] == '=' || w[n] == '\0')) {
			snprintf(buf, size, "%s", w[n] ? w + n + 1 : "");
			ret = 0;
		}
	free(text);
	return ret;
}
