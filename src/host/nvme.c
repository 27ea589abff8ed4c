#include "host/nvme.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CLASS "/sys/class/block/%s/device/"

int nvme_read(const struct host *h, const char *disk, struct nvme *out)
{
	struct nvme n;
	unsigned x, c, space;
	char end, above[64] = "";
	int64_t v;
	memset(&n, 0, sizeof(n));
	if (sscanf(disk, "nvme%uc%un%u%c", &x, &c, &space, &end) == 3)
		x = c;
	else if (sscanf(disk, "nvme%un%u%c", &x, &space, &end) != 2)
		return -ENOENT;
	if (!host_read_link(h, above, sizeof(above), "/sys/class/block/%s/device", disk))
		sscanf(above, "nvme%u%c", &x, &end);
	snprintf(n.controller, sizeof(n.controller), "nvme%u", x);
	if (host_read_text(h, n.model, sizeof(n.model), CLASS "model", disk))
		n.model[0] = '\0';
	if (host_read_text(h, n.firmware, sizeof(n.firmware), CLASS "firmware_rev", disk))
		n.firmware[0] = '\0';
	if (host_read_text(h, n.transport, sizeof(n.transport), CLASS "transport", disk))
		n.transport[0] = '\0';
	if (!host_read_i64(h, &v, CLASS "queue_count", disk) && v > 1 && v < 65536)
		n.queues = (unsigned)v - 1; /* without the admin queue */
	n.sleep_us = -1;
	if (!host_read_i64(h, &v, CLASS "power/pm_qos_latency_tolerance_us", disk) ||
	    !host_read_i64(h, &v, "/sys/module/nvme_core/parameters/default_ps_max_latency_us"))
		n.sleep_us = v < 0 ? -1 : v;
	*out = n;
	return 0;
}
