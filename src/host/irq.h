/* Interrupt vectors of a disk's I/O queues: where each may run and where it does. */
#ifndef FATHOM_HOST_IRQ_H
#define FATHOM_HOST_IRQ_H

#include "base/must_check.h"
#include "host/cpu.h"
#include "host/kernel.h"

struct irq_vector {
	unsigned irq;
	char name[32];		 /* "nvme0q7" */
	struct cpuset allowed;	 /* smp_affinity_list; n 0: unknown */
	struct cpuset effective; /* since 4.15; n 0: unknown */
};
struct irq_vectors {
	struct irq_vector *v; /* by number, owned by the arena */
	unsigned n;
};
/* As interrupts_of_disk counts them. -ENOENT when the disk has none of its own. */
MUST_CHECK int irq_of_disk(const struct host *h, const char *disk, struct arena *a,
			   struct irq_vectors *out);
/* Those of a device and of all disks below it (partition, dm, md); n 0 when none is known. -ENOMEM.
 */
MUST_CHECK int irq_of_stack(const struct host *h, const char *name, struct arena *a,
			    struct irq_vectors *out);
/* The CPUs a vector runs on as far as it is known: effective, else allowed. */
const struct cpuset *irq_where(const struct irq_vector *v);

/* Does the kernel itself spread these vectors and refuse to have them moved (managed affinity: NVMe
 * since 4.8, virtio-blk since 4.12)? 1, 0; -1 unknown: other drivers, and old kernels of
 * distributions that carry newer drivers. k may be NULL. */
int irq_managed(const struct host *h, const char *disk, const struct kernel *k,
		const struct irq_vectors *v);
/* Is irqbalance running? 1, 0, -1 unknown. */
MUST_CHECK int irq_balancer(const struct host *h);

#endif
