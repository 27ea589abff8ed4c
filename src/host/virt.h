/* Is this a virtual machine, and whose? Also what the processor's bugs cost, and the clock. */
#ifndef FATHOM_HOST_VIRT_H
#define FATHOM_HOST_VIRT_H

#include "base/must_check.h"
#include "host/host.h"

struct virt {
	int guest;     /* 1: runs on a hypervisor, 0: does not, -1 unknown */
	char name[64]; /* "KVM", "Amazon EC2"; "" unknown */
};
void virt_read(const struct host *h, struct virt *out);

#define MITIGATIONS_TEXT 256
struct mitigations {
	unsigned active;	       /* weaknesses that the kernel works around */
	unsigned open;		       /* weaknesses it leaves open */
	unsigned unaffected;	       /* that this processor does not have */
	char costly[MITIGATIONS_TEXT]; /* names of the active ones that slow system calls */
};
/* -ENOENT before kernel 4.15. */
MUST_CHECK int mitigations_read(const struct host *h, struct mitigations *out);

/* The clock source in use ("tsc"); -errno. */
MUST_CHECK int clocksource_read(const struct host *h, char *buf, size_t size);
/* One whose reading takes far longer than that of a processor's own counter ("hpet"). */
bool clocksource_slow(const char *name);

#endif
