#include "live/sockets.h"
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define CONNECT_MS 5000
#define BACKLOG	   64
#define HOW	   (SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC)

static struct sockaddr_un sockets_unix_address(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};

	assert(strlen(path) < sizeof(a.sun_path)); /* checked when it was parsed */
	memcpy(a.sun_path, path, strlen(path));
	return a;
}

static struct addrinfo *sockets_resolve(const struct endpoint *e, int flags, struct err *err)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};
	struct addrinfo *list = NULL;
	char port[8];
	int ret;

	(void)snprintf(port, sizeof(port), "%u", e->port);
	ret = getaddrinfo(e->host, port, &hints, &list);
	if (ret)
		err_set(err, ERR_SETUP, ret == EAI_SYSTEM ? errno : EADDRNOTAVAIL,
			"there is no address of %s: %s", e->host, gai_strerror(ret));
	return ret ? NULL : list;
}

/* 0 or -errno. */
static int sockets_connect_soon(int fd, const struct sockaddr *to, socklen_t n)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	int error = 0;
	socklen_t size = sizeof(error);

	if (!connect(fd, to, n))
		return 0;
	if (errno != EINPROGRESS)
		return errno == EAGAIN ? -ECONNREFUSED
				       : -errno; /* a full backlog of a unix socket */
	if (poll(&p, 1, CONNECT_MS) <= 0)
		return -ETIMEDOUT;
	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) ? -errno : -error;
}

static int sockets_try_connect(int family, const struct sockaddr *to, socklen_t n)
{
	int fd = socket(family, HOW, 0), ret;

	if (fd < 0)
		return -errno;
	ret = sockets_connect_soon(fd, to, n);
	if (ret < 0)
		close(fd);
	return ret < 0 ? ret : fd;
}

int socket_connect(const struct endpoint *to, struct err *err)
{
	int fd = -EADDRNOTAVAIL;

	assert(to->kind == ENDPOINT_UNIX || to->kind == ENDPOINT_TCP);
	if (to->kind == ENDPOINT_UNIX) {
		struct sockaddr_un a = sockets_unix_address(to->path);
		fd = sockets_try_connect(AF_UNIX, (struct sockaddr *)&a, sizeof(a));
		if (fd < 0)
			err_set(err, ERR_SETUP, -fd, "nobody answers at unix:%s: %s", to->path,
				strerror(-fd));
		return fd;
	}
	struct addrinfo *list = sockets_resolve(to, 0, err);
	if (!list)
		return -EADDRNOTAVAIL;
	for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next)
		fd = sockets_try_connect(a->ai_family, a->ai_addr, a->ai_addrlen);
	freeaddrinfo(list);
	if (fd < 0)
		err_set(err, ERR_SETUP, -fd, "nobody answers at tcp:%s:%u: %s", to->host, to->port,
			strerror(-fd));
	return fd;
}

static int sockets_try_listen(int family, const struct sockaddr *at, socklen_t n)
{
	int fd = socket(family, HOW, 0), one = 1;

	if (fd < 0)
		return -errno;
	if (family != AF_UNIX)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, at, n) || listen(fd, BACKLOG)) {
		int ret = -errno;
		close(fd);
		return ret;
	}
	return fd;
}

/* A socket that its owner left behind: nobody listens on it. */
static bool sockets_left_behind(const struct sockaddr_un *a)
{
	struct stat st;

	if (lstat(a->sun_path, &st) || !S_ISSOCK(st.st_mode))
		return false;
	int fd = sockets_try_connect(AF_UNIX, (const struct sockaddr *)a, sizeof(*a));
	if (fd >= 0)
		close(fd);
	return fd == -ECONNREFUSED;
}

static int sockets_listen_unix(const char *path, struct err *err)
{
	struct sockaddr_un a = sockets_unix_address(path);
	int fd = sockets_try_listen(AF_UNIX, (struct sockaddr *)&a, sizeof(a));

	if (fd == -EADDRINUSE && sockets_left_behind(&a) && !unlink(path))
		fd = sockets_try_listen(AF_UNIX, (struct sockaddr *)&a, sizeof(a));
	if (fd < 0)
		err_set(err, ERR_SETUP, -fd, "metrics cannot be served at unix:%s: %s", path,
			strerror(-fd));
	return fd;
}

static unsigned sockets_port_of(int fd)
{
	struct sockaddr_storage a;
	socklen_t n = sizeof(a);

	memset(&a, 0, sizeof(a));
	if (getsockname(fd, (struct sockaddr *)&a, &n))
		return 0;
	return ntohs(a.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&a)->sin6_port
					     : ((struct sockaddr_in *)&a)->sin_port);
}

int socket_listen(const struct endpoint *at, unsigned *port, struct err *err)
{
	int fd = -EADDRNOTAVAIL;

	assert(at->kind == ENDPOINT_UNIX || (at->kind == ENDPOINT_TCP && port));
	if (at->kind == ENDPOINT_UNIX)
		return sockets_listen_unix(at->path, err);
	struct addrinfo *list = sockets_resolve(at, AI_PASSIVE, err);
	if (!list)
		return -EADDRNOTAVAIL;
	for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next)
		fd = sockets_try_listen(a->ai_family, a->ai_addr, a->ai_addrlen);
	freeaddrinfo(list);
	if (fd < 0)
		err_set(err, ERR_SETUP, -fd, "metrics cannot be served at %s:%u: %s", at->host,
			at->port, strerror(-fd));
	else
		*port = sockets_port_of(fd);
	return fd;
}
