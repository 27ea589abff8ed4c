#include "live/metrics.h"
#include "live/http.h"
#include "live/sockets.h"
#include "live/threads.h"
#include "live/openmetrics.h"
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS 8
#define REQUEST	    4096
#define IDLE_MS	    5000 /* for a client that sends or takes nothing */
#define LINGER_MS   1000 /* for one that does not close after the answer */
#define PAUSE_MS    100	 /* when nothing can be accepted */

enum step { FREE, READING, WRITING, LINGERING };

struct connection {
	enum step step;
	int fd;
	int64_t deadline; /* ms */
	char in[REQUEST];
	size_t in_n;
	char *out; /* owned */
	size_t out_n, out_at;
};

struct metrics {
	int fd, wake;
	char *path; /* of a unix socket, to be removed */
	char url[320];
	pthread_t thread;
	pthread_mutex_t lock; /* page */
	char *page;
	size_t page_n;
	bool paused; /* accept failed for lack of something */
	struct connection all[CONNECTIONS];
};

static int64_t metrics_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Workers have copies of our descriptors: only shutdown ends the connection. */
static void metrics_drop(struct connection *c)
{
	shutdown(c->fd, SHUT_RDWR);
	close(c->fd);
	free(c->out);
	*c = (struct connection){.step = FREE};
}

