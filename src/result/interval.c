#include "base/time.h"
#include "result/interval.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

/* A counter never runs backwards; should one, the interval is empty rather than enormous. */
static uint64_t interval_since(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

static void interval_latencies(const struct hist *before, const struct dir_stats *t,
			       struct interval_dir *out)
{
	const struct hist *now = t->hist[LAT_COMPLETE];
	struct hist diff = {0};
	unsigned lowest = HIST_BUCKETS, highest = 0;

	if (!now)
		return;
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		diff.bucket[i] = interval_since(before ? before->bucket[i] : 0, now->bucket[i]);
		if (!diff.bucket[i])
			continue;
		lowest = lowest < i ? lowest : i;
		highest = i;
	}
	if (lowest == HIST_BUCKETS)
		return;
	out->has_hist = true;
	out->max = hist_low(highest) + hist_width(highest) - 1;
	if (highest == HIST_BUCKETS - 1 || out->max > t->lat[LAT_COMPLETE].max)
		out->max = t->lat[LAT_COMPLETE].max;
	uint64_t min = hist_low(lowest);
	out->p50 = hist_percentile(&diff, 50, min, out->max);
	out->p99 = hist_percentile(&diff, 99, min, out->max);
}

void interval_dir(const struct interval_mark *from, const struct result_job *to, unsigned dir,
		  uint64_t ns, struct interval_dir *out)
{
	const struct dir_stats *t = &to->dir[dir];
	const struct runstat *lat = &t->lat[LAT_COMPLETE];

	assert(dir < DIRS);
	*out = (struct interval_dir){
		.ios = interval_since(from->ios[dir], t->ios),
		.bytes = interval_since(from->bytes[dir], t->bytes),
		.lat_n = interval_since(from->lat_n[dir], lat->n),
	};
	if (ns) {
		out->iops = (double)out->ios * 1e9 / (double)ns;
		out->bw = (uint64_t)((unsigned __int128)out->bytes * NS_PER_SEC / ns);
	}
	if (!out->lat_n)
		return;
	out->lat_mean = (double)interval_since(from->lat_sum[dir], lat->sum) / (double)out->lat_n;
	interval_latencies(from->hist[dir], t, out);
}

static uint64_t interval_sum(const uint64_t v[DIRS])
{
	uint64_t all = 0;

	for (unsigned d = 0; d < DIRS; d++)
		all += v[d];
	return all;
}

void interval_ramp(const struct interval_mark *from, const struct result_job *to, uint64_t *ios,
		   uint64_t *bytes)
{
	*ios = interval_since(from->ramp_ios, interval_sum(to->phase[PHASE_RAMP].ios));
	*bytes = interval_since(from->ramp_bytes, interval_sum(to->phase[PHASE_RAMP].bytes));
}

int interval_mark_set(struct interval_mark *m, const struct result_job *j)
{
	int ret = 0;

	for (unsigned d = 0; d < DIRS; d++) {
		const struct dir_stats *t = &j->dir[d];
		const struct hist *h = t->hist[LAT_COMPLETE];
		m->ios[d] = t->ios;
		m->bytes[d] = t->bytes;
		m->lat_n[d] = t->lat[LAT_COMPLETE].n;
		m->lat_sum[d] = t->lat[LAT_COMPLETE].sum;
		if (!h)
			continue;
		if (!m->hist[d])
			m->hist[d] = malloc(sizeof(*h));
		if (m->hist[d])
			*m->hist[d] = *h;
		else
			ret = -ENOMEM;
	}
	m->ramp_ios = interval_sum(j->phase[PHASE_RAMP].ios);
	m->ramp_bytes = interval_sum(j->phase[PHASE_RAMP].bytes);
	return ret;
}

void interval_mark_release(struct interval_mark *m)
{
	for (unsigned d = 0; d < DIRS; d++)
		free(m->hist[d]);
	*m = (struct interval_mark){0};
}
