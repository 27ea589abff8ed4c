/* Directions and latencies in JSON. */
#include "report/json_dir.h"
#include "result/derive.h"
#include "report/text.h"

#include "base/direction.h"
#include <inttypes.h>

static void json_dir_percentiles(struct jsonw *w, const struct runstat *m, const struct hist *h,
				 const struct result_style *s)
{
	jsonw_object(w, "percentile");
	for (unsigned i = 0; i < s->percentiles_n && i < 20; i++) {
		char key[32];

		(void)snprintf(key, sizeof(key), "%f", s->percentile[i]);
		jsonw_uint(w, key, hist_percentile(h, s->percentile[i], runstat_min(m), m->max));
	}
	jsonw_close(w);
}

static void json_dir_bins(struct jsonw *w, const struct hist *h)
{
	jsonw_object(w, "bins");
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		char key[24];

		if (!h->bucket[i])
			continue;
		(void)snprintf(key, sizeof(key), "%" PRIu64, hist_value(i));
		jsonw_uint(w, key, h->bucket[i]);
	}
	jsonw_close(w);
}

void json_latency(struct jsonw *w, const char *key, const struct runstat *m, const struct hist *h,
		  const struct result_style *s, bool with_percentiles, const struct json_style *js)
{
	jsonw_object(w, key);
	jsonw_uint(w, "min", runstat_min(m));
	jsonw_uint(w, "max", m->max);
	jsonw_float(w, "mean", runstat_mean(m));
	jsonw_float(w, "stddev", runstat_stddev(m));
	jsonw_uint(w, "N", m->n);
	if (with_percentiles && h && m->n) {
		json_dir_percentiles(w, m, h, s);
		if (js->bins)
			json_dir_bins(w, h);
	}
	jsonw_close(w);
}

static void json_dir_prios(struct jsonw *w, const struct result_job *j, unsigned dir,
			   const struct json_style *js)
{
	const char *key = j->style.lat_percentiles ? "lat_ns" : "clat_ns";

	if (result_prios(j, dir) < 2)
		return;
	jsonw_array(w, "prios");
	for (unsigned i = 0; i < PRIO_STATS_MAX; i++) {
		const struct prio_stats *p = &j->prio[i];

		if (!p->used || p->dir != dir)
			continue;
		jsonw_object(w, NULL);
		jsonw_uint(w, "prioclass", p->prio >> 13);
		jsonw_uint(w, "prio", p->prio & 7u);
		jsonw_uint(w, "priohint", (unsigned)p->prio >> 3 & 0x3ff);
		json_latency(w, key, &p->lat, p->hist, &j->style, true, js);
		jsonw_close(w);
	}
	jsonw_close(w);
}

static void json_dir_samples(struct jsonw *w, const struct result_figures *f)
{
	jsonw_uint(w, "bw_min", (uint64_t)f->bw_samples.min / 1024);
	jsonw_uint(w, "bw_max", (uint64_t)f->bw_samples.max / 1024);
	jsonw_float(w, "bw_agg", f->share);
	jsonw_float(w, "bw_mean", f->bw_samples.mean / 1024);
	jsonw_float(w, "bw_dev", f->bw_samples.stddev / 1024);
	jsonw_uint(w, "bw_samples", f->bw_samples.n);
	jsonw_uint(w, "iops_min", (uint64_t)f->iops_samples.min);
	jsonw_uint(w, "iops_max", (uint64_t)f->iops_samples.max);
	jsonw_float(w, "iops_mean", f->iops_samples.mean);
	jsonw_float(w, "iops_stddev", f->iops_samples.stddev);
	jsonw_uint(w, "iops_samples", f->iops_samples.n);
}

int json_direction(struct jsonw *w, const struct result *r, const struct result_job *j,
		   unsigned dir, const struct json_style *js)
{
	static const char *const kind[] = {"slat_ns", "clat_ns", "lat_ns"};
	struct result_figures f;
	int ret = result_figures(r, j, dir, &f);

	if (ret)
		return ret;
	jsonw_object(w, direction_name[dir]);
	jsonw_uint(w, "io_bytes", f.bytes);
	jsonw_uint(w, "io_kbytes", f.bytes / 1024);
	jsonw_uint(w, "bw_bytes", f.bw);
	jsonw_uint(w, "bw", f.bw / 1024);
	jsonw_float(w, "iops", f.iops);
	jsonw_uint(w, "runtime", f.runtime_ms);
	jsonw_uint(w, "total_ios", f.ios);
	jsonw_uint(w, "short_ios", f.short_ios);
	jsonw_uint(w, "drop_ios", f.drop_ios);
	for (unsigned k = LAT_SUBMIT; k <= LAT_TOTAL; k++)
		json_latency(w, kind[k], &f.stats->lat[k], f.stats->hist[k], &j->style,
			     text_percentiles_on(&j->style, k), js);
	if (dir < DIRS)
		json_dir_prios(w, j, dir, js);
	json_dir_samples(w, &f);
	jsonw_close(w);
	result_figures_release(&f);
	return 0;
}
