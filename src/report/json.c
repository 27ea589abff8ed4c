/* JSON: one document per run (compatibility 21), json+ with histogram bins, jsonl with a line per
 * report. */
#include "report/json.h"
#include "result/derive.h"
#include "report/json_own.h"
#include "report/json_dir.h"
#include "report/format.h"
#include "report/snapshots.h"
#include "report/text.h"

#include "base/time.h"
#include <errno.h>

#define ETA_UNKNOWN 2147483647

static void json_options(struct jsonw *w, const char *key, const struct job_text *t, unsigned n)
{
	jsonw_object(w, key);
	for (unsigned i = 0; i < n; i++)
		if (!text_overridden(t, n, i))
			jsonw_string(w, t[i].name, t[i].text);
	jsonw_close(w);
}

static void json_shares(struct jsonw *w, const char *key, const char *const *label,
			const double *percent, unsigned n)
{
	jsonw_object(w, key);
	for (unsigned i = 0; i < n; i++)
		jsonw_float(w, label[i], percent[i]);
	jsonw_close(w);
}

static void json_depths(struct jsonw *w, const struct result_job *j)
{
	static const char *const level[] = {"1", "2", "4", "8", "16", "32", ">=64"};
	static const char *const batch[] = {"0", "4", "8", "16", "32", "64", ">=64"};
	double p[DEPTH_BINS];

	result_shares(j->depth_level, DEPTH_BINS, 0.1, p);
	json_shares(w, "iodepth_level", level, p, DEPTH_BINS);
	result_shares(j->depth_submit, DEPTH_BINS, 0.1, p);
	json_shares(w, "iodepth_submit", batch, p, DEPTH_BINS);
	result_shares(j->depth_complete, DEPTH_BINS, 0.1, p);
	json_shares(w, "iodepth_complete", batch, p, DEPTH_BINS);
}

static void json_latencies(struct jsonw *w, const struct result_job *j)
{
	static const char *const label[] = {"2",   "4",	  "10",	 "20",	 "50",	 "100",
					    "250", "500", "750", "1000", "2000", ">=2000"};
	double p[HIST_LAT_BINS];

	result_shares(j->lat_bins, HIST_LAT_BINS, 0.01, p);
	json_shares(w, "latency_ns", label, p, 10);
	json_shares(w, "latency_us", label, p + 10, 10);
	json_shares(w, "latency_ms", label, p + 20, 12);
}

static void json_job_head(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	jsonw_string(w, "jobname", j->name);
	jsonw_uint(w, "groupid", j->group);
	jsonw_uint(w, "job_start", j->started ? j->start_wall_ns / 1000000 : 0);
	jsonw_int(w, "error", j->error);
	jsonw_uint(w, "eta", r->final ? 0 : ETA_UNKNOWN);
	jsonw_uint(w, "elapsed", r->elapsed_ns / NS_PER_SEC + (r->elapsed_ns % NS_PER_SEC != 0));
	json_options(w, "job options", j->options, j->options_n);
}

static int json_job_directions(struct jsonw *w, const struct result *r, const struct result_job *j,
			       const struct json_style *js)
{
	int ret = 0;

	if (j->style.unified != UNIFIED_MIXED) {
		for (unsigned d = 0; d < DIRS && !ret; d++)
			ret = json_direction(w, r, j, d, js);
		jsonw_object(w, "sync");
		jsonw_uint(w, "total_ios", j->syncs);
		json_latency(w, "lat_ns", &j->sync_lat, j->sync_hist, &j->style, true, js);
		jsonw_close(w);
	}
	if (j->style.unified != UNIFIED_NONE && !ret)
		ret = json_direction(w, r, j, DIRS, js);
	return ret;
}

