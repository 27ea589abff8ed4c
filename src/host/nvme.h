/* The controller behind an NVMe namespace: what /sys says, and its SMART log. */
#ifndef FATHOM_HOST_NVME_H
#define FATHOM_HOST_NVME_H

#include "base/must_check.h"
#include "host/host.h"

struct nvme {
	char controller[32];			     /* "nvme0" */
	char model[64], firmware[32], transport[16]; /* "" unknown */
	unsigned queues;			     /* I/O queues, 0 unknown */
	int64_t sleep_us; /* longest exit the driver lets it sleep into (APST), -1 unknown */
};
/* Of a disk's first controller. -ENOENT when it is no NVMe disk. Old kernels keep the controller
 * under misc and tell little. */
MUST_CHECK int nvme_of_disk(const struct host *h, const char *disk, struct nvme *out);

struct nvme_health {
	unsigned temperature_c; /* 0 unknown */
	unsigned used_percent;	/* of the rated endurance; may pass 100 */
	unsigned spare_percent, spare_least;
	unsigned warning;     /* bits of "critical warning" */
	uint64_t throttled;   /* times thermal management slowed it down */
	uint64_t hot_minutes; /* above the warning temperature, since it was made */
};
/* Ask the device for its SMART log (NVM Express base specification, "SMART / Health Information"),
 * by the kernel's passthrough; nothing is changed. -ENOENT below a root that is not this machine;
 * -EACCES without the right; -EIO when the device answers with an error. */
MUST_CHECK int nvme_health(const struct host *h, const char *controller, struct nvme_health *out);

#endif
