#include "log/logsink.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int logsink_sink_error(const struct logsink *s, const char *verb, int sys, struct err *err)
{
	int ret = err_set(err, ERR_SETUP, sys, "cannot %s the log \"%s\": %s", verb, s->path,
			  strerror(sys));

	if (err && sys == ENOENT)
		err_remedy(err, "create the folder first");
	return ret;
}

int logsink_open(struct logsink *s, char *path, bool truncate, bool keep_open, struct err *err)
{
	assert(path);
	memset(s, 0, sizeof(*s));
	s->path = path;
	s->fd = -1;
	s->truncate = truncate;
	s->created = access(path, F_OK) != 0;
	if (truncate) {
		int ret = newfile_open(&s->new, path, 0644);
		if (!ret)
			s->fd = s->new.fd;
		else
			errno = -ret;
	} else {
		s->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	}
	if (s->fd < 0) {
		s->created = false;
		return logsink_sink_error(s, "open", errno, err);
	}
	if (!keep_open) {
		close(s->fd);
		s->fd = -1;
	}
	return 0;
}

int logsink_begin(struct logsink *s, struct err *err)
{
	if (!s->truncate || s->new.part)
		return 0;
	int ret = s->fd >= 0 ? ftruncate(s->fd, 0) : truncate(s->path, 0);
	/* EINVAL: a pipe or device, which has no length. */
	return ret && errno != EINVAL ? logsink_sink_error(s, "empty", errno, err) : 0;
}

static int logsink_write_all(int fd, const char *buf, size_t n)
{
	while (n) {
		ssize_t done = write(fd, buf, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		buf += done;
		n -= (size_t)done;
	}
	return 0;
}

static void logsink_send(struct logsink *s, const char *data, size_t n)
{
	int fd = s->fd;

	if (s->failed || !n)
		return;
	if (fd < 0)
		fd = open(s->new.part ? s->new.part : s->path, O_WRONLY | O_APPEND | O_CLOEXEC);
	s->failed = fd < 0 ? -errno : logsink_write_all(fd, data, n);
	if (fd >= 0 && fd != s->fd && close(fd) && !s->failed)
		s->failed = -errno;
}

int logsink_flush(struct logsink *s)
{
	logsink_send(s, s->buf, s->used);
	s->used = 0;
	return s->failed;
}

int logsink_finish(struct logsink *s)
{
	int ret = logsink_flush(s);

	if (s->fd >= 0 && close(s->fd) && !ret)
		ret = -errno;
	s->fd = -1;
	if (ret)
		return ret;
	return newfile_finish(&s->new, s->path);
}

void logsink_put(struct logsink *s, const void *data, size_t n)
{
	assert(data || !n);
	if (n >= LOGSINK_BUFFER / 4) {
		logsink_flush(s);
		logsink_send(s, data, n);
		return;
	}
	char *to = logsink_room(s, n);
	if (!to)
		return;
	memcpy(to, data, n);
	logsink_advance(s, to + n);
}

char *logsink_room(struct logsink *s, size_t n)
{
	assert(n <= LOGSINK_BUFFER && s->used <= LOGSINK_BUFFER);
	if (!s->buf && !s->failed) {
		s->buf = malloc(LOGSINK_BUFFER);
		if (!s->buf)
			s->failed = -ENOMEM;
	}
	if (s->used + n > LOGSINK_BUFFER)
		logsink_flush(s);
	return s->failed ? NULL : s->buf + s->used;
}

void logsink_advance(struct logsink *s, const char *end)
{
	assert(s->buf && end >= s->buf + s->used && end <= s->buf + LOGSINK_BUFFER);
	s->used = (size_t)(end - s->buf);
}

void logsink_release(struct logsink *s, bool undo)
{
	if (s->fd >= 0)
		close(s->fd);
	if (undo && s->created && !s->new.part)
		(void)unlink(s->path);
	newfile_drop(&s->new);
	free(s->path);
	free(s->buf);
	memset(s, 0, sizeof(*s));
	s->fd = -1;
}
