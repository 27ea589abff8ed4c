/* Built without libnvme; declared in nvme.h. */
#include "host/nvme.h"

#include <errno.h>

int nvme_health(const struct host *h, const char *controller, struct nvme_health *out)
{
	(void)controller;
	(void)out;
	return h->root[0] ? -ENOENT : -EOPNOTSUPP;
}
