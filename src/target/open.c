/* Opening for a worker; declared in target.h. */
#include "target/open.h"
#include "target/devguard.h"

#include "target/fsname.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static const char *open_purpose(const struct target_open *o)
{
	return o->read && o->write ? "reading and writing" : o->write ? "writing" : "reading";
}

static int open_words(const struct target_open *o, int e, struct err *err)
{
	char fs[32] = "this file system";
	IGNORE_RESULT(fsname_of_path(o->path, fs, sizeof(fs), NULL));
	if (o->direct && (e == EINVAL || e == EOPNOTSUPP)) {
		int ret = err_set(err, ERR_SETUP, e,
				  "cannot open '%s' for direct I/O: %s refuses O_DIRECT", o->path,
				  fs);
		err_remedy(err, "set direct=0 (and uncached=1 with io_uring, or invalidate=1, to "
				"keep the page "
				"cache small), or use a file on a file system of a disk");
		return ret;
	}
	int ret = err_set(err, ERR_SETUP, e, "cannot open '%s' for %s: %s", o->path,
			  open_purpose(o), strerror(e));
	switch (e) {
	case EACCES:
	case EPERM:
		err_remedy(err,
			   "check the owner and mode of the file and its folders, or run as root");
		break;
	case EROFS:
		err_remedy(err, "it is mounted or marked read-only: use a job that only reads, or "
				"another place");
		break;
	case EBUSY:
		err_remedy(err, "something else holds the device (mount, dm, md, swap, another "
				"run): release it first");
		break;
	case ENOENT:
		err_remedy(err, "check the path; a symbolic link may lead nowhere");
		break;
	case EISDIR:
		err_remedy(err, "name a file in it, or use directory=");
		break;
	case EMFILE:
	case ENFILE:
		err_remedy(err, "raise the limit of open files (ulimit -n), or set openfiles=");
		break;
	default:
		break;
	}
	return ret;
}

static int open_flags(const struct target_open *o, const struct stat *st)
{
	int flags = O_CLOEXEC | (o->read && o->write ? O_RDWR : o->write ? O_WRONLY : O_RDONLY);
	if (o->direct)
		flags |= O_DIRECT;
	if (o->write && o->sync == SYNC_SYNC)
		flags |= O_SYNC;
	if (o->write && o->sync == SYNC_DSYNC)
		flags |= O_DSYNC;
	if (o->exclusive && st && S_ISBLK(st->st_mode))
		flags |= O_EXCL;
	if (o->noatime)
		flags |= O_NOATIME;
	if (o->nonblock)
		flags |= O_NONBLOCK;
	return flags;
}

static int open_existing(const struct sys_ops *sys, const struct target_open *o, int flags)
{
	int fd = sys->open(o->path, flags, 0);
	if (fd < 0 && errno == EPERM && flags & O_NOATIME)
		fd = sys->open(o->path, flags & ~O_NOATIME, 0);
	return fd;
}

static void open_give_hint(const struct sys_ops *sys, const struct target_open *o, int fd)
{
	int advice;
	switch (o->hint) {
	case HINT_AUTO:
		advice = o->random ? POSIX_FADV_RANDOM : POSIX_FADV_SEQUENTIAL;
		break;
	case HINT_RANDOM:
		advice = POSIX_FADV_RANDOM;
		break;
	case HINT_SEQUENTIAL:
		advice = POSIX_FADV_SEQUENTIAL;
		break;
	case HINT_NOREUSE:
		advice = POSIX_FADV_NOREUSE;
		break;
	default:
		return;
	}
	sys->fadvise(fd, 0, 0, advice);
}

/* Make the file first and without O_DIRECT: a refusal of O_DIRECT comes after the file has been
 * made. O_EXCL does not follow a symbolic link to nowhere, which might lead below /dev. */
static int open_make_file(const struct sys_ops *sys, const struct target_open *o, bool *made,
			  struct err *err)
{
	int ret = target_guard_dev(sys, o->path, err);
	if (ret)
		return ret;
	int fd = sys->open(o->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		sys->close(fd);
	else if (errno != EEXIST)
		return open_words(o, errno, err);
	*made = fd >= 0;
	return 0;
}

int target_open(const struct sys_ops *sys, const struct target_open *o, int *fd, struct err *err)
{
	assert(o && o->path && fd);
	struct stat st;
	bool made = false;
	sys = sys_or_real(sys);
	bool there = !sys->stat(o->path, &st);
	if (!there && errno == ENOENT && o->create) {
		int ret = open_make_file(sys, o, &made, err);
		if (ret)
			return ret;
	}
	int got = open_existing(sys, o, open_flags(o, there ? &st : NULL));
	if (got < 0) {
		int ret = open_words(o, errno, err);
		if (made)
			sys->unlink(o->path);
		return ret;
	}
	open_give_hint(sys, o, got);
	*fd = got;
	return 0;
}
