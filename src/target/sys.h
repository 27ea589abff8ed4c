/* The cold system calls of this folder, as a table that tests replace to make the n-th call fail.
 * Every function of the folder that takes a table accepts NULL for the real one. Each entry behaves
 * as its system call: -1 and errno (fallocate_posix and fadvise: the error as result, as POSIX has
 * it).
 */
#ifndef FATHOM_TARGET_SYS_H
#define FATHOM_TARGET_SYS_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

struct sys_ops {
	int (*open)(const char *path, int flags, mode_t mode);
	int (*close)(int fd);
	int (*stat)(const char *path, struct stat *st);
	int (*fstat)(int fd, struct stat *st);
	int (*ftruncate)(int fd, off_t length);
	int (*fallocate)(int fd, int mode, off_t offset, off_t len);
	int (*fallocate_posix)(int fd, off_t offset, off_t len);
	ssize_t (*pread)(int fd, void *buf, size_t n, off_t offset);
	ssize_t (*pwrite)(int fd, const void *buf, size_t n, off_t offset);
	int (*sync_range)(int fd, off_t offset, off_t len, unsigned flags);
	int (*fsync)(int fd);
	int (*fadvise)(int fd, off_t offset, off_t len, int advice);
	int (*unlink)(const char *path);
	int (*mkdir)(const char *path, mode_t mode);
	int (*rmdir)(const char *path);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	off_t (*lseek)(int fd, off_t offset, int whence);
};

extern const struct sys_ops sys_real;

static inline const struct sys_ops *sys_or_real(const struct sys_ops *s)
{
	return s ? s : &sys_real;
}

#endif