static void json_job_tail(struct jsonw *w, const struct result_job *j)
{
	double per_ns = j->job_runtime_ns ? 100 / (double)j->job_runtime_ns : 0;

	jsonw_uint(w, "job_runtime", j->job_runtime_ns / 1000000);
	jsonw_float(w, "usr_cpu", (double)j->usr_ns * per_ns);
	jsonw_float(w, "sys_cpu", (double)j->sys_ns * per_ns);
	jsonw_uint(w, "ctx", j->ctx);
	jsonw_uint(w, "majf", j->majf);
	jsonw_uint(w, "minf", j->minf);
	json_depths(w, j);
	json_latencies(w, j);
	if (j->style.continue_mask) {
		jsonw_uint(w, "total_err", j->total_err);
		jsonw_int(w, "first_error", j->first_error);
	}
	jsonw_uint(w, "latency_depth", j->depth_asked);
	jsonw_uint(w, "latency_target", 0);
	jsonw_uint(w, "latency_target_ns", 0);
	jsonw_float(w, "latency_percentile", 100);
	jsonw_uint(w, "latency_window", 0);
	jsonw_uint(w, "latency_window_us", 0);
	if (j->description)
		jsonw_string(w, "desc", j->description);
}

static void json_disk_counts(struct jsonw *w, const struct result_disk_counts *c)
{
	jsonw_uint(w, "read_ios", c->ios[0]);
	jsonw_uint(w, "write_ios", c->ios[1]);
	jsonw_uint(w, "read_sectors", c->sectors[0]);
	jsonw_uint(w, "write_sectors", c->sectors[1]);
	jsonw_uint(w, "read_merges", c->merges[0]);
	jsonw_uint(w, "write_merges", c->merges[1]);
	jsonw_uint(w, "read_ticks", c->ticks_ms[0]);
	jsonw_uint(w, "write_ticks", c->ticks_ms[1]);
	jsonw_uint(w, "in_queue", c->in_queue_ms);
}

static void json_disk_aggregate(struct jsonw *w, const struct result_disk *d)
{
	const struct result_disk_counts *c = &d->agg;

	jsonw_uint(w, "aggr_read_ios", c->ios[0]);
	jsonw_uint(w, "aggr_write_ios", c->ios[1]);
	jsonw_uint(w, "aggr_read_sectors", c->sectors[0]);
	jsonw_uint(w, "aggr_write_sectors", c->sectors[1]);
	jsonw_uint(w, "aggr_read_merges", c->merges[0]);
	jsonw_uint(w, "aggr_write_merge", c->merges[1]); /* as fio spells it */
	jsonw_uint(w, "aggr_read_ticks", c->ticks_ms[0]);
	jsonw_uint(w, "aggr_write_ticks", c->ticks_ms[1]);
	jsonw_uint(w, "aggr_in_queue", c->in_queue_ms);
	jsonw_float(w, "aggr_util", d->agg_util);
}

static void json_disk(struct jsonw *w, const struct result_disk *d)
{
	jsonw_object(w, NULL);
	jsonw_string(w, "name", d->name);
	json_disk_counts(w, &d->c);
	jsonw_float(w, "util", d->util);
	if (d->slaves)
		json_disk_aggregate(w, d);
	jsonw_close(w);
	for (unsigned i = 0; i < d->slaves && i < 8; i++) {
		jsonw_object(w, NULL);
		jsonw_string(w, "name", d->slave_names[i]);
		json_disk_counts(w, &d->slave[i]);
		jsonw_float(w, "util", d->slave_util[i]);
		jsonw_close(w);
	}
}

static void json_root_head(struct jsonw *w, const struct result *r)
{
	char when[32];

	text_time(r->wall_ns, when, sizeof(when));
	jsonw_string(w, "fio version", r->version);
	jsonw_uint(w, "timestamp", r->wall_ns / NS_PER_SEC);
	jsonw_uint(w, "timestamp_ms", r->wall_ns / 1000000);
	jsonw_string(w, "time", when);
	if (r->globals_n)
		json_options(w, "global options", r->globals, r->globals_n);
}

