/* The HTTP server of --metrics: one page, /metrics, by GET and HEAD. The protocol is
 * libmicrohttpd's (httpd.c); a build without the library refuses to serve (httpd_none.c).
 *
 * The library's thread serves up to 32 connections; one that is idle for five seconds is closed.
 * httpd_publish() and httpd_close() are for one thread, which never waits for a client. */
#ifndef FATHOM_LIVE_HTTPD_H
#define FATHOM_LIVE_HTTPD_H

#include "base/err.h"
#include "base/must_check.h"
#include "conf/endpoint.h"
#include <stddef.h>

struct httpd;

/* Listen (TCP or UNIX) and start the thread. Until a page is published the answer is 503. -errno
 * with text; -ENOTSUP: built without the library. */
MUST_CHECK int httpd_open(const struct endpoint *at, struct httpd **out, struct err *err);
/* Where it listens: "http://127.0.0.1:9100/metrics" or "unix:PATH". */
const char *httpd_url(const struct httpd *h);
/* A new page, malloc'ed; the server owns it. Without memory the old page stays. */
void httpd_publish(struct httpd *h, char *text, size_t n);
/* Close all connections, end the thread, remove the Unix socket. */
void httpd_close(struct httpd *h);

#endif