static void metrics_accept_one(struct metrics *m)
{
	int fd = accept4(m->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	m->paused = fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED;
	for (unsigned i = 0; fd >= 0 && i < CONNECTIONS; i++) {
		if (m->all[i].step != FREE)
			continue;
		m->all[i].step = READING;
		m->all[i].fd = fd;
		m->all[i].deadline = metrics_now_ms() + IDLE_MS;
		return;
	}
	if (fd >= 0)
		close(fd);
}

static void metrics_answer_text(struct connection *c, const char *text)
{
	c->out = strdup(text);
	c->out_n = c->out ? strlen(text) : 0;
}

static void metrics_answer_page(struct metrics *m, struct connection *c)
{
	char head[256];

	pthread_mutex_lock(&m->lock);
	size_t n = http_head(head, sizeof(head), OPENMETRICS_TYPE, m->page_n);
	c->out = malloc(n + m->page_n);
	if (c->out) {
		memcpy(c->out, head, n);
		if (m->page_n)
			memcpy(c->out + n, m->page, m->page_n);
		c->out_n = n + m->page_n;
	}
	pthread_mutex_unlock(&m->lock);
}

static void metrics_on_input(struct metrics *m, struct connection *c)
{
	const char *text;
	ssize_t n = recv(c->fd, c->in + c->in_n, REQUEST - c->in_n, 0);

	if (n <= 0) {
		if (n == 0 || (errno != EAGAIN && errno != EINTR))
			metrics_drop(c);
		return;
	}
	c->in_n += (size_t)n;
	switch (http_request(c->in, c->in_n, REQUEST, &text)) {
	case HTTP_MORE:
		return;
	case HTTP_PAGE:
		metrics_answer_page(m, c);
		break;
	case HTTP_ERROR:
		metrics_answer_text(c, text);
		break;
	}
	if (!c->out) {
		metrics_drop(c);
		return;
	}
	c->step = WRITING;
	c->deadline = metrics_now_ms() + IDLE_MS;
}

static void metrics_on_output(struct connection *c)
{
	ssize_t n = send(c->fd, c->out + c->out_at, c->out_n - c->out_at, MSG_NOSIGNAL);

	if (n < 0) {
		if (errno != EAGAIN && errno != EINTR)
			metrics_drop(c);
		return;
	}
	c->out_at += (size_t)n;
	c->deadline = metrics_now_ms() + IDLE_MS;
	if (c->out_at < c->out_n)
		return;
	/* Closing at once could take the answer away from a client that still sends. */
	shutdown(c->fd, SHUT_WR);
	c->step = LINGERING;
	c->deadline = metrics_now_ms() + LINGER_MS;
}

static void metrics_on_rest(struct connection *c)
{
	ssize_t n = recv(c->fd, c->in, REQUEST, 0);

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		metrics_drop(c);
}

static void metrics_serve(struct metrics *m, struct connection *c, short events)
{
	if (events) {
		if (c->step == READING)
			metrics_on_input(m, c);
		else if (c->step == WRITING)
			metrics_on_output(c);
		else
			metrics_on_rest(c);
	}
	if (c->step != FREE && metrics_now_ms() >= c->deadline)
		metrics_drop(c);
}

/* What to wait for; returns for how long, in ms, -1 for ever. */
static int metrics_arrange(struct metrics *m, struct pollfd *p)
{
	int64_t now = metrics_now_ms(), least = m->paused ? PAUSE_MS : INT32_MAX;
	bool room = false;

	p[0] = (struct pollfd){.fd = m->wake, .events = POLLIN};
	for (unsigned i = 0; i < CONNECTIONS; i++) {
		const struct connection *c = &m->all[i];
		p[2 + i] = (struct pollfd){.fd = c->step == FREE ? -1 : c->fd,
					   .events = c->step == WRITING ? POLLOUT : POLLIN};
		room |= c->step == FREE;
		if (c->step != FREE && c->deadline - now < least)
			least = c->deadline > now ? c->deadline - now : 0;
	}
	p[1] = (struct pollfd){.fd = room && !m->paused ? m->fd : -1, .events = POLLIN};
	return least == INT32_MAX ? -1 : (int)least;
}

static void *metrics_main(void *arg)
{
	struct metrics *m = arg;
	struct pollfd p[2 + CONNECTIONS];

	for (;;) {
		int ms = metrics_arrange(m, p);
		m->paused = false;
		if (poll(p, 2 + CONNECTIONS, ms) < 0 && errno != EINTR)
			break;
		if (p[0].revents)
			break;
		for (unsigned i = 0; i < CONNECTIONS; i++)
			if (p[2 + i].fd >= 0)
				metrics_serve(m, &m->all[i], p[2 + i].revents);
		if (p[1].revents)
			metrics_accept_one(m);
	}
	for (unsigned i = 0; i < CONNECTIONS; i++)
		if (m->all[i].step != FREE)
			metrics_drop(&m->all[i]);
	return NULL;
}

static void metrics_free(struct metrics *m)
{
	if (m->fd >= 0) {
		shutdown(m->fd, SHUT_RDWR);
		close(m->fd);
		if (m->path)
			unlink(m->path);
	}
	if (m->wake >= 0)
		close(m->wake);
	pthread_mutex_destroy(&m->lock);
	free(m->path);
	free(m->page);
	free(m);
}

static void metrics_name(struct metrics *m, const struct endpoint *at, unsigned port)
{
	bool v6 = at->kind == ENDPOINT_TCP && strchr(at->host, ':');

	if (at->kind == ENDPOINT_UNIX)
		(void)snprintf(m->url, sizeof(m->url), "unix:%s", at->path);
	else
		(void)snprintf(m->url, sizeof(m->url), "http://%s%s%s:%u/metrics", v6 ? "[" : "",
			       at->host, v6 ? "]" : "", port);
}

int metrics_open(const struct endpoint *at, struct metrics **out, struct err *err)
{
	struct metrics *m = calloc(1, sizeof(*m));
	unsigned port = at->port;
	int ret = 0;

	if (!m)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for metrics");
	pthread_mutex_init(&m->lock, NULL);
	m->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	m->fd = socket_listen(at, &port, err);
	if (m->fd < 0) {
		ret = m->fd;
	} else if (m->wake < 0) {
		ret = err_set(err, ERR_SETUP, EMFILE, "no event counter for metrics");
	} else {
		if (at->kind == ENDPOINT_UNIX)
			m->path = strdup(at->path);
		metrics_name(m, at, port);
		ret = thread_start(&m->thread, metrics_main, m);
		if (ret)
			err_set(err, ERR_SETUP, -ret, "no thread for metrics");
	}
	if (ret)
		metrics_free(m);
	else
		*out = m;
	return ret;
}

const char *metrics_url(const struct metrics *m)
{
	return m->url;
}

void metrics_publish(struct metrics *m, char *text, size_t n)
{
	pthread_mutex_lock(&m->lock);
	free(m->page);
	m->page = text;
	m->page_n = n;
	pthread_mutex_unlock(&m->lock);
}

void metrics_close(struct metrics *m)
{
	uint64_t one = 1;

	if (write(m->wake, &one, sizeof(one)) < 0)
		return; /* cannot be: the counter is empty */
	pthread_join(m->thread, NULL);
	metrics_free(m);
}
