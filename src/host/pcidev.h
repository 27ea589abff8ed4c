/* The PCI device behind a disk: its link, and its thermometer. */
#ifndef FATHOM_HOST_PCIDEV_H
#define FATHOM_HOST_PCIDEV_H

#include "base/must_check.h"
#include "host/host.h"

struct pci_link {
	char address[32];	   /* "0000:01:00.0" */
	double speed, speed_top;   /* GT/s a lane, now and what the device can do; 0 unknown */
	unsigned width, width_top; /* lanes; 0 unknown */
	double port_speed;	   /* what the port above can do, 0 unknown */
	unsigned port_width;
};
/* The link of the nearest PCI device above the disk. -ENOENT when there is none (virtio on mmio,
 * dm, md, loop). */
MUST_CHECK int pcidev_link(const struct host *h, const char *disk, struct pci_link *out);

struct temperature {
	char sensor[32];		     /* "nvme", "drivetemp" */
	int64_t now_mc, max_mc, critical_mc; /* thousandths of a degree Celsius; limits 0 unknown */
};
/* From the hwmon sensor of the disk or its controller. -ENOENT without one. */
MUST_CHECK int pcidev_temperature(const struct host *h, const char *disk, struct temperature *out);
/* From where on such a drive slows itself down, thousandths of a degree: its warning limit, or five
 * degrees below the critical one. 0 unknown. */
int64_t temperature_limit(const struct temperature *t);

#endif
