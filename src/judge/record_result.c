/* A result of this process as a record, the same as if it had been written and read back. */
#include "judge/record_result.h"
#include "result/derive.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

static void record_add_pair(struct record_pairs *p, const char *key, const char *value)
{
	for (unsigned i = 0; i < p->n; i++) {
		if (!strcmp(p->v[i].key, key)) {
			p->v[i].value = value;
			return;
		}
	}
	p->v[p->n++] = (struct record_pair){key, value};
}

static int record_take_options(const struct result *r, const struct result_job *j, struct arena *a,
			       struct record_pairs *out)
{
	const struct job_text *from[2] = {r->globals, j->options};
	unsigned n[2] = {r->globals_n, j->options_n};

	out->v = arena_new(a, struct record_pair, n[0] + n[1] + 1);
	for (unsigned s = 0; out->v && s < 2; s++) {
		for (unsigned i = 0; i < n[s]; i++) {
			const char *key = arena_strdup(a, from[s][i].name);
			const char *value = arena_strdup(a, from[s][i].text ? from[s][i].text : "");
			if (!key || !value)
				return -ENOMEM;
			record_add_pair(out, key, value);
		}
	}
	return out->v ? 0 : -ENOMEM;
}

static int record_take_latency(const struct dir_stats *t, enum lat_kind k,
			       const struct result_style *s, bool percentiles, struct arena *a,
			       struct record_lat *out)
{
	const struct runstat *m = &t->lat[k];
	const struct hist *h = t->hist[k];
	unsigned used = 0;

	out->mean = runstat_mean(m);
	out->stddev = runstat_stddev(m);
	out->n = (double)m->n;
	if (!h || !m->n || !percentiles)
		return 0;
	for (unsigned i = 0;
	     i < s->percentiles_n && i < sizeof(s->percentile) / sizeof(s->percentile[0]); i++) {
		out->percentile[i] = s->percentile[i];
		out->percentile_ns[i] =
			(double)hist_percentile(h, s->percentile[i], runstat_min(m), m->max);
		out->percentiles_n = i + 1;
	}
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		used += h->bucket[i] > 0;
	out->bin = arena_new(a, struct record_bin, used + 1);
	if (!out->bin)
		return -ENOMEM;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		if (h->bucket[i])
			out->bin[out->bins_n++] =
				(struct record_bin){(double)hist_value(i), (double)h->bucket[i]};
	return 0;
}

static int record_take_series(const struct timeline *t, unsigned d, struct arena *a,
			      struct record_flow *out)
{
	double *v = arena_new(a, double, (size_t)RECORD_SERIES * t->n + 1);
	double per_s = t->n ? 1e9 / (double)t->period_ns : 0;

	assert(d < DIRS);
	if (!v)
		return -ENOMEM;
	for (unsigned s = 0; s < RECORD_SERIES; s++)
		out->series[s].v = v + (size_t)s * t->n;
	for (unsigned i = 0; i < t->n; i++) {
		const struct timeline_point *p = &t->point[i];
		double *lat = v + (size_t)RECORD_LAT * t->n;

		v[(size_t)RECORD_IOPS * t->n + i] = (double)p->ios[d] * per_s;
		v[(size_t)RECORD_BW * t->n + i] = (double)p->bytes[d] * per_s;
		if (p->lat_n[d])
			lat[out->series[RECORD_LAT].n++] =
				(double)p->lat_sum[d] / (double)p->lat_n[d];
	}
	out->series[RECORD_IOPS].n = out->series[RECORD_BW].n = t->n;
	return 0;
}

static int record_take_flow(const struct result *r, const struct result_job *j, unsigned d,
			    struct arena *a, struct record_flow *out)
{
	const struct result_style *s = &j->style;
	struct result_figures f;
	int ret = result_figures(r, j, d, &f);

