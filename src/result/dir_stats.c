/* Merging what workers counted. */
#include "result/dir_stats.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void dir_stats_init(struct dir_stats *t)
{
	memset(t, 0, sizeof(*t));
	for (unsigned k = 0; k < LAT_KINDS; k++)
		runstat_init(&t->lat[k]);
	runstat_init(&t->bw);
	runstat_init(&t->iops);
}

void dir_stats_release(struct dir_stats *t)
{
	for (unsigned k = 0; k < LAT_KINDS; k++) {
		free(t->hist[k]);
		t->hist[k] = NULL;
	}
}

/* a * b / c for numbers whose product may pass 64 bits, rounded. */
static uint64_t dir_stats_scaled(uint64_t a, uint64_t b, uint64_t c)
{
	assert(c);
	return (uint64_t)(((unsigned __int128)a * b + c / 2) / c);
}

/* Sum of squared deviations from the mean. */
static unsigned __int128 dir_stats_spread(const struct runstat *m)
{
	assert(m->n);
	unsigned __int128 square = (unsigned __int128)m->sum * m->sum / m->n;
	return m->sq > square ? m->sq - square : 0;
}

/* Samples of jobs that ran side by side: the sum of their means, with all their samples as count
 * and all their deviations, kept in the form of a moment. */
static void dir_stats_samples_add(struct runstat *to, const struct runstat *from)
{
	if (from->n == 0)
		return;
	if (to->n == 0) {
		*to = *from;
		return;
	}
	unsigned __int128 deviations = dir_stats_spread(to) + dir_stats_spread(from);
	uint64_t n = to->n + from->n;
	uint64_t sum =
		dir_stats_scaled(to->sum, n, to->n) + dir_stats_scaled(from->sum, n, from->n);

	to->n = n;
	to->min += from->min;
	to->max += from->max;
	to->sum = sum;
	to->sq = deviations + (unsigned __int128)sum * sum / n;
}

int dir_stats_merge(struct dir_stats *to, const struct dir_stats *from)
{
	assert(to != from);
	for (unsigned k = 0; k < LAT_KINDS; k++) {
		if (!from->hist[k])
			continue;
		if (!to->hist[k])
			to->hist[k] = calloc(1, sizeof(struct hist));
		if (!to->hist[k])
			return -ENOMEM;
		hist_merge(to->hist[k], from->hist[k]);
	}
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->short_ios += from->short_ios;
	to->drop_ios += from->drop_ios;
	for (unsigned k = 0; k < LAT_KINDS; k++)
		runstat_merge(&to->lat[k], &from->lat[k]);
	dir_stats_samples_add(&to->bw, &from->bw);
	dir_stats_samples_add(&to->iops, &from->iops);
	return 0;
}
