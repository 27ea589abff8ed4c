#include "target/layout.h"

#include "base/rng.h"
#include "target/path.h"
#include "target/target.h"
#include "target/devguard.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdlib.h>
#include <string.h>

/* Dirty pages are sent to the device in windows of this size, so that the last fsync, and a stop,
 * do not wait for gigabytes. */
#define WINDOW (16ull << 20)

static unsigned long long layout_ull(uint64_t v)
{
	return v;
}

static bool layout_stopped(const struct layout *l)
{
	return l->stop && atomic_load_explicit(l->stop, memory_order_relaxed);
}

static int layout_stop_words(const struct layout_file *f, struct err *err)
{
	return err_set(err, ERR_INTERRUPTED, EINTR, "stopped while '%s' was laid out", f->path);
}

static int layout_fail(const struct layout_file *f, const char *what, int e, struct err *err)
{
	int ret = err_set(err, ERR_SETUP, e, "cannot %s '%s' (requested size %llu bytes): %s", what,
			  f->path, layout_ull(f->size), strerror(e));
	if (e == ENOSPC || e == EDQUOT)
		err_remedy(err, "free some space, or make size= smaller");
	else if (e == EEXIST)
		err_remedy(err, "if it is a symbolic link to a file that does not exist, name that "
				"file instead, or make it first");
	return ret;
}

static int layout_refuse_create(const struct layout_file *f, struct err *err)
{
	int ret = err_set(
		err, ERR_SETUP, ENOENT,
		"'%s' does not exist (wanted %llu bytes, found none) and may not be created",
		f->path, layout_ull(f->size));
	err_remedy(err,
		   "set allow_file_create=1 (and leave --readonly out), or make the file first");
	return ret;
}

static int layout_refuse_extend(const struct layout_file *f, uint64_t found, struct err *err)
{
	int ret = err_set(
		err, ERR_SETUP, EFBIG,
		"'%s' is too small: wanted %llu bytes, found %llu, and it may not be extended",
		f->path, layout_ull(f->size), layout_ull(found));
	err_remedy(err, "set size=%llu, or allow_file_create=1 (and leave --readonly out)",
		   layout_ull(found));
	return ret;
}

/* What is to be done: 1 make, 2 extend, 0 nothing, -errno. */
static int layout_judge(const struct layout *l, const struct layout_file *f, struct stat *st,
			struct err *err)
{
	memset(st, 0, sizeof(*st));
	if (sys_or_real(l->sys)->stat(f->path, st)) {
		if (errno != ENOENT)
			return layout_fail(f, "look at", errno, err);
		int ret = target_guard_dev(l->sys, f->path, err);
		if (ret)
			return ret;
		return l->may_create ? 1 : layout_refuse_create(f, err);
	}
	if (!S_ISREG(st->st_mode) || (uint64_t)st->st_size >= f->size)
		return 0;
	if (!l->may_create)
		return layout_refuse_extend(f, (uint64_t)st->st_size, err);
	return f->fill || f->fallocate != FALLOC_NONE ? 2 : 0;
}

static bool layout_cannot(int e)
{
	return e == EOPNOTSUPP || e == ENOSYS || e == EINVAL || e == ENODEV;
}

/* Reserve the space beyond the old end. */
static int layout_preallocate(const struct layout *l, struct layout_file *f, int fd,
			      struct err *err)
{
	assert(fd >= 0);
	const struct sys_ops *sys = sys_or_real(l->sys);
	off_t from = (off_t)f->old_size, len = (off_t)(f->size - f->old_size);
	int e = 0;
	do {
		switch (f->fallocate) {
		case FALLOC_NATIVE:
			e = sys->fallocate(fd, 0, from, len) ? errno : 0;
			break;
		case FALLOC_KEEP:
			e = sys->fallocate(fd, FALLOC_FL_KEEP_SIZE, from, len) ? errno : 0;
			break;
		case FALLOC_POSIX:
			e = sys->fallocate_posix(fd, from, len);
			break;
		case FALLOC_TRUNCATE:
			e = sys->ftruncate(fd, (off_t)f->size) ? errno : 0;
			break;
		case FALLOC_NONE:
			break;
		}
		if (layout_stopped(l))
			return layout_stop_words(f, err);
	} while (e == EINTR);
	if ((e == ENOSPC || e == EDQUOT) && l->enospc_ok) {
		f->full = !f->fill;
		return 0;
	}
	if (e && !(layout_cannot(e) && f->fallocate != FALLOC_TRUNCATE))
		return layout_fail(f, "reserve space for", e, err);
	return 0;
}

