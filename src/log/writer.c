#include "log/writer.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { NAP_NS = 100000, NAP_NS_MAX = 3200000 };

/* When so many come while the writer naps, it leaves alone what was put off: the run is not to be
 * disturbed for the sake of text that would not keep up with it. */
enum { BUSY_BLOCKS = 8 };

struct log_writer {
	const struct log_hooks *hooks;
	struct log_port **ports;
	unsigned ports_n;
	bool in_place;
	pthread_mutex_t lock; /* hooks */
	pthread_t thread;
	bool has_thread;
	_Atomic bool stop;
	_Atomic int error; /* of log_writer_lines() */
};

struct log_writer *log_writer_new(const struct log_hooks *hooks, unsigned ports_max, bool in_place)
{
	struct log_writer *w = calloc(1, sizeof(*w));

	assert(hooks);
	if (!w)
		return NULL;
	w->ports = calloc(ports_max ? ports_max : 1, sizeof(struct log_port *));
	if (!w->ports) {
		free(w);
		return NULL;
	}
	w->hooks = hooks;
	w->in_place = in_place;
	(void)pthread_mutex_init(&w->lock, NULL);
	return w;
}

void log_writer_free(struct log_writer *w)
{
	if (!w)
		return;
	(void)pthread_mutex_destroy(&w->lock);
	free(w->ports);
	free(w);
}

static int writer_lines(void *ctx, unsigned job, const void *slots, unsigned n, bool full)
{
	struct log_writer *w = ctx;

	(void)full;
	if (!w->hooks->lines)
		return 0;
	pthread_mutex_lock(&w->lock);
	int ret = w->hooks->lines(w->hooks->ctx, job, slots, n);
	pthread_mutex_unlock(&w->lock);
	return ret;
}

static int writer_ios(void *ctx, unsigned job, const void *slots, unsigned n, bool full)
{
	struct log_writer *w = ctx;

	if (!w->hooks->ios)
		return 0;
	pthread_mutex_lock(&w->lock);
	int ret = w->hooks->ios(w->hooks->ctx, job, slots, n, full);
	pthread_mutex_unlock(&w->lock);
	return ret;
}

static int writer_hists(void *ctx, unsigned job, const void *slots, unsigned n, bool full)
{
	struct log_writer *w = ctx;

	(void)full;
	if (!w->hooks->hists)
		return 0;
	pthread_mutex_lock(&w->lock);
	int ret = w->hooks->hists(w->hooks->ctx, job, slots, n);
	pthread_mutex_unlock(&w->lock);
	return ret;
}

/* False when there was nothing to do. */
static bool writer_catch_up(struct log_writer *w)
{
	if (!w->hooks->idle)
		return false;
	pthread_mutex_lock(&w->lock);
	bool did = w->hooks->idle(w->hooks->ctx);
	pthread_mutex_unlock(&w->lock);
	return did;
}

/* How many lines came. */
static int writer_drain_lines(struct log_writer *w)
{
	int n = 0;

	for (unsigned i = 0; i < w->ports_n; i++) {
		if (w->ports[i]->lines)
			n += ring_drain(w->ports[i]->lines, writer_lines, w);
		if (w->ports[i]->hists)
			n += ring_drain(w->ports[i]->hists, writer_hists, w);
	}
	return n;
}

/* How many blocks of single I/Os came. */
static int writer_drain_ios(struct log_writer *w)
{
	int n = 0;

	for (unsigned i = 0; i < w->ports_n; i++)
		if (w->ports[i]->ios)
			n += ring_drain(w->ports[i]->ios->ring, writer_ios, w);
	return n;
}

static void *writer_main(void *arg)
{
	struct log_writer *w = arg;
	long nap_ns = NAP_NS;

	while (!atomic_load_explicit(&w->stop, memory_order_acquire)) {
		int lines = writer_drain_lines(w), blocks = writer_drain_ios(w);
		if (blocks < BUSY_BLOCKS && writer_catch_up(w))
			continue;
		/* Short naps while something comes, long ones while there is nothing. */
		if (lines + blocks)
			nap_ns = NAP_NS;
		else if (nap_ns < NAP_NS_MAX)
			nap_ns *= 2;
		nanosleep(&(struct timespec){0, nap_ns}, NULL);
	}
	writer_drain_lines(w);
	writer_drain_ios(w);
	return NULL;
}

/* Nobody else empties a ring then. */
static void writer_in_place(struct log_writer *w, struct ring *r, ring_write *write)
{
	if (!r)
		return;
	r->drain = write;
	r->drain_ctx = w;
}

void log_writer_add(struct log_writer *w, struct log_port *port)
{
	assert(!w->has_thread);
	if (!port->lines && !port->hists && !port->ios)
		return;
	w->ports[w->ports_n++] = port;
	if (!w->in_place)
		return;
	writer_in_place(w, port->lines, writer_lines);
	writer_in_place(w, port->hists, writer_hists);
	writer_in_place(w, port->ios ? port->ios->ring : NULL, writer_ios);
}

int log_writer_start(struct log_writer *w)
{
	assert(!w->has_thread);
	if (!w->ports_n || w->in_place)
		return 0;
	int ret = pthread_create(&w->thread, NULL, writer_main, w);
	w->has_thread = ret == 0;
	return -ret;
}

/* The first failure of a hook with what came through a ring. */
static int writer_failure(const struct ring *r)
{
	return r ? atomic_load_explicit(&r->error, memory_order_relaxed) : 0;
}

int log_writer_stop(struct log_writer *w)
{
	if (w->has_thread) {
		atomic_store_explicit(&w->stop, true, memory_order_release);
		pthread_join(w->thread, NULL);
		w->has_thread = false;
	} else {
		writer_drain_lines(w);
		writer_drain_ios(w);
	}
	for (unsigned i = 0; i < w->ports_n; i++) {
		const struct log_port *p = w->ports[i];
		int ret = writer_failure(p->lines);
		if (!ret)
			ret = writer_failure(p->hists);
		if (!ret)
			ret = writer_failure(p->ios ? p->ios->ring : NULL);
		if (ret)
			return ret;
	}
	return atomic_load_explicit(&w->error, memory_order_relaxed);
}

void log_writer_lines(struct log_writer *w, unsigned job, const struct log_rec *recs, unsigned n)
{
	int ret = writer_lines(w, job, recs, n, false);

	assert(recs || !n);
	if (ret < 0)
		atomic_store_explicit(&w->error, ret, memory_order_relaxed);
}
