/* The running kernel: its version, and whether io_uring is open to us. */
#ifndef FATHOM_HOST_KERNEL_H
#define FATHOM_HOST_KERNEL_H

#include "base/must_check.h"
#include "host/host.h"

struct kernel {
	unsigned major, minor, patch;
	char release[96]; /* as uname -r has it */
};

/* From /proc/sys/kernel/osrelease, else (root "") uname. -EINVAL without major and minor. */
MUST_CHECK int kernel_read(const struct host *h, struct kernel *out);
bool kernel_at_least(const struct kernel *k, unsigned major, unsigned minor);

/* kernel.io_uring_disabled: 0 open, 1 for privileged groups only, 2 closed; -1 when there is no
 * such attribute. */
MUST_CHECK int kernel_uring_disabled(const struct host *h);

#endif
