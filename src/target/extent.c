#include "target/extent.h"

#include <assert.h>
#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXTENTS 256u

/* Bytes that [from, to) and an extent share. */
static uint64_t extent_common(uint64_t from, uint64_t to, uint64_t start, uint64_t len)
{
	assert(from <= to);
	uint64_t lo = start > from ? start : from, hi = start + len < to ? start + len : to;
	return hi > lo ? hi - lo : 0;
}

static int extent_by_fiemap(const struct sys_ops *sys, int fd, uint64_t from, uint64_t to,
			    bool flush, struct extent_share *s)
{
	struct fiemap *map = malloc(sizeof(*map) + EXTENTS * sizeof(map->fm_extents[0]));
	uint64_t at = from;
	int ret = 0;
	bool last = false;
	if (!map)
		return -ENOMEM;
	while (!last && at < to) {
		memset(map, 0, sizeof(*map));
		map->fm_start = at;
		map->fm_length = to - at;
		map->fm_flags = flush ? FIEMAP_FLAG_SYNC : 0;
		map->fm_extent_count = EXTENTS;
		if (sys->ioctl(fd, FS_IOC_FIEMAP, map)) {
			ret = -errno;
			break;
		}
		last = map->fm_mapped_extents < EXTENTS;
		for (unsigned i = 0; i < map->fm_mapped_extents && i < EXTENTS; i++) {
			const struct fiemap_extent *e = &map->fm_extents[i];
			uint64_t n = extent_common(at, to, e->fe_logical, e->fe_length);
			if (e->fe_flags & FIEMAP_EXTENT_UNWRITTEN)
				s->unwritten += n;
			else
				s->data += n;
			if (e->fe_logical + e->fe_length > at)
				at = e->fe_logical + e->fe_length;
			last |= (e->fe_flags & FIEMAP_EXTENT_LAST) != 0;
		}
	}
	free(map);
	return ret;
}

static int extent_by_seek(const struct sys_ops *sys, int fd, uint64_t from, uint64_t to,
			  struct extent_share *s)
{
	for (uint64_t at = from; at < to;) {
		off_t data = sys->lseek(fd, (off_t)at, SEEK_DATA);
		if (data < 0 && errno == ENXIO) /* nothing but a hole up to the end */
			return 0;
		off_t hole = data < 0 ? -1 : sys->lseek(fd, data, SEEK_HOLE);
		if (hole < 0)
			return errno == EINVAL ? -EOPNOTSUPP : -errno;
		s->data += extent_common(from, to, (uint64_t)data, (uint64_t)(hole - data));
		at = (uint64_t)hole;
	}
	return 0;
}

int extent_measure(const struct sys_ops *sys, int fd, uint64_t offset, uint64_t len, bool flush,
		   struct extent_share *out)
{
	assert(fd >= 0 && out);
	struct extent_share s = {.exact = true};
	struct stat st;
	sys = sys_or_real(sys);
	if (sys->fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EOPNOTSUPP;
	uint64_t size = (uint64_t)st.st_size, to = offset + len < size ? offset + len : size;
	int ret = offset < to ? extent_by_fiemap(sys, fd, offset, to, flush, &s) : 0;
	if (ret == -EOPNOTSUPP || ret == -ENOTTY || ret == -EBADR || ret == -EINVAL) {
		memset(&s, 0, sizeof(s));
		ret = extent_by_seek(sys, fd, offset, to, &s);
	}
	if (ret)
		return ret;
	s.hole = len - s.data - s.unwritten;
	*out = s;
	return 0;
}
