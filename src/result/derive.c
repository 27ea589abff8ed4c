/* Derived figures: rates, run times, shares. The only place where they are computed. */
#include "base/time.h"
#include "result/derive.h"
#include <assert.h>
#include <string.h>

const char *end_reason_name(enum end_reason r)
{
	static const char *const names[] = {
		[END_NONE] = "running",	    [END_SIZE] = "size",
		[END_COUNT] = "count",	    [END_TIME] = "time",
		[END_ERROR] = "error",	    [END_SIGNAL] = "signal",
		[END_FULL] = "device-full", [END_EXITALL] = "exitall",
		[END_LIMIT] = "limit",	    [END_NOT_STARTED] = "not-started",
		[END_CRASH] = "crash",
	};

	return (unsigned)r < sizeof(names) / sizeof(names[0]) ? names[r] : "unknown";
}

static uint64_t derive_bytes_per_second(uint64_t bytes, uint64_t ns)
{
	if (ns == 0)
		return 0;
	unsigned __int128 rate = (unsigned __int128)bytes * NS_PER_SEC / ns;
	return rate > UINT64_MAX ? UINT64_MAX : (uint64_t)rate;
}

static double derive_per_second(uint64_t n, uint64_t ns)
{
	return ns ? (double)n * 1e9 / (double)ns : 0;
}

static uint64_t derive_whole_ms(uint64_t ns)
{
	return ns / 1000000 + (ns % 1000000 != 0);
}

uint64_t result_bw(const struct result_job *j, unsigned dir)
{
	assert(dir < DIRS);
	return derive_bytes_per_second(j->dir[dir].bytes, j->runtime_ns[dir]);
}

uint64_t result_bw_over(const struct result_job *j, unsigned dir, uint64_t ns)
{
	assert(dir < DIRS);
	return derive_bytes_per_second(j->dir[dir].bytes, ns);
}

double result_iops(const struct result_job *j, unsigned dir)
{
	assert(dir < DIRS);
	return derive_per_second(j->dir[dir].ios, j->runtime_ns[dir]);
}

double result_mean_depth(const struct result_job *j)
{
	return j->depth_ns ? (double)j->depth_time / (double)j->depth_ns : 0;
}

int result_unified(const struct result_job *j, struct dir_stats *out, uint64_t *runtime_ns)
{
	struct dir_stats sum;
	uint64_t longest = 0;

	assert(j && out && runtime_ns);
	dir_stats_init(&sum);
	for (unsigned d = 0; d < DIRS; d++) {
		int ret = dir_stats_merge(&sum, &j->dir[d]);
		if (ret) {
			dir_stats_release(&sum);
			return ret;
		}
		if (j->runtime_ns[d] > longest)
			longest = j->runtime_ns[d];
	}
	*out = sum;
	*runtime_ns = longest;
	return 0;
}

static struct result_samples derive_samples(const struct runstat *m, double unit, double whole_run,
					    bool any)
{
	struct result_samples s = {0};

	if (m->n) {
		s.n = m->n;
		s.min = (double)runstat_min(m) / unit;
		s.max = (double)m->max / unit;
		s.mean = runstat_mean(m) / unit;
		s.stddev = runstat_stddev(m) / unit;
	} else if (any) {
		s.n = 1;
		s.min = s.max = s.mean = whole_run;
	}
	return s;
}

static double derive_group_bw(const struct result *r, unsigned group, unsigned dir)
{
	for (unsigned i = 0; i < r->groups_n; i++)
		if (r->groups[i].id == group)
			return (double)r->groups[i].dir[dir].agg_bw;
	return 0;
}

int result_figures(const struct result *r, const struct result_job *j, unsigned dir,
		   struct result_figures *out)
{
	struct result_figures f;

	assert(r && j && dir <= DIRS);
	memset(&f, 0, sizeof(f));
	dir_stats_init(&f.own);
	if (dir < DIRS) {
		f.stats = &j->dir[dir];
		f.runtime_ns = j->runtime_ns[dir];
	} else {
		int ret = result_unified(j, &f.own, &f.runtime_ns);
		if (ret)
			return ret;
		f.stats = &f.own;
	}
	f.bytes = f.stats->bytes;
	f.ios = f.stats->ios;
	f.short_ios = f.stats->short_ios;
	f.drop_ios = f.stats->drop_ios;
	f.bw = derive_bytes_per_second(f.bytes, f.runtime_ns);
	f.iops = derive_per_second(f.ios, f.runtime_ns);
	f.runtime_ms = derive_whole_ms(f.runtime_ns);
	if (f.runtime_ms == 0 && f.ios)
		f.runtime_ms = 1;

	bool whole = j->style.bw_on && f.ios && f.runtime_ns;
	f.bw_samples = derive_samples(&f.stats->bw, 1, (double)f.bw, whole);
	f.iops_samples = derive_samples(&f.stats->iops, 1000, f.iops, whole);
	double all = derive_group_bw(r, j->group, dir);
	if (f.bw_samples.n && all > 0)
		f.share = f.bw_samples.mean * 100 / all;
	if (f.share > 100)
		f.share = 100;

	*out = f;
	if (dir == DIRS)
		out->stats = &out->own;
	return 0;
}

void result_figures_release(struct result_figures *f)
{
	dir_stats_release(&f->own);
}

void result_shares(const uint64_t *bins, unsigned n, double least, double *percent)
{
	double sum = 0;

	assert(bins && percent && least >= 0);
	for (unsigned i = 0; i < n; i++)
		sum += (double)bins[i];
	for (unsigned i = 0; i < n; i++) {
		percent[i] = bins[i] ? (double)bins[i] * 100 / sum : 0;
		if (bins[i] && percent[i] < least)
			percent[i] = least;
	}
}

unsigned result_prios(const struct result_job *j, unsigned dir)
{
	unsigned n = 0;

	assert(dir < DIRS);
	for (unsigned i = 0; i < PRIO_STATS_MAX; i++)
		n += j->prio[i].used && j->prio[i].dir == dir && j->prio[i].lat.n;
	return n;
}
