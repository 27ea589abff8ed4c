#include "result/watched.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What happened to the machine or to the process; each of its workers saw the same. */
static bool watched_is_shared(unsigned kind)
{
	return kind == DISTURB_STEAL || kind == DISTURB_IRQ || kind == DISTURB_MEMORY ||
	       kind == DISTURB_OTHER_IO || kind == DISTURB_IOWQ || kind == DISTURB_STOPPED;
}

static void watched_merge_kind(struct watched_kind *to, const struct watched_kind *from,
			       bool shared)
{
	if (from->seconds) {
		if (!to->seconds || from->first < to->first)
			to->first = from->first;
		if (from->last > to->last)
			to->last = from->last;
	}
	if (!shared)
		to->amount += from->amount;
	else if (from->amount > to->amount)
		to->amount = from->amount;
	to->seconds += from->seconds;
	for (unsigned i = 0; i < WATCHED_SECONDS / 64; i++)
		to->bits[i] |= from->bits[i];
}

static void watched_merge_range(struct watched_range *to, const struct watched_range *from)
{
	if (!from->n)
		return;
	to->min = !to->n || from->min < to->min ? from->min : to->min;
	to->max = from->max > to->max ? from->max : to->max;
	to->sum += from->sum;
	to->n += from->n;
}

void watched_outlier_keep(struct watched_outliers *o, const struct watched_outlier *one)
{
	unsigned at = WATCHED_SLOWEST;

	while (at && one->latency_ns > o->slowest[at - 1].latency_ns)
		at--;
	if (at == WATCHED_SLOWEST)
		return;
	memmove(&o->slowest[at + 1], &o->slowest[at],
		(WATCHED_SLOWEST - at - 1) * sizeof(o->slowest[0]));
	o->slowest[at] = *one;
}

static void watched_merge_outliers(struct watched_outliers *to, const struct watched_outliers *from)
{
	to->n += from->n;
	to->cpu_wait += from->cpu_wait;
	to->preempted += from->preempted;
	to->device += from->device;
	to->cpu_wait_ns += from->cpu_wait_ns;
	for (unsigned i = 0; i < WATCHED_SLOWEST && from->slowest[i].latency_ns; i++)
		watched_outlier_keep(to, &from->slowest[i]);
}

/* Of workers on several devices the one with most foreign I/Os stands for all. */
static void watched_merge_device(struct watched *to, const struct watched *from)
{
	uint64_t a = to->kind[DISTURB_OTHER_IO].amount, b = from->kind[DISTURB_OTHER_IO].amount;

	if (b > a || (b == a && from->device.bytes > to->device.bytes))
		to->device = from->device;
}

void watched_competition_keep(struct watched_competition *to, const struct watched_competition *one)
{
	if ((uint64_t)one->workers * to->cpus > (uint64_t)to->workers * one->cpus ||
	    (one->workers && !to->workers))
		*to = *one;
}

static void watched_merge_temperature(struct watched_temperature *to,
				      const struct watched_temperature *from)
{
	/* Of several disks the hottest stands for all, as it is the first to slow down. */
	if (from->milli_c.n && (!to->milli_c.n || from->milli_c.max > to->milli_c.max)) {
		to->limit_milli_c = from->limit_milli_c;
		memcpy(to->disk, from->disk, sizeof(to->disk));
	}
	watched_merge_range(&to->milli_c, &from->milli_c);
}

static int watched_merge_quiet(struct watched *to, const struct watched *from, unsigned d)
{
	if (!from->quiet[d])
		return 0;
	if (!to->quiet[d]) {
		to->quiet[d] = calloc(1, sizeof(struct hist));
		if (!to->quiet[d])
			return -ENOMEM;
		runstat_init(&to->quiet_lat[d]);
	}
	hist_merge(to->quiet[d], from->quiet[d]);
	runstat_merge(&to->quiet_lat[d], &from->quiet_lat[d]);
	return 0;
}

int watched_merge(struct watched *to, const struct watched *from)
{
	int ret = 0;

	assert(to != from);
	to->on |= from->on;
	to->seconds += from->seconds;
	to->disturbed += from->disturbed;
	to->run_ns += from->run_ns;
	watched_merge_device(to, from);
	watched_competition_keep(&to->competition, &from->competition);
	for (unsigned k = 0; k < DISTURBS; k++)
		watched_merge_kind(&to->kind[k], &from->kind[k], watched_is_shared(k));
	watched_merge_outliers(&to->outliers, &from->outliers);
	if (from->io_stall_ns > to->io_stall_ns)
		to->io_stall_ns = from->io_stall_ns;
	watched_merge_range(&to->khz, &from->khz);
	watched_merge_temperature(&to->heat, &from->heat);
	if (from->nodes.known && !to->nodes.known)
		to->nodes = from->nodes;
	if (from->who_ns > to->who_ns) {
		memcpy(to->who, from->who, sizeof(to->who));
		to->who_ns = from->who_ns;
	}
	for (unsigned d = 0; d < DIRS && !ret; d++)
		ret = watched_merge_quiet(to, from, d);
	return ret;
}

void watched_release(struct watched *w)
{
	for (unsigned d = 0; d < DIRS; d++) {
		free(w->quiet[d]);
		w->quiet[d] = NULL;
	}
}
