#include "target/cache.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

int cache_drop(const struct sys_ops *sys, int fd, uint64_t offset, uint64_t len, bool flush)
{
	assert(fd >= 0);
	struct stat st;
	sys = sys_or_real(sys);
	if (sys->fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
		return 0;
	if (flush && sys->sync_range(fd, (off_t)offset, (off_t)len,
				     SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
					     SYNC_FILE_RANGE_WAIT_AFTER)) {
		if (errno != ENOSYS && errno != ESPIPE)
			return -errno;
		if (sys->fsync(fd))
			return -errno;
	}
	/* Needs privilege, and is only more thorough than the advice below: its failure does not
	 * matter. */
	if (S_ISBLK(st.st_mode))
		sys->ioctl(fd, BLKFLSBUF, NULL);
	return -sys->fadvise(fd, (off_t)offset, (off_t)len, POSIX_FADV_DONTNEED);
}

int cache_fill(const struct sys_ops *sys, int fd, uint64_t offset, uint64_t len,
	       const atomic_int *stop)
{
	assert(fd >= 0);
	const size_t block = 1 << 20;
	char *buf = aligned_alloc(4096, block); /* any descriptor may be read into it */
	int ret = 0;
	sys = sys_or_real(sys);
	if (!buf)
		return -ENOMEM;
	uint64_t end = len ? offset + len : UINT64_MAX;
	while (offset < end) {
		if (stop && atomic_load_explicit(stop, memory_order_relaxed)) {
			ret = -EINTR;
			break;
		}
		size_t want = end - offset < block ? (size_t)(end - offset) : block;
		ssize_t n = sys->pread(fd, buf, want, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			ret = n < 0 ? -errno : 0;
			break;
		}
		offset += (uint64_t)n;
	}
	free(buf);
	return ret;
}

/* The end of what there is. */
static int cache_find_end(int fd, uint64_t *end)
{
	struct stat st;
	if (fstat(fd, &st))
		return -errno;
	*end = (uint64_t)st.st_size;
	if (S_ISBLK(st.st_mode) && ioctl(fd, BLKGETSIZE64, end))
		return -errno;
	return 0;
}

int cache_resident_mincore(int fd, uint64_t offset, uint64_t len, uint64_t *bytes)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), window = 65536 * page;
	uint64_t end = 0, pages = 0;
	int ret = cache_find_end(fd, &end);
	if (ret)
		return ret;
	if (len && offset + len < end)
		end = offset + len;
	if (offset >= end) {
		*bytes = 0;
		return 0;
	}
	unsigned char *seen = malloc(65536);
	if (!seen)
		return -ENOMEM;
	for (uint64_t at = offset - offset % page; at < end && !ret; at += window) {
		size_t n = (size_t)(end - at < window ? end - at : window);
		void *map = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, (off_t)at);
		if (map == MAP_FAILED) {
			ret = -errno;
			break;
		}
		if (mincore(map, n, seen))
			ret = -errno;
		for (size_t i = 0; !ret && i < (n + page - 1) / page; i++)
			pages += seen[i] & 1;
		munmap(map, n);
	}
	free(seen);
	if (!ret)
		*bytes = pages * page < end - offset ? pages * page : end - offset;
	return ret;
}

int cache_resident(int fd, uint64_t offset, uint64_t len, uint64_t *bytes)
{
	assert(fd >= 0 && bytes);
	/* cachestat(2) */
	struct {
		uint64_t off, len;
	} range = {offset, len};
	struct {
		uint64_t cached, dirty, writeback, evicted, recently_evicted;
	} found = {0};
	uint64_t end = 0;
	int ret = cache_find_end(fd, &end);
	if (ret)
		return ret;
	if (syscall(SYS_cachestat, fd, &range, &found, 0))
		return cache_resident_mincore(fd, offset, len, bytes);
	uint64_t most = offset < end ? end - offset : 0,
		 have = found.cached * (uint64_t)sysconf(_SC_PAGESIZE);
	if (len && len < most)
		most = len;
	*bytes = have < most ? have : most;
	return 0;
}
