/* A table of system calls in which the n-th call fails, and a scratch folder. */
#ifndef FATHOM_TESTS_FAULTS_H
#define FATHOM_TESTS_FAULTS_H

#include "../host/tree.h"

#include "target/sys.h"
#include <fcntl.h>

static unsigned faults_at;    /* which call fails, from 1; 0: none */
static unsigned faults_calls; /* calls so far */
static int faults_errno;
static int faults_open; /* descriptors open */

static inline bool faults_now(void)
{
	if (++faults_calls != faults_at)
		return false;
	errno = faults_errno;
	return true;
}

static inline void faults_arm(unsigned at, int e)
{
	faults_at = at;
	faults_calls = 0;
	faults_errno = e;
}

static int faults_do_open(const char *path, int flags, mode_t mode)
{
	int fd = faults_now() ? -1 : sys_real.open(path, flags, mode);
	faults_open += fd >= 0;
	return fd;
}

static int faults_do_close(int fd)
{
	faults_open--;
	close(fd);
	return faults_now() ? -1 : 0;
}

#define FAULTY(name, params, args)                                                                 \
	static int faults_do_##name params                                                         \
	{                                                                                          \
		return faults_now() ? -1 : (int)sys_real.name args;                                \
	}
FAULTY(stat, (const char *path, struct stat *st), (path, st))
FAULTY(fstat, (int fd, struct stat *st), (fd, st))
FAULTY(ftruncate, (int fd, off_t length), (fd, length))
FAULTY(fallocate, (int fd, int mode, off_t offset, off_t len), (fd, mode, offset, len))
FAULTY(sync_range, (int fd, off_t offset, off_t len, unsigned flags), (fd, offset, len, flags))
FAULTY(fsync, (int fd), (fd))
FAULTY(unlink, (const char *path), (path))
FAULTY(mkdir, (const char *path, mode_t mode), (path, mode))
FAULTY(rmdir, (const char *path), (path))
FAULTY(ioctl, (int fd, unsigned long request, void *arg), (fd, request, arg))

static int faults_do_fallocate_posix(int fd, off_t offset, off_t len)
{
	return faults_now() ? faults_errno : sys_real.fallocate_posix(fd, offset, len);
}

static int faults_do_fadvise(int fd, off_t offset, off_t len, int advice)
{
	return faults_now() ? faults_errno : sys_real.fadvise(fd, offset, len, advice);
}

static ssize_t faults_do_pread(int fd, void *buf, size_t n, off_t offset)
{
	return faults_now() ? -1 : sys_real.pread(fd, buf, n, offset);
}

/* Short writes too: at most 40,000 bytes a call. */
static ssize_t faults_do_pwrite(int fd, const void *buf, size_t n, off_t offset)
{
	return faults_now() ? -1 : sys_real.pwrite(fd, buf, n < 40000 ? n : 40000, offset);
}

static off_t faults_do_lseek(int fd, off_t offset, int whence)
{
	return faults_now() ? -1 : sys_real.lseek(fd, offset, whence);
}

static const struct sys_ops faulty = {
	.open = faults_do_open,
	.close = faults_do_close,
	.stat = faults_do_stat,
	.fstat = faults_do_fstat,
	.ftruncate = faults_do_ftruncate,
	.fallocate = faults_do_fallocate,
	.fallocate_posix = faults_do_fallocate_posix,
	.pread = faults_do_pread,
	.pwrite = faults_do_pwrite,
	.sync_range = faults_do_sync_range,
	.fsync = faults_do_fsync,
	.fadvise = faults_do_fadvise,
	.unlink = faults_do_unlink,
	.mkdir = faults_do_mkdir,
	.rmdir = faults_do_rmdir,
	.ioctl = faults_do_ioctl,
	.lseek = faults_do_lseek,
};

/* The whole content of a file; malloc'ed. */
static inline char *file_read(const char *path, size_t *len)
{
	const struct host here = {""};
	char *text;
	assert_int_equal(host_read_all(&here, &text, len, "%s", path), 0);
	return text;
}

static inline bool file_exists(const char *path)
{
	struct stat st;
	return !lstat(path, &st);
}

#endif
