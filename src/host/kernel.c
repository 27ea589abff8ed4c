#include "host/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Numbers and bits that the headers of older systems lack. */
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif
#ifndef STATX_DIOALIGN
#define STATX_DIOALIGN 0x2000U
#endif

int kernel_parse(const char *release, struct kernel *out)
{
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

void kernel_probe(struct kernel_caps *out)
{
	static const char *const seen[] = {"/", "/tmp", "/var/tmp", "."};
	memset(out, 0, sizeof(*out));
	/* A kernel that knows the call complains of the descriptor. */
	out->cachestat = syscall(SYS_cachestat, -1, NULL, NULL, 0) < 0 && errno != ENOSYS;
	/* Alignment is told of regular files only; our own program is one. */
	for (size_t i = 0; i < sizeof(seen) / sizeof(*seen); i++) {
		struct statx sx;
		memset(&sx, 0, sizeof(sx));
		if (statx(AT_FDCWD, seen[i], 0, STATX_MNT_ID | STATX_DIOALIGN, &sx))
			continue;
		out->mount_id |= (sx.stx_mask & STATX_MNT_ID) != 0;
		out->dio_align |= (sx.stx_mask & STATX_DIOALIGN) != 0;
	}
}

int kernel_uring_disabled(const struct host *h)
{
	uint64_t v;
	return host_read_u64(h, &v, "/proc/sys/kernel/io_uring_disabled") || v > 2 ? -1 : (int)v;
}

int kernel_aio_limits(const struct host *h, uint64_t *max, uint64_t *used)
{
	uint64_t m, u;
	int ret = host_read_u64(h, &m, "/proc/sys/fs/aio-max-nr");
	if (!ret)
		ret = host_read_u64(h, &u, "/proc/sys/fs/aio-nr");
	if (!ret) {
		*max = m;
		*used = u;
	}
	return ret;
}
