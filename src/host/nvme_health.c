/* The SMART log of a controller through libnvme; declared in nvme.h. */
#include "host/nvme.h"

#include <errno.h>
#include <fcntl.h>
#include <libnvme.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int nvme_health(const struct host *h, const char *controller, struct nvme_health *out)
{
	struct nvme_smart_log log;
	char path[64];
	if (h->root[0])
		return -ENOENT;
	snprintf(path, sizeof(path), "/dev/%s", controller);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	memset(&log, 0, sizeof(log));
	/* A positive result is a status of the device. */
	int rc = nvme_get_log_smart(fd, NVME_NSID_ALL, false, &log);
	int ret = rc == 0 ? 0 : rc < 0 && errno ? -errno : -EIO;
	close(fd);
	if (ret)
		return ret;
	unsigned kelvin = log.temperature[0] | (unsigned)log.temperature[1] << 8;
	memset(out, 0, sizeof(*out));
	out->temperature_c = kelvin > 273 ? kelvin - 273 : 0;
	out->used_percent = log.percent_used;
	out->spare_percent = log.avail_spare;
	out->spare_least = log.spare_thresh;
	out->warning = log.critical_warning;
	out->throttled =
		(uint64_t)le32toh(log.thm_temp1_trans_count) + le32toh(log.thm_temp2_trans_count);
	out->hot_minutes =
		(uint64_t)le32toh(log.warning_temp_time) + le32toh(log.critical_comp_time);
	return 0;
}
