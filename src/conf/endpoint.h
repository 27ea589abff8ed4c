/* Where live numbers go (--live) and where metrics are served or written (--metrics): the text
 * taken apart. */
#ifndef FATHOM_CONF_ENDPOINT_H
#define FATHOM_CONF_ENDPOINT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/must_check.h"

enum endpoint_kind { ENDPOINT_NONE, ENDPOINT_FD, ENDPOINT_PATH, ENDPOINT_UNIX, ENDPOINT_TCP };

struct endpoint {
	enum endpoint_kind kind;
	int fd;		  /* FD */
	const char *path; /* PATH, UNIX */
	const char *host; /* TCP; without the brackets of an IPv6 address */
	unsigned port;	  /* TCP, 0..65535 */
};

/* "fd:N", "unix:PATH", "tcp:HOST:PORT" or the path of a file. -EINVAL with words and remedy; *out
 * is untouched then. Texts are in the arena. */
MUST_CHECK int endpoint_live(const char *text, struct arena *arena, struct endpoint *out,
			     struct err *err);
/* "PORT", "HOST:PORT", "unix:PATH" or the path of a file, which has a slash or ends in ".prom"; the
 * host is 127.0.0.1 when it is not named, port 0 means any free one. */
MUST_CHECK int endpoint_metrics(const char *text, struct arena *arena, struct endpoint *out,
				struct err *err);

#endif
