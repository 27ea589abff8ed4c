/* How many interrupts the I/O queues of a disk have raised: /proc/interrupts. A run that polls
 * raises none; that is how a "hipri" which the kernel ignored is noticed.
 *
 * NVMe: the vectors nvme<controller>q1 and up (q0, the admin queue, is left out unless an I/O queue
 * shares it), over all controllers of a multipath device; nvme0n1, nvme0c1n1 and partitions are
 * understood. virtio: virtio<N>-req*, or the one line virtio<N> (mmio). Others (SCSI, SATA): the
 * vectors of the PCI device above, which other disks may share.
 */
#ifndef FATHOM_HOST_INTERRUPTS_H
#define FATHOM_HOST_INTERRUPTS_H

#include "base/arena.h"
#include "base/must_check.h"
#include "host/host.h"

/* Sum over all CPUs since boot. -ENOENT when the disk has no vectors of its own (loop, zram, dm,
 * md), -errno. */
MUST_CHECK int interrupts_of_disk(const struct host *h, const char *disk, uint64_t *out);
/* The vectors themselves. */
struct interrupt_line {
	unsigned irq;
	const char
		*name; /* what belongs to the disk: "nvme0q3", "virtio2-req.0"; else the actions */
};
struct interrupt_lines {
	struct interrupt_line *v; /* owned by the arena */
	unsigned n;
};
/* In the order of the file. -ENOENT as above, -ENOMEM. */
MUST_CHECK int interrupts_lines(const struct host *h, const char *disk, struct arena *a,
				struct interrupt_lines *out);
/* later - earlier; 0 when the device was re-plugged in between and the counter fell. */
static inline uint64_t interrupts_since(uint64_t earlier, uint64_t later)
{
	return later >= earlier ? later - earlier : 0;
}

#endif
