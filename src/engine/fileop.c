#include "engine/fileop.h"
#include "base/check.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int fileop_trim(const struct engine_file *f, const struct io *io)
{
	uint64_t range[2] = {io->offset, io->len};

	if (!f->block_device) {
		errno = ENOTTY;
		return -1;
	}
	return ioctl(f->fd, BLKDISCARD, range);
}

int32_t fileop_run(const struct engine *e, const struct io *io)
{
	const struct engine_file *f = &e->files[io->file];
	int ret = -1;

	hot_assert(io->op > IO_WRITE && io->op < IO_OPS && io->file < e->setup->files);
	switch (io->op) {
	case IO_FSYNC:
		ret = fsync(f->fd);
		break;
	case IO_FDATASYNC:
		ret = fdatasync(f->fd);
		break;
	case IO_SYNC_RANGE:
		ret = sync_file_range(f->fd, (off64_t)io->offset, (off64_t)io->len,
				      e->setup->sync_range_flags);
		break;
	case IO_TRIM:
		ret = fileop_trim(f, io);
		break;
	default:
		errno = EINVAL;
	}
	return ret < 0 ? -errno : 0;
}
