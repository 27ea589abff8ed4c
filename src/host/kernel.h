/* The running kernel: its version, and what it can do, probed rather than guessed where that is
 * possible. */
#ifndef FATHOM_HOST_KERNEL_H
#define FATHOM_HOST_KERNEL_H

#include "host/host.h"

struct kernel {
	unsigned major, minor, patch;
	char release[96]; /* as uname -r has it */
};

/* Parse "6.1.0-18-amd64", "5.4-rc2", "6.18.44-fc". -EINVAL without major and minor. */
int kernel_parse(const char *release, struct kernel *out);
/* From /proc/sys/kernel/osrelease, else (root "") uname. */
int kernel_read(const struct host *h, struct kernel *out);
bool kernel_at_least(const struct kernel *k, unsigned major, unsigned minor);

/* What is there, asked of the kernel itself; these do not depend on a root. */
struct kernel_caps {
	bool cachestat; /* cachestat(2), 6.5 */
	bool mount_id;	/* statx gives mount ids, 5.8 */
	bool dio_align; /* statx gives the alignment of direct I/O, 6.1, on some file system we can
			   see */
};
void kernel_probe(struct kernel_caps *out);

/* kernel.io_uring_disabled: 0 open, 1 for privileged groups only, 2 closed; -1 when there is no
 * such knob. */
int kernel_uring_disabled(const struct host *h);
/* fs.aio-max-nr and fs.aio-nr (events reserved by all processes); -ENOENT. */
int kernel_aio_limits(const struct host *h, uint64_t *max, uint64_t *used);

#endif
