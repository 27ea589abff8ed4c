#include "live/httpd.h"
#include "live/openmetrics.h"
#include "live/sockets.h"
#include "live/threads.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAGE	    "/metrics"
#define CONNECTIONS 32u
#define IDLE_S	    5u	   /* for a client that sends or takes nothing */
#define MEMORY	    16384u /* of a connection: request and head of the answer */

struct httpd {
	int fd;
	char *path; /* of a Unix socket, to be removed */
	char url[320];
	struct MHD_Daemon *daemon;
	pthread_mutex_t lock;	   /* page */
	struct MHD_Response *page; /* counts its users; NULL before the first */
};

/* A connection is for one request: the next scrape comes later than an idle connection lives.
 * Owns text if it is to be freed; NULL without memory. */
static struct MHD_Response *httpd_response(char *text, size_t n, enum MHD_ResponseMemoryMode mode,
					   const char *type)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(n, text, mode);

	if (!r) {
		if (mode == MHD_RESPMEM_MUST_FREE)
			free(text);
		return NULL;
	}
	if (MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type) == MHD_YES &&
	    MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close") == MHD_YES)
		return r;
	MHD_destroy_response(r);
	return NULL;
}

/* MHD_NO, which closes the connection, without memory. */
static enum MHD_Result httpd_answer_text(struct MHD_Connection *c, unsigned status, char *text)
{
	struct MHD_Response *r = httpd_response(text, strlen(text), MHD_RESPMEM_PERSISTENT,
						"text/plain; charset=utf-8");
	enum MHD_Result ret = MHD_NO;

	if (r && (status != MHD_HTTP_METHOD_NOT_ALLOWED ||
		  MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD") == MHD_YES))
		ret = MHD_queue_response(c, status, r);
	if (r)
		MHD_destroy_response(r);
	return ret;
}

/* Queueing only counts another user of the page: it is sent after the lock is free again. */
static enum MHD_Result httpd_answer_page(struct httpd *h, struct MHD_Connection *c)
{
	enum MHD_Result ret = MHD_NO;

	pthread_mutex_lock(&h->lock);
	bool have = h->page != NULL;
	if (have)
		ret = MHD_queue_response(c, MHD_HTTP_OK, h->page);
	pthread_mutex_unlock(&h->lock);
	return have ? ret : httpd_answer_text(c, MHD_HTTP_SERVICE_UNAVAILABLE, "no numbers yet\n");
}

/* Called when the head of a request is complete; a body is not waited for. */
static enum MHD_Result httpd_on_request(void *arg, struct MHD_Connection *c, const char *url,
					const char *method, const char *version, const char *body,
					size_t *body_n, void **state)
{
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return httpd_answer_text(c, MHD_HTTP_METHOD_NOT_ALLOWED, "GET and HEAD only\n");
	if (strcmp(url, PAGE) != 0)
		return httpd_answer_text(c, MHD_HTTP_NOT_FOUND, "the page is " PAGE "\n");
	return httpd_answer_page(arg, c);
}

static void httpd_free(struct httpd *h)
{
	/* Workers have copies of the descriptor: only shutdown ends the listening. */
	if (h->fd >= 0) {
		shutdown(h->fd, SHUT_RDWR);
		close(h->fd);
		if (h->path)
			unlink(h->path);
	}
	if (h->page)
		MHD_destroy_response(h->page);
	pthread_mutex_destroy(&h->lock);
	free(h->path);
	free(h);
}

static void httpd_set_url(struct httpd *h, const struct endpoint *at, unsigned port)
{
	bool v6 = at->kind == ENDPOINT_TCP && strchr(at->host, ':');

	if (at->kind == ENDPOINT_UNIX)
		(void)snprintf(h->url, sizeof(h->url), "unix:%s", at->path);
	else
		(void)snprintf(h->url, sizeof(h->url), "http://%s%s%s:%u" PAGE, v6 ? "[" : "",
			       at->host, v6 ? "]" : "", port);
}

/* poll, not select: descriptors above 1023 are common with many files. The library owns
 * the descriptor it gets, prints nothing and starts no second thread. */
static int httpd_start(struct httpd *h, struct err *err)
{
	int fd = fcntl(h->fd, F_DUPFD_CLOEXEC, 0);
	sigset_t old;

	if (fd < 0)
		return err_set(err, ERR_SETUP, errno, "no descriptor for metrics");
	threads_block_signals(&old);
	h->daemon = MHD_start_daemon(
		MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC, 0, NULL, NULL,
		httpd_on_request, h, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
		CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, IDLE_S,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY, MHD_OPTION_END);
	threads_restore_signals(&old);
	return h->daemon ? 0
			 : err_set(err, ERR_SETUP, EAGAIN,
				   "the HTTP server of metrics cannot be started");
}

int httpd_open(const struct endpoint *at, struct httpd **out, struct err *err)
{
	struct httpd *h = calloc(1, sizeof(*h));
	unsigned port = at->port;
	int ret = 0;

	assert(out);
	assert(at->kind == ENDPOINT_TCP || at->kind == ENDPOINT_UNIX);
	if (!h)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for metrics");
	pthread_mutex_init(&h->lock, NULL);
	h->fd = socket_listen(at, &port, err);
	if (h->fd < 0)
		ret = h->fd;
	if (!ret && at->kind == ENDPOINT_UNIX) {
		h->path = strdup(at->path);
		if (!h->path)
			ret = err_set(err, ERR_SETUP, ENOMEM, "no memory for metrics");
	}
	if (!ret) {
		httpd_set_url(h, at, port);
		ret = httpd_start(h, err);
	}
	if (ret)
		httpd_free(h);
	else
		*out = h;
	return ret;
}

const char *httpd_url(const struct httpd *h)
{
	assert(h);
	return h->url;
}

void httpd_publish(struct httpd *h, char *text, size_t n)
{
	struct MHD_Response *page, *old;

	assert(h && h->daemon && text);
	page = httpd_response(text, n, MHD_RESPMEM_MUST_FREE, OPENMETRICS_TYPE);
	if (!page)
		return;
	pthread_mutex_lock(&h->lock);
	old = h->page;
	h->page = page;
	pthread_mutex_unlock(&h->lock);
	if (old)
		MHD_destroy_response(old);
}

void httpd_close(struct httpd *h)
{
	assert(h && h->daemon);
	MHD_stop_daemon(h->daemon);
	httpd_free(h);
}
