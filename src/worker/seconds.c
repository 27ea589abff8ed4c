#include "base/time.h"
#include "worker/seconds.h"
#include "worker/collect.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define SHORTEST_NS	   (2 * NS_PER_SEC) /* runs below have no second worth judging */
#define LATE_START_NS	   50000000u /* a first second that lacks less than this counts as whole */
#define LOOKS		   1000u     /* outliers a second that are looked at one by one */
#define OUTLIER_PERCENTILE 99.9

static struct hist *seconds_new_hist(struct worker *w)
{
	return arena_alloc(&w->arena, sizeof(struct hist), 64);
}

int seconds_open(struct worker *w)
{
	struct seconds *s = &w->seconds;
	const struct plan_job *pj = w->pj;

	s->next = s->outlier_ns = UINT64_MAX;
	s->sched_fd = -1;
	if (w->plan->virtual_clock || !(w->acct & ACCT_CLAT_HIST) ||
	    (pj->run_ns && pj->run_ns < SHORTEST_NS))
		return 0;
	for (unsigned d = 0; d < DIRS; d++) {
		runstat_init(&s->quiet_lat[d]);
		if (!w->stats[d].hist[LAT_COMPLETE])
			continue;
		s->before[d] = seconds_new_hist(w);
		s->last[d] = seconds_new_hist(w);
		s->quiet[d] = seconds_new_hist(w);
		if (!s->before[d] || !s->last[d] || !s->quiet[d])
			return -ENOMEM;
	}
	s->sched_fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	return 0;
}

void seconds_close(struct worker *w)
{
	if (w->seconds.sched_fd >= 0)
		close(w->seconds.sched_fd);
	w->seconds.sched_fd = -1;
}

/* ns this thread was runnable and waited for a CPU (proc(5), schedstat: second number). */
static uint64_t seconds_waited(const struct seconds *s)
{
	char text[80];
	ssize_t n = s->sched_fd < 0 ? 0 : pread(s->sched_fd, text, sizeof(text) - 1, 0);
	char *end;

	if (n <= 0)
		return 0;
	text[n] = 0;
	strtoull(text, &end, 10);
	return strtoull(end, NULL, 10);
}

static long seconds_switches(void)
{
	struct rusage u;

	return getrusage(RUSAGE_THREAD, &u) ? 0 : u.ru_nivcsw;
}

static void seconds_snapshot(struct worker *w)
{
	struct seconds *s = &w->seconds;

	for (unsigned d = 0; d < DIRS; d++) {
		if (!s->last[d])
			continue;
		struct hist *h = s->before[d];
		s->before[d] = s->last[d];
		s->last[d] = h;
		*h = *w->stats[d].hist[LAT_COMPLETE];
		s->lat_before[d] = s->lat_last[d];
		s->lat_last[d] = w->stats[d].lat[LAT_COMPLETE];
	}
	s->known = s->known < 2 ? s->known + 1 : 2;
}

void seconds_begin(struct worker *w, uint64_t now)
{
	struct seconds *s = &w->seconds;

	if (!s->last[DIR_READ] && !s->last[DIR_WRITE] && !s->last[DIR_TRIM])
		return;
	s->number = now / NS_PER_SEC;
	s->next = (s->number + 1) * NS_PER_SEC;
	s->known = 0;
	if (now - s->number * NS_PER_SEC <= LATE_START_NS)
		seconds_snapshot(w); /* the running second counts from here */
	s->wait_seen = seconds_waited(s);
	s->switches_seen = seconds_switches();
}

/* What the later of two readings has more than the earlier. */
static void seconds_add_part(struct hist *to, struct runstat *q, const struct hist *from,
			     const struct hist *until, const struct runstat *a,
			     const struct runstat *b)
{
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		to->bucket[i] += until->bucket[i] - from->bucket[i];
	q->n += b->n - a->n;
	q->sum += b->sum - a->sum;
	q->sq += b->sq - a->sq;
}

static bool seconds_was_quiet(const struct seconds *s, uint64_t number)
{
	return atomic_load_explicit(&s->flags[number % SECOND_RING], memory_order_acquire) ==
	       SECOND_FLAG(number, SECOND_QUIET);
}

/* Is the last full second, which the next one would have added, to be added? */
static bool seconds_last_counts(const struct seconds *s)
{
	return s->known == 2 && s->number && seconds_was_quiet(s, s->number - 1);
}

static void seconds_add_last(const struct seconds *s, unsigned d, struct hist *to,
			     struct runstat *q)
{
	seconds_add_part(to, q, s->before[d], s->last[d], &s->lat_before[d], &s->lat_last[d]);
}

/* The part of a second at the end. */
static bool seconds_rest_counts(const struct seconds *s)
{
	return s->known && s->end >= s->number * NS_PER_SEC + LAST_PART_NS &&
	       seconds_was_quiet(s, s->number);
}

