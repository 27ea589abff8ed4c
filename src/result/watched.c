#include "result/watched.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void merge_kind(struct watched_kind *to, const struct watched_kind *from)
{
	if (from->seconds) {
		if (!to->seconds || from->first < to->first)
			to->first = from->first;
		if (from->last > to->last)
			to->last = from->last;
	}
	to->amount += from->amount;
	to->seconds += from->seconds;
	for (unsigned i = 0; i < WATCHED_SECONDS / 64; i++)
		to->bits[i] |= from->bits[i];
}

static int merge_quiet(struct watched *to, const struct watched *from, unsigned d)
{
	if (!from->quiet[d])
		return 0;
	if (!to->quiet[d]) {
		to->quiet[d] = calloc(1, sizeof(struct hist));
		if (!to->quiet[d])
			return -ENOMEM;
		moment_init(&to->quiet_lat[d]);
	}
	hist_merge(to->quiet[d], from->quiet[d]);
	moment_merge(&to->quiet_lat[d], &from->quiet_lat[d]);
	return 0;
}

int watched_merge(struct watched *to, const struct watched *from)
{
	int rc = 0;

	to->on |= from->on;
	to->seconds += from->seconds;
	to->disturbed += from->disturbed;
	to->run_ns += from->run_ns;
	for (unsigned k = 0; k < DISTURBS; k++)
		merge_kind(&to->kind[k], &from->kind[k]);
	to->outliers.n += from->outliers.n;
	to->outliers.cpu_wait += from->outliers.cpu_wait;
	to->outliers.preempted += from->outliers.preempted;
	to->outliers.device += from->outliers.device;
	to->outliers.cpu_wait_ns += from->outliers.cpu_wait_ns;
	if (from->who_ns > to->who_ns) {
		memcpy(to->who, from->who, sizeof(to->who));
		to->who_ns = from->who_ns;
	}
	for (unsigned d = 0; d < DIRS && !rc; d++)
		rc = merge_quiet(to, from, d);
	return rc;
}

int watched_copy(struct watched *to, const struct watched *from)
{
	*to = (struct watched){0};
	return watched_merge(to, from);
}

void watched_release(struct watched *w)
{
	for (unsigned d = 0; d < DIRS; d++) {
		free(w->quiet[d]);
		w->quiet[d] = NULL;
	}
}
