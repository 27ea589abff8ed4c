#include "host/nvme.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define CLASS "/sys/class/block/%s/device/"

int nvme_of_disk(const struct host *h, const char *disk, struct nvme *out)
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

#define LOG_BYTES      512u
#define GET_LOG_PAGE   2u
#define LOG_SMART      2u
#define ALL_SPACES     0xffffffffu
#define LOG_TIMEOUT_MS 5000u

static uint64_t nvme_little(const uint8_t *log, unsigned at, unsigned bytes)
{
	assert(bytes && bytes <= 8);
	uint64_t v = 0;
	for (unsigned i = bytes; i-- > 0;)
		v = v << 8 | log[at + i];
	return v;
}

/* Offsets of the log are bytes; times are minutes, the temperature is in kelvin. */
static void nvme_parse_log(const uint8_t *log, struct nvme_health *out)
{
	unsigned kelvin = (unsigned)nvme_little(log, 1, 2);
	memset(out, 0, sizeof(*out));
	out->warning = log[0];
	out->temperature_c = kelvin > 273 ? kelvin - 273 : 0;
	out->spare_percent = log[3];
	out->spare_least = log[4];
	out->used_percent = log[5];
	out->hot_minutes = nvme_little(log, 192, 4) + nvme_little(log, 196, 4);
	out->throttled = nvme_little(log, 216, 4) + nvme_little(log, 220, 4);
}

int nvme_health(const struct host *h, const char *controller, struct nvme_health *out)
{
	uint8_t log[LOG_BYTES] = {0};
	char path[64];
	struct nvme_admin_cmd cmd = {
		.opcode = GET_LOG_PAGE,
		.nsid = ALL_SPACES,
		.addr = (uint64_t)(uintptr_t)log,
		.data_len = sizeof(log),
		.cdw10 = LOG_SMART | (LOG_BYTES / 4 - 1) << 16,
		.timeout_ms = LOG_TIMEOUT_MS,
	};
	if (h->root[0])
		return -ENOENT;
	snprintf(path, sizeof(path), "/dev/%s", controller);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* A positive result is a status of the device. */
	int rc = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &cmd);
	int ret = rc < 0 ? -errno : rc > 0 ? -EIO : 0;
	close(fd);
	if (!ret)
		nvme_parse_log(log, out);
	return ret;
}
