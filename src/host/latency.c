#include "host/latency.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int latency_hold(const struct host *h, int us_max)
{
	if (h->root[0])
		return -ENOENT;
	int fd = open(LATENCY_DEVICE, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, &us_max, sizeof(us_max)) != (ssize_t)sizeof(us_max)) {
		int ret = errno ? -errno : -EIO;
		close(fd);
		return ret;
	}
	return fd;
}
