#include "target/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int sys_real_open(const char *path, int flags, mode_t mode)
{
	int fd;

	/* Devices that are slow to open, and FUSE. */
	do
		fd = open(path, flags, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

static int sys_real_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

const struct sys_ops sys_real = {
	.open = sys_real_open,
	.close = close,
	.stat = stat,
	.fstat = fstat,
	.ftruncate = ftruncate,
	.fallocate = fallocate,
	.fallocate_posix = posix_fallocate,
	.pread = pread,
	.pwrite = pwrite,
	.sync_range = sync_file_range,
	.fsync = fsync,
	.fadvise = posix_fadvise,
	.unlink = unlink,
	.mkdir = mkdir,
	.rmdir = rmdir,
	.ioctl = sys_real_ioctl,
	.lseek = lseek,
};
