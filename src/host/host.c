#include "host/host.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct host host_here = {""};

static int host_vpath(const struct host *h, char *buf, size_t size, const char *fmt, va_list ap)
{
	int n = snprintf(buf, size, "%s", h->root);
	if (n < 0 || (size_t)n >= size)
		return -ENAMETOOLONG;
	int k = vsnprintf(buf + n, size - (size_t)n, fmt, ap);
	return k < 0 || (size_t)k >= size - (size_t)n ? -ENAMETOOLONG : 0;
}

int host_path(const struct host *h, char *buf, size_t size, const char *fmt, ...)
{
	assert(h && h->root && buf && size && fmt);
	va_list ap;
	va_start(ap, fmt);
	int ret = host_vpath(h, buf, size, fmt, ap);
	va_end(ap);
	return ret;
}

/* Up to size bytes of a file; 0 or more, or -errno. */
static ssize_t host_read_some(const char *path, char *buf, size_t size)
{
	assert(size);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	size_t len = 0;
	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int e = errno;
			close(fd);
			return -e;
		}
		if (n == 0)
			break;
		len += (size_t)n;
	}
	close(fd);
	return (ssize_t)len;
}

static bool host_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

static int host_vread_text(const struct host *h, char *buf, size_t size, const char *fmt,
			   va_list ap)
{
	char path[HOST_PATH_MAX], text[HOST_PATH_MAX] = "";
	int ret = host_vpath(h, path, sizeof(path), fmt, ap);
	if (ret)
		return ret;
	ssize_t n = host_read_some(path, text, sizeof(text));
	if (n < 0)
		return (int)n;
	size_t from = 0, to = (size_t)n;
	while (to > from && host_is_blank(text[to - 1]))
		to--;
	while (from < to && host_is_blank(text[from]))
		from++;
	if (to - from >= size)
		to = from + size - 1;
	memcpy(buf, text + from, to - from);
	buf[to - from] = '\0';
	return 0;
}

int host_read_text(const struct host *h, char *buf, size_t size, const char *fmt, ...)
{
	assert(buf && size);
	va_list ap;
	va_start(ap, fmt);
	int ret = host_vread_text(h, buf, size, fmt, ap);
	va_end(ap);
	return ret;
}

int host_read_all(const struct host *h, char **text, size_t *len, const char *fmt, ...)
{
	assert(text);
	char path[HOST_PATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	int ret = host_vpath(h, path, sizeof(path), fmt, ap);
	va_end(ap);
	if (ret)
		return ret;
	/* Files of /proc have no size, and what a second read returns may be another version: grow
	 * until one read fits. */
	for (size_t room = 16384;; room *= 4) {
		char *buf = malloc(room + 1);
		if (!buf)
			return -ENOMEM;
		ssize_t n = host_read_some(path, buf, room);
		if (n < 0 || (size_t)n < room) {
			if (n < 0) {
				free(buf);
				return (int)n;
			}
			buf[n] = '\0';
			*text = buf;
			if (len)
				*len = (size_t)n;
			return 0;
		}
		free(buf);
	}
}

int host_read_u64(const struct host *h, uint64_t *out, const char *fmt, ...)
{
	assert(out);
	char text[64], *end;
	va_list ap;
	va_start(ap, fmt);
	int ret = host_vread_text(h, text, sizeof(text), fmt, ap);
	va_end(ap);
	if (ret)
		return ret;
	if (text[0] < '0' || text[0] > '9')
		return -EINVAL;
	errno = 0;
	uint64_t v = strtoull(text, &end, text[1] == 'x' ? 16 : 10);
	if (errno || end == text)
		return -EINVAL;
	*out = v;
	return 0;
}

int host_read_i64(const struct host *h, int64_t *out, const char *fmt, ...)
{
	assert(out);
	char text[64], *end;
	va_list ap;
	va_start(ap, fmt);
	int ret = host_vread_text(h, text, sizeof(text), fmt, ap);
	va_end(ap);
	if (ret)
		return ret;
	errno = 0;
	int64_t v = strtoll(text, &end, 10);
	if (errno || end == text)
		return -EINVAL;
	*out = v;
	return 0;
}

int host_read_link(const struct host *h, char *buf, size_t size, const char *fmt, ...)
{
	char path[HOST_PATH_MAX], link[HOST_PATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	int ret = host_vpath(h, path, sizeof(path), fmt, ap);
	va_end(ap);
	if (ret)
		return ret;
	ssize_t n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		return -errno;
	link[n] = '\0';
	const char *last = strrchr(link, '/');
	last = last ? last + 1 : link;
	size_t len = strlen(last);
	if (len >= size)
		return -ENAMETOOLONG;
	memcpy(buf, last, len + 1);
	return 0;
}

bool host_exists(const struct host *h, const char *fmt, ...)
{
	char path[HOST_PATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	int ret = host_vpath(h, path, sizeof(path), fmt, ap);
	va_end(ap);
	return !ret && access(path, F_OK) == 0;
}
