/* From the workers' rings to the hooks of the caller: one writer thread, or in place on the virtual
 * clock. */
#include "run/crew.h"
#include "run/pack.h"
#include <limits.h>
#include <stdlib.h>
#include <time.h>

enum { NAP_NS = 100000, NAP_NS_MAX = 3200000 };

/* When so many come while the writer naps, it leaves alone what was put off: the run is not to be
 * disturbed for the sake of text that would not keep up with it. */
enum { BUSY_BLOCKS = 8 };

static int write_lines(void *ctx, unsigned job, const void *slots, unsigned n, bool full)
{
	struct crew *c = ctx;
	int rc;

	(void)full;
	if (!c->hooks->log_write)
		return 0;
	pthread_mutex_lock(&c->log_lock);
	rc = c->hooks->log_write(c->hooks->ctx, job, slots, n);
	pthread_mutex_unlock(&c->log_lock);
	return rc;
}

static int write_ios(void *ctx, unsigned job, const void *slots, unsigned n, bool full)
{
	struct crew *c = ctx;
	int rc;

	if (!c->hooks->log_ios)
		return 0;
	pthread_mutex_lock(&c->log_lock);
	rc = c->hooks->log_ios(c->hooks->ctx, job, slots, n, full);
	pthread_mutex_unlock(&c->log_lock);
	return rc;
}

/* False when there was nothing to do. */
static bool catch_up(struct crew *c)
{
	if (!c->hooks->log_idle)
		return false;
	pthread_mutex_lock(&c->log_lock);
	bool did = c->hooks->log_idle(c->hooks->ctx);
	pthread_mutex_unlock(&c->log_lock);
	return did;
}

/* How many lines came. */
static int drain_lines(struct crew *c)
{
	int n = 0;

	for (unsigned i = 0; i < c->plan->jobs_n; i++)
		if (c->workers[i] && c->workers[i]->ring)
			n += ring_drain(c->workers[i]->ring, write_lines, c);
	return n;
}

/* How many blocks of single I/Os came. */
static int drain_ios(struct crew *c)
{
	int n = 0;

	for (unsigned i = 0; i < c->plan->jobs_n; i++)
		if (c->workers[i] && c->workers[i]->pack)
			n += ring_drain(c->workers[i]->pack->ring, write_ios, c);
	return n;
}

static void *log_main(void *arg)
{
	struct crew *c = arg;
	long nap_ns = NAP_NS;

	while (!atomic_load_explicit(&c->log_stop, memory_order_acquire)) {
		int lines = drain_lines(c), blocks = drain_ios(c);
		if (blocks < BUSY_BLOCKS && catch_up(c))
			continue;
		/* Short naps while something comes, long ones while there is nothing. */
		if (lines + blocks)
			nap_ns = NAP_NS;
		else if (nap_ns < NAP_NS_MAX)
			nap_ns *= 2;
		nanosleep(&(struct timespec){0, nap_ns}, NULL);
	}
	drain_lines(c);
	drain_ios(c);
	return NULL;
}

/* On the virtual clock nobody else empties a ring. */
static bool prepare(struct crew *c, struct ring *r, ring_write *write)
{
	if (c->plan->virtual_clock) {
		r->drain = write;
		r->drain_ctx = c;
	}
	return true;
}

/* The first failure of the writer with what came through a ring. */
static int failure(const struct ring *r)
{
	return atomic_load_explicit(&r->error, memory_order_relaxed);
}

int crew_logs_start(struct crew *c)
{
	bool any = false;

	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		struct worker *w = c->workers[i];
		if (w && w->ring)
			any |= prepare(c, w->ring, write_lines);
		if (w && w->pack)
			any |= prepare(c, w->pack->ring, write_ios);
	}
	if (!any || c->plan->virtual_clock)
		return 0;
	int rc = pthread_create(&c->log_thread, NULL, log_main, c);
	c->has_log_thread = rc == 0;
	return -rc;
}

int crew_logs_stop(struct crew *c)
{
	if (c->has_log_thread) {
		atomic_store_explicit(&c->log_stop, true, memory_order_release);
		pthread_join(c->log_thread, NULL);
		c->has_log_thread = false;
	} else {
		drain_lines(c);
		drain_ios(c);
	}
	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		struct worker *w = c->workers[i];
		int rc = w && w->ring ? failure(w->ring) : 0;
		if (!rc && w && w->pack)
			rc = failure(w->pack->ring);
		if (rc)
			return rc;
	}
	return atomic_load_explicit(&c->log_error, memory_order_relaxed);
}

void crew_log_sum(struct crew *c, const struct log_rec *recs, unsigned n)
{
	int rc = write_lines(c, UINT_MAX, recs, n, false);

	if (rc < 0)
		atomic_store_explicit(&c->log_error, rc, memory_order_relaxed);
}

void crew_log_hist(struct crew *c, unsigned job, uint64_t time_ns, unsigned dir, uint32_t bs,
		   const struct hist *now, const struct hist *before)
{
	uint64_t counts[HIST_BUCKETS];

	if (!c->hooks->log_hist)
		return;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		counts[i] = now->bucket[i] - before->bucket[i];
	pthread_mutex_lock(&c->log_lock);
	int rc = c->hooks->log_hist(c->hooks->ctx, job, time_ns, dir, bs, counts);
	pthread_mutex_unlock(&c->log_lock);
	if (rc < 0)
		atomic_store_explicit(&c->log_error, rc, memory_order_relaxed);
}
