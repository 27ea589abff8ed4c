#include "host/kernel.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* "6.1.0-18-amd64", "5.4-rc2", "6.18.44-fc". -EINVAL without major and minor. */
static int kernel_parse(const char *release, struct kernel *out)
{
	assert(release && out);
	struct kernel k;
	memset(&k, 0, sizeof(k));
	if (sscanf(release, "%u.%u.%u", &k.major, &k.minor, &k.patch) < 2)
		return -EINVAL;
	snprintf(k.release, sizeof(k.release), "%s", release);
	*out = k;
	return 0;
}

int kernel_read(const struct host *h, struct kernel *out)
{
	char text[96];
	struct utsname u;
	int ret = host_read_text(h, text, sizeof(text), "/proc/sys/kernel/osrelease");
	if (!ret)
		return kernel_parse(text, out);
	if (h->root[0] || uname(&u))
		return ret;
	return kernel_parse(u.release, out);
}

bool kernel_at_least(const struct kernel *k, unsigned major, unsigned minor)
{
	return k->major > major || (k->major == major && k->minor >= minor);
}

int kernel_uring_disabled(const struct host *h)
{
	uint64_t v;
	return host_read_u64(h, &v, "/proc/sys/kernel/io_uring_disabled") || v > 2 ? -1 : (int)v;
}