static void seconds_set_threshold(struct worker *w)
{
	struct seconds *s = &w->seconds;
	uint64_t most = 0;

	for (unsigned d = 0; d < DIRS; d++) {
		const struct dir_stats *t = &w->stats[d];
		if (!s->last[d] || !t->ios)
			continue;
		uint64_t v =
			hist_percentile(t->hist[LAT_COMPLETE], OUTLIER_PERCENTILE, 0, UINT64_MAX);
		most = v > most ? v : most;
	}
	s->outlier_ns = most ? most : UINT64_MAX;
}

/* The watcher needs a moment to judge a second: it is added one second later. */
static void seconds_end_second(struct worker *w)
{
	struct seconds *s = &w->seconds;

	for (unsigned d = 0; seconds_last_counts(s) && d < DIRS; d++)
		if (s->last[d])
			seconds_add_last(s, d, s->quiet[d], &s->quiet_lat[d]);
	seconds_snapshot(w);
	s->number++;
	s->next += NS_PER_SEC;
	s->looked = 0;
}

void seconds_roll(struct worker *w, uint64_t now)
{
	if (now < w->seconds.next)
		return;
	while (now >= w->seconds.next)
		seconds_end_second(w);
	seconds_set_threshold(w);
	w->seconds.wait_seen = seconds_waited(&w->seconds);
	w->seconds.switches_seen = seconds_switches();
}

void seconds_end(struct worker *w, uint64_t end)
{
	struct seconds *s = &w->seconds;

	if (s->next == UINT64_MAX)
		return;
	seconds_roll(w, end);
	s->end = end;
	s->ended = thread_times(&w->env->host, w->thread.tid, &s->at_end) == 0;
}

/* Most of it spent waiting for a CPU, or taken off the CPU for a part that counts, or else the
 * device's. Kernels without schedstat tell only that the worker was taken off. */
static enum outlier_cause seconds_cause_of(const struct seconds *s, uint64_t latency, uint64_t wait,
					   bool switched)
{
	if (wait >= latency / 2 + 1)
		return OUTLIER_CPU_WAIT;
	if (switched && (s->sched_fd < 0 || wait > latency / 10))
		return OUTLIER_PREEMPTED;
	return OUTLIER_DEVICE;
}

void seconds_outlier(struct worker *w, uint64_t latency)
{
	struct seconds *s = &w->seconds;
	struct watched_outlier one = {.second = s->number, .latency_ns = latency};

	s->outliers.n++;
	if (s->looked++ < LOOKS) {
		uint64_t now = seconds_waited(s), wait = now - s->wait_seen;
		long count = seconds_switches();

		one.wait_ns = wait < latency ? wait : latency;
		one.cause = seconds_cause_of(s, latency, wait, count != s->switches_seen);
		s->wait_seen = now;
		s->switches_seen = count;
	}
	s->outliers.cpu_wait += one.cause == OUTLIER_CPU_WAIT;
	s->outliers.preempted += one.cause == OUTLIER_PREEMPTED;
	s->outliers.device += one.cause == OUTLIER_DEVICE;
	s->outliers.cpu_wait_ns += one.cause == OUTLIER_CPU_WAIT ? one.wait_ns : 0;
	watched_outlier_keep(&s->outliers, &one);
}

/* Differences of moments keep no extremes: take them from the buckets. */
static void seconds_set_extremes(struct runstat *m, const struct hist *h)
{
	m->min = UINT64_MAX;
	m->max = 0;
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		if (!h->bucket[i])
			continue;
		if (m->min == UINT64_MAX)
			m->min = hist_low(i);
		m->max = hist_low(i) + hist_width(i) - 1;
	}
}

void seconds_collect(const struct worker *w, char **memory, struct watched *out)
{
	const struct seconds *s = &w->seconds;
	bool last = s->ended && seconds_last_counts(s), rest = s->ended && seconds_rest_counts(s);

	out->outliers = s->outliers;
	for (unsigned d = 0; d < DIRS; d++) {
		struct hist *h = (struct hist *)*memory;
		struct runstat q = s->quiet_lat[d];
		if (!s->quiet[d])
			continue;
		*h = *s->quiet[d];
		if (last)
			seconds_add_last(s, d, h, &q);
		if (rest)
			seconds_add_part(h, &q, s->last[d], w->stats[d].hist[LAT_COMPLETE],
					 &s->lat_last[d], &w->stats[d].lat[LAT_COMPLETE]);
		if (!q.n)
			continue;
		seconds_set_extremes(&q, h);
		out->quiet[d] = h;
		out->quiet_lat[d] = q;
		*memory += COLLECT_HIST;
	}
}