	if (ret)
		return ret;
	out->ios = (double)f.ios;
	out->iops = f.iops;
	out->bw = (double)f.bw;
	out->runtime_s = (double)f.runtime_ns / 1e9;
	out->iops_samples = (struct record_samples){f.iops_samples.mean, f.iops_samples.stddev,
						    (double)f.iops_samples.n};
	out->bw_samples = (struct record_samples){f.bw_samples.mean, f.bw_samples.stddev,
						  (double)f.bw_samples.n};
	ret = record_take_latency(f.stats, LAT_TOTAL, s, s->lat_percentiles, a, &out->lat);
	if (!ret)
		ret = record_take_latency(f.stats, LAT_COMPLETE, s, s->clat_percentiles, a,
					  &out->clat);
	if (!ret && d < DIRS)
		ret = record_take_series(&j->timeline, d, a, out);
	result_figures_release(&f);
	return ret;
}

static const char *record_number(struct arena *a, uint64_t v)
{
	return arena_printf(a, "%llu", (unsigned long long)v);
}

static int record_take_device(const struct result_device *d, struct arena *a,
			      struct record_pairs *out)
{
	static const char *const key[] = {"model",	"scheduler",  "size_bytes",
					  "rotational", "write_back", "numa_node"};
	const int known[3] = {d->rotational, d->write_back, d->node};
	const char *value[6] = {arena_strdup(a, d->model), arena_strdup(a, d->scheduler),
				record_number(a, d->size)};

	for (unsigned i = 0; i < 3; i++)
		value[3 + i] = known[i] < 0 ? ""
			       : i == 2	    ? record_number(a, (uint64_t)known[i])
			       : known[i]   ? "yes"
					    : "no";
	for (unsigned i = 0; i < 6; i++) {
		const char *full = arena_printf(a, "device %s %s", d->name, key[i]);
		if (!full || !value[i])
			return -ENOMEM;
		record_add_pair(out, full, value[i]);
	}
	return 0;
}

static int record_take_host(const struct result *r, struct arena *a, struct record_pairs *out)
{
	const struct result_host *h = &r->host;
	const char *pair[6][2] = {{"kernel", arena_strdup(a, h->kernel)},
				  {"machine", arena_strdup(a, h->machine)},
				  {"cpu_model", arena_strdup(a, h->cpu_model)},
				  {"cpus", record_number(a, h->cpus)},
				  {"governor", arena_strdup(a, h->governor)},
				  {"memory_bytes", record_number(a, h->memory_bytes)}};
	int ret = 0;

	out->v = arena_new(a, struct record_pair, 6 + 6 * (size_t)r->devices_n);
	if (!out->v)
		return -ENOMEM;
	if (!h->known)
		return 0;
	for (unsigned i = 0; i < 6; i++) {
		if (!pair[i][1])
			return -ENOMEM;
		record_add_pair(out, pair[i][0], pair[i][1]);
	}
	for (unsigned i = 0; i < r->devices_n && !ret; i++)
		ret = record_take_device(&r->devices[i], a, out);
	return ret;
}

static int record_take_job(const struct result *r, const struct result_job *j, struct arena *a,
			   struct record_job *out)
{
	int ret = record_take_options(r, j, a, &out->options);

	out->name = arena_strdup(a, j->name ? j->name : "");
	out->error = j->error;
	for (unsigned d = 0; d < DIRS && !ret && j->style.unified != UNIFIED_MIXED; d++)
		if (j->dir[d].ios)
			ret = record_take_flow(r, j, d, a, &out->flow[d]);
	if (!ret && j->style.unified != UNIFIED_NONE)
		ret = record_take_flow(r, j, DIRS, a, &out->flow[RECORD_MIXED]);
	return !ret && !out->name ? -ENOMEM : ret;
}

int record_of_result(const struct result *r, const char *label, struct arena *a, struct record *out)
{
	assert(r && a && out);
	*out = (struct record){.file = label, .ours = true};
	out->tool = arena_strdup(a, r->version ? r->version : "");
	out->jobs = arena_new(a, struct record_job, r->jobs_n + 1);
	if (!out->tool || !out->jobs)
		return -ENOMEM;
	int ret = record_take_host(r, a, &out->host);
	for (unsigned i = 0; i < r->jobs_n && !ret; i++)
		if (!r->jobs[i].style.hide)
			ret = record_take_job(r, &r->jobs[i], a, &out->jobs[out->jobs_n++]);
	return ret;
}
