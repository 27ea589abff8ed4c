#include "conf/endpoint.h"
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/un.h>

#define LIVE_FORMS "write fd:N, unix:PATH, tcp:HOST:PORT or the path of a file"
#define METRICS_FORMS                                                                              \
	"write PORT, HOST:PORT, unix:PATH, or the path of a file as DIR/NAME or NAME.prom"

static int endpoint_refuse(struct err *err, const char *forms, const char *text, const char *why)
{
	int ret = err_set(err, ERR_USAGE, EINVAL, "'%.100s' %s", text, why);

	err_remedy(err, "%s", forms);
	return ret;
}

/* Digits only, at most `most`. */
static bool endpoint_number(const char *text, unsigned most, unsigned *out)
{
	unsigned long v = 0;

	if (!*text || strlen(text) > 9)
		return false;
	for (const char *p = text; *p; p++) {
		if (*p < '0' || *p > '9')
			return false;
		v = v * 10 + (unsigned long)(*p - '0');
	}
	if (v > most)
		return false;
	*out = (unsigned)v;
	return true;
}

static int endpoint_unix_path(const char *path, const char *forms, struct endpoint *out,
			      struct err *err)
{
	if (!*path)
		return endpoint_refuse(err, forms, path, "names no socket");
	if (strlen(path) >= sizeof(((struct sockaddr_un *)NULL)->sun_path))
		return endpoint_refuse(err, "use a shorter path, below 108 bytes", path,
				       "is too long for the path of a socket");
	*out = (struct endpoint){.kind = ENDPOINT_UNIX, .path = path};
	return 0;
}

/* HOST:PORT; an IPv6 address stands in brackets. */
static int endpoint_host_port(const char *text, const char *forms, struct arena *arena,
			      struct endpoint *out, struct err *err)
{
	const char *colon = strrchr(text, ':'), *host = text;
	size_t n = colon ? (size_t)(colon - text) : 0;
	unsigned port;

	if (!n)
		return endpoint_refuse(err, forms, text, "names no host and port");
	if (!endpoint_number(colon + 1, 65535, &port))
		return endpoint_refuse(err, "write a port from 0 to 65535", text, "names no port");
	if (*host == '[' && n > 2 && host[n - 1] == ']') {
		host++;
		n -= 2;
	} else if (memchr(host, ':', n)) {
		return endpoint_refuse(err, "write [ADDRESS]:PORT", text,
				       "has an IPv6 address without brackets");
	}
	host = arena_strndup(arena, host, n);
	if (!host)
		return err_set(err, ERR_SETUP, ENOMEM, "out of memory");
	*out = (struct endpoint){.kind = ENDPOINT_TCP, .host = host, .port = port};
	return 0;
}

/* Something like "udp:", which is no way to write but for a file that is meant as "./udp:". */
static bool endpoint_looks_like_scheme(const char *text)
{
	size_t n = 0;

	while (isalpha((unsigned char)text[n]))
		n++;
	return n && text[n] == ':';
}

int endpoint_live(const char *text, struct arena *arena, struct endpoint *out, struct err *err)
{
	struct endpoint e = {0};
	unsigned fd;
	int ret = 0;

	if (strncmp(text, "fd:", 3) == 0) {
		if (!endpoint_number(text + 3, 1u << 20, &fd))
			return endpoint_refuse(err, LIVE_FORMS, text, "names no file descriptor");
		e = (struct endpoint){.kind = ENDPOINT_FD, .fd = (int)fd};
	} else if (strncmp(text, "unix:", 5) == 0) {
		ret = endpoint_unix_path(text + 5, LIVE_FORMS, &e, err);
	} else if (strncmp(text, "tcp:", 4) == 0) {
		ret = endpoint_host_port(text + 4, LIVE_FORMS, arena, &e, err);
		if (!ret && !e.port)
			ret = endpoint_refuse(err, "write a port from 1 to 65535", text,
					      "names no port");
	} else if (!*text || endpoint_looks_like_scheme(text)) {
		return endpoint_refuse(err, LIVE_FORMS ", as ./NAME if need be", text,
				       "is not a destination for live numbers");
	} else {
		e = (struct endpoint){.kind = ENDPOINT_PATH, .path = text};
	}
	if (!ret)
		*out = e;
	return ret;
}

/* No host has a slash in its name, and collectors of text files want names that end in .prom. */
static bool endpoint_looks_like_file(const char *text)
{
	static const char end[] = ".prom";
	size_t n = strlen(text), end_n = sizeof(end) - 1;

	return strchr(text, '/') || (n > end_n && !strcmp(text + n - end_n, end));
}

int endpoint_metrics(const char *text, struct arena *arena, struct endpoint *out, struct err *err)
{
	unsigned port;

	if (strncmp(text, "unix:", 5) == 0)
		return endpoint_unix_path(text + 5, METRICS_FORMS, out, err);
	if (endpoint_looks_like_file(text)) {
		*out = (struct endpoint){.kind = ENDPOINT_PATH, .path = text};
		return 0;
	}
	if (endpoint_number(text, 65535, &port)) {
		*out = (struct endpoint){.kind = ENDPOINT_TCP, .host = "127.0.0.1", .port = port};
		return 0;
	}
	return endpoint_host_port(text, METRICS_FORMS, arena, out, err);
}
