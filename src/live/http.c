#include "live/http.h"
#include <stdio.h>
#include <string.h>

#define PAGE "/metrics"
#define ANSWER(status, more, text, length)                                                         \
	"HTTP/1.1 " status                                                                         \
	"\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " length "\r\n" more       \
	"Connection: close\r\n\r\n" text

static const char malformed[] = ANSWER("400 Bad Request", "", "not understood\n", "15");
static const char elsewhere[] = ANSWER("404 Not Found", "", "look at " PAGE "\n", "17");
static const char get_only[] =
	ANSWER("405 Method Not Allowed", "Allow: GET\r\n", "GET only\n", "9");
static const char too_long[] = ANSWER("431 Request Header Fields Too Large", "", "too long\n", "9");

static const char *http_find(const char *in, size_t n, const char *what)
{
	return memmem(in, n, what, strlen(what));
}

/* A word of capitals, as methods are. */
static size_t http_method_length(const char *in, size_t n)
{
	size_t at = 0;

	while (at < n && in[at] >= 'A' && in[at] <= 'Z')
		at++;
	return at;
}

enum http_state http_request(const char *in, size_t n, size_t room, const char **answer)
{
	const char *end = http_find(in, n, "\r\n"), *version;
	size_t method = http_method_length(in, n), path;

	*answer = malformed;
	if (!http_find(in, n, "\r\n\r\n")) {
		*answer = too_long;
		return n < room ? HTTP_MORE : HTTP_ERROR;
	}
	if (!method || in[method] != ' ')
		return HTTP_ERROR;
	version = memchr(in + method + 1, ' ', (size_t)(end - in) - method - 1);
	if (!version || end - version != 9 || strncmp(version, " HTTP/1.", 8) != 0)
		return HTTP_ERROR;
	*answer = get_only;
	if (method != 3 || strncmp(in, "GET", 3) != 0)
		return HTTP_ERROR;
	in += method + 1;
	path = (size_t)(version - in);
	for (size_t i = 0; i < path; i++)
		if (in[i] == '?')
			path = i;
	*answer = elsewhere;
	if (path != strlen(PAGE) || strncmp(in, PAGE, path) != 0)
		return HTTP_ERROR;
	return HTTP_PAGE;
}

size_t http_head(char *buf, size_t size, const char *type, size_t length)
{
	int n = snprintf(buf, size,
			 "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
			 "Connection: close\r\n\r\n",
			 type, length);

	return n < 0 || (size_t)n >= size ? 0 : (size_t)n;
}
