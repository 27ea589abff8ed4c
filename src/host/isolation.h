/* CPUs that the kernel keeps the scheduler and its tick away from, and what it was booted with. */
#ifndef FATHOM_HOST_ISOLATION_H
#define FATHOM_HOST_ISOLATION_H

#include "base/must_check.h"
#include "host/cpu.h"

struct isolation {
	struct cpuset isolated; /* isolcpus= and isolated cpuset partitions */
	struct cpuset tickless; /* nohz_full= */
	bool isolated_known, tickless_known;
};

/* -ENOMEM; what cannot be read is left unknown. */
MUST_CHECK int isolation_read(const struct host *h, struct arena *a, struct isolation *out);
/* The value of a parameter of the kernel's command line ("mitigations"), "" for a bare word.
 * -ENOENT when it is not there, -errno when the command line is unknown. */
MUST_CHECK int isolation_boot_word(const struct host *h, const char *name, char *buf, size_t size);

#endif