static int json_root_jobs(struct jsonw *w, const struct result *r, const struct json_style *js)
{
	jsonw_array(w, "jobs");
	for (unsigned i = 0; i < r->jobs_n; i++) {
		const struct result_job *j = &r->jobs[i];

		if (j->style.hide)
			continue;
		jsonw_object(w, NULL);
		json_job_head(w, r, j);
		int ret = json_job_directions(w, r, j, js);
		if (ret)
			return ret;
		json_job_tail(w, j);
		json_job_own(w, r, j, js);
		jsonw_close(w);
	}
	jsonw_close(w);
	return 0;
}

/* The documents that waited, as an array. */
static int json_kept(struct jsonw *w, const char *key, struct snapshots *s)
{
	if (!s || !s->n)
		return 0;
	jsonw_array(w, key);
	jsonw_raw(w, NULL);
	int ret = snapshots_copy(s, w->to);
	if (ret)
		return ret;
	jsonw_close(w);
	return 0;
}

static int json_document(struct jsonw *w, const struct result *r, const struct json_style *js,
			 struct snapshots *before, struct snapshots *repeats)
{
	jsonw_object(w, NULL);
	json_root_head(w, r);
	int ret = json_root_jobs(w, r, js);
	if (ret)
		return ret;
	if (r->disks_n) {
		jsonw_array(w, "disk_util");
		for (unsigned i = 0; i < r->disks_n; i++)
			json_disk(w, &r->disks[i]);
		jsonw_close(w);
	}
	ret = json_kept(w, "snapshots", before);
	if (!ret)
		ret = json_kept(w, "repeats", repeats);
	if (ret)
		return ret;
	json_root_own(w, r, js);
	jsonw_close(w);
	return 0;
}

static struct json_style json_style_of(const struct format_options *fo, bool bins)
{
	return (struct json_style){
		.bins = bins, .summary = fo->summary, .comparison = fo->comparison};
}

/* A document among others that wait for the one that is printed. */
static int json_keep(const struct result *r, bool bins, struct snapshots *in,
		     struct snapshots *before)
{
	const struct json_style js = {.bins = bins};
	FILE *to = snapshots_next(in);
	struct jsonw w;

	if (!to)
		return -errno;
	jsonw_init(&w, to, false, 2);
	int ret = json_document(&w, r, &js, before, NULL);
	return ret ? ret : text_flush(to);
}

static int json_write(const struct result *r, const struct format_options *fo, bool bins, FILE *to)
{
	const struct json_style js = json_style_of(fo, bins);
	struct jsonw w;

	if (!r->final && fo->snapshots)
		return json_keep(r, bins, fo->snapshots, NULL);
	if (r->final && fo->repeats) {
		int ret = json_keep(r, bins, fo->repeats, fo->snapshots);
		if (ret || fo->more)
			return ret;
	}
	jsonw_init(&w, to, false, 0);
	int ret = json_document(&w, r, &js, fo->snapshots, fo->repeats);
	if (ret)
		return ret;
	fputc('\n', to);
	return text_flush(to);
}

static int json_result(const struct result *r, const struct format_options *fo, unsigned index,
		       FILE *to)
{
	return json_write(r, fo, fo->json_plus, to);
}

static int json_plus_result(const struct result *r, const struct format_options *fo, unsigned index,
			    FILE *to)
{
	return json_write(r, fo, true, to);
}

static int json_jsonl_result(const struct result *r, const struct format_options *fo,
			     unsigned index, FILE *to)
{
	const struct json_style js = json_style_of(fo, fo->json_plus);
	struct jsonw w;

	jsonw_init(&w, to, true, 0);
	int ret = json_document(&w, r, &js, NULL, NULL);
	if (ret)
		return ret;
	fputc('\n', to);
	return text_flush(to);
}

const struct format format_json = {
	.name = "json",
	.help = "one JSON document; reports of the running run are its array \"snapshots\"",
	.result = json_result,
};

const struct format format_json_plus = {
	.name = "json+",
	.help = "as json, with the bins of every latency histogram",
	.result = json_plus_result,
};

const struct format format_jsonl = {
	.name = "jsonl",
	.help = "a JSON document a line: one for every report of the running run, and the final "
		"one",
	.result = json_jsonl_result,
};