/* Data that neither compress nor repeat, other ones for each place of each file. */
static void layout_make_data(const struct layout *l, const struct layout_file *f, uint64_t offset,
			     uint64_t *buf, size_t len)
{
	struct rng r;
	rng_seed(&r, rng_derive(l->seed, f->ino, offset));
	for (size_t i = 0; i < len / sizeof(*buf); i++)
		buf[i] = rng_next(&r);
}

static int layout_write_all(const struct layout *l, struct layout_file *f, int fd, const char *buf,
			    size_t len, uint64_t offset)
{
	const struct sys_ops *sys = sys_or_real(l->sys);
	while (len) {
		if (layout_stopped(l))
			return -EINTR;
		ssize_t n = sys->pwrite(fd, buf, len, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		buf += n;
		len -= (size_t)n;
		offset += (uint64_t)n;
		f->written += (uint64_t)n;
		if (l->progress)
			l->progress(l->progress_ctx, (uint64_t)n);
	}
	return 0;
}

/* Begin to write a finished window back and wait for the one before. Errors show up at fsync. */
static void layout_push_window(const struct sys_ops *sys, int fd, uint64_t from, uint64_t end)
{
	assert(from <= end);
	sys->sync_range(fd, (off_t)(end - WINDOW), (off_t)WINDOW, SYNC_FILE_RANGE_WRITE);
	if (end >= from + 2 * WINDOW)
		sys->sync_range(fd, (off_t)(end - 2 * WINDOW), (off_t)WINDOW,
				SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
					SYNC_FILE_RANGE_WAIT_AFTER);
}

static int layout_write_data(const struct layout *l, struct layout_file *f, int fd, uint64_t *buf,
			     size_t block)
{
	uint64_t pushed = f->old_size;
	for (uint64_t at = f->old_size; at < f->size;) {
		size_t n = block - (size_t)(at % block);
		if (n > f->size - at)
			n = (size_t)(f->size - at);
		layout_make_data(l, f, at, buf, block);
		int ret = layout_write_all(l, f, fd, (const char *)buf, n, at);
		if (ret)
			return ret;
		at += n;
		if (at >= pushed + WINDOW) {
			pushed = at;
			layout_push_window(sys_or_real(l->sys), fd, f->old_size, at);
		}
	}
	return 0;
}

static int layout_fill(const struct layout *l, struct layout_file *f, int fd, struct err *err)
{
	const struct sys_ops *sys = sys_or_real(l->sys);
	size_t block = l->block ? (l->block + 4095) / 4096 * 4096 : 1 << 20;
	uint64_t *buf = aligned_alloc(4096, block);
	if (!buf)
		return layout_fail(f, "get a buffer for", ENOMEM, err);
	int ret = layout_write_data(l, f, fd, buf, block);
	free(buf);
	if (ret == -EINTR)
		return layout_stop_words(f, err);
	if ((ret == -ENOSPC || ret == -EDQUOT) && l->enospc_ok) {
		/* A reservation that was cut short may reach beyond the data. */
		f->full = true;
		ret = sys->ftruncate(fd, (off_t)(f->old_size + f->written)) ? -errno : 0;
	}
	if (ret)
		return layout_fail(f, "write", -ret, err);
	if (l->fsync && sys->fsync(fd))
		return layout_fail(f, "fsync", errno, err);
	return layout_stopped(l) ? layout_stop_words(f, err) : 0;
}

static int layout_open_target(const struct layout *l, struct layout_file *f, struct err *err)
{
	const struct sys_ops *sys = sys_or_real(l->sys);
	int flags = O_WRONLY | O_CLOEXEC, fd;
	if (f->created) {
		int ret = path_make_folders(sys, f->path, &f->dirs);
		if (ret)
			return layout_fail(f, "make the folder of", -ret, err);
		/* O_EXCL: not through a symbolic link to nowhere, and never what somebody else has
		 * just made. */
		fd = sys->open(f->path, flags | O_CREAT | O_EXCL, f->mode ? f->mode : 0644);
	} else {
		fd = sys->open(f->path, flags, 0);
	}
	if (fd < 0) {
		int ret = layout_fail(f, f->created ? "create" : "extend", errno, err);
		path_remove_folders(sys, f->path, f->dirs);
		return ret;
	}
	return fd;
}

/* Take back what was done through fd. */
static void layout_take_back(const struct layout *l, struct layout_file *f, int fd, struct err *err)
{
	const struct sys_ops *sys = sys_or_real(l->sys);
	int ret = 0;
	if (f->created) {
		ret = sys->unlink(f->path);
		path_remove_folders(sys, f->path, f->dirs);
	} else if (f->extended) {
		ret = sys->ftruncate(fd, (off_t)f->old_size);
	}
	if (ret && err)
		err_remedy(err,
			   "'%s' could not be restored (%s): remove the data beyond its first %llu "
			   "bytes",
			   f->path, strerror(errno), layout_ull(f->old_size));
}

static int layout_work(const struct layout *l, struct layout_file *f, int fd, struct err *err)
{
	const struct sys_ops *sys = sys_or_real(l->sys);
	struct stat st;
	if (sys->fstat(fd, &st))
		return layout_fail(f, "look at", errno, err);
	/* Replaced or changed since it was judged: what is there now is the old content. */
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->old_size = (uint64_t)st.st_size;
	f->new_size = f->old_size;
	if (!S_ISREG(st.st_mode) || f->old_size >= f->size)
		return 0;
	f->extended = !f->created;
	int ret = layout_preallocate(l, f, fd, err);
	if (!ret && f->fill)
		ret = layout_fill(l, f, fd, err);
	if (ret)
		return ret;
	if (sys->fstat(fd, &st))
		return layout_fail(f, "look at", errno, err);
	f->new_size = (uint64_t)st.st_size;
	return 0;
}

int layout_file(const struct layout *l, struct layout_file *f, struct err *err)
{
	assert(l && f && f->path);
	const struct sys_ops *sys = sys_or_real(l->sys);
	struct stat st;
	int what = layout_judge(l, f, &st, err);
	if (what < 0)
		return what;
	f->old_size = f->new_size = (uint64_t)st.st_size;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	if (!what)
		return 0;
	f->created = what == 1;
	int fd = layout_open_target(l, f, err), ret = fd;
	if (fd >= 0) {
		ret = layout_work(l, f, fd, err);
		if (ret)
			layout_take_back(l, f, fd, err);
		/* Network file systems tell of a full disk here. */
		if (sys->close(fd) && !ret && errno != EINTR) {
			ret = layout_fail(f, "close", errno, err);
			IGNORE_RESULT(layout_undo(l, f));
		}
	}
	if (ret) {
		f->created = f->extended = f->full = false;
		f->dirs = 0;
		f->new_size = f->old_size;
		f->written = 0;
	}
	return ret;
}

static int layout_cut(const struct sys_ops *sys, const struct layout_file *f)
{
	struct stat st;
	int ret = 0, fd = sys->open(f->path, O_WRONLY | O_CLOEXEC, 0);
	if (fd < 0 || sys->fstat(fd, &st))
		ret = -errno;
	else if (st.st_dev == f->dev && st.st_ino == f->ino &&
		 (uint64_t)st.st_size == f->new_size && sys->ftruncate(fd, (off_t)f->old_size))
		ret = -errno;
	if (fd >= 0)
		sys->close(fd);
	return ret;
}

int layout_undo(const struct layout *l, struct layout_file *f)
{
	assert(l && f && f->path);
	const struct sys_ops *sys = sys_or_real(l->sys);
	struct stat st;
	int ret = 0;
	if (!f->created && !f->extended)
		return 0;
	if (sys->stat(f->path, &st))
		return errno == ENOENT ? 0 : -errno;
	bool same =
		st.st_dev == f->dev && st.st_ino == f->ino && (uint64_t)st.st_size == f->new_size;
	if (same && f->created) {
		ret = sys->unlink(f->path) ? -errno : 0;
		if (!ret)
			path_remove_folders(sys, f->path, f->dirs);
	} else if (same) {
		ret = layout_cut(sys, f);
	}
	if (!ret) {
		f->created = f->extended = false;
		f->dirs = 0;
		f->new_size = f->old_size;
	}
	return ret;
}
