/* From JSON to records, with libjansson. */
#include "judge/record_json.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No storage does more or less; squares of it stay numbers. */
#define RECORD_LEAST 1e-9
#define RECORD_MOST  1e20

struct reader {
	struct arena *arena;
	const char *file;
	struct err *err;
};

static int record_no_memory(struct reader *r)
{
	return err_set(r->err, ERR_SETUP, ENOMEM, "no memory for %s", r->file);
}

static double record_number_of(const json_t *v)
{
	double d = json_is_number(v) ? json_number_value(v) : 0;

	return d > RECORD_LEAST && d < RECORD_MOST ? d : 0;
}

static double record_number(const json_t *o, const char *key)
{
	return record_number_of(json_object_get(o, key));
}

static const char *record_text_of(struct reader *r, const json_t *v)
{
	const char *s = json_string_value(v);

	return s ? arena_strdup(r->arena, s) : "";
}

static int record_by_percentile(const void *x, const void *y)
{
	const double *a = x, *b = y;

	return (a[0] > b[0]) - (a[0] < b[0]);
}

static void record_read_percentiles(json_t *o, struct record_lat *out)
{
	double pair[RECORD_PERCENTILES][2];
	unsigned n = 0;
	const char *key;
	json_t *v;

	json_object_foreach(o, key, v)
	{
		char *end;
		double p = strtod(key, &end);
		if (end != key && !*end && p > 0 && p <= 100 && n < RECORD_PERCENTILES) {
			pair[n][0] = p;
			pair[n++][1] = record_number_of(v);
		}
	}
	qsort(pair, n, sizeof(pair[0]), record_by_percentile);
	out->percentiles_n = n;
	for (unsigned i = 0; i < n; i++) {
		out->percentile[i] = pair[i][0];
		out->percentile_ns[i] = pair[i][1];
	}
}

static int record_by_ns(const void *x, const void *y)
{
	const struct record_bin *a = x, *b = y;

	return (a->ns > b->ns) - (a->ns < b->ns);
}

static int record_read_bins(struct reader *r, json_t *o, struct record_lat *out)
{
	size_t room = json_object_size(o);
	const char *key;
	json_t *v;

	if (!room || room > RECORD_BINS)
		return 0;
	out->bin = arena_new(r->arena, struct record_bin, room);
	if (!out->bin)
		return record_no_memory(r);
	json_object_foreach(o, key, v)
	{
		char *end;
		double ns = strtod(key, &end);
		if (end == key || *end || !(ns >= 0 && ns < RECORD_MOST) ||
		    record_number_of(v) <= 0)
			continue;
		out->bin[out->bins_n++] =
			(struct record_bin){.ns = ns, .count = record_number_of(v)};
	}
	qsort(out->bin, out->bins_n, sizeof(*out->bin), record_by_ns);
	return 0;
}

static int record_read_latency(struct reader *r, const json_t *o, struct record_lat *out)
{
	out->n = record_number(o, "N");
	out->mean = record_number(o, "mean");
	out->stddev = record_number(o, "stddev");
	record_read_percentiles(json_object_get(o, "percentile"), out);
	return record_read_bins(r, json_object_get(o, "bins"), out);
}

static void record_read_samples(const json_t *o, const char *const key[3], double unit,
				struct record_samples *out)
{
	out->mean = record_number(o, key[0]) * unit;
	out->stddev = record_number(o, key[1]) * unit;
	out->n = record_number(o, key[2]);
}

static int record_read_flow(struct reader *r, const json_t *o, struct record_flow *out)
{
	static const char *const iops[] = {"iops_mean", "iops_stddev", "iops_samples"};
	static const char *const bw[] = {"bw_mean", "bw_dev", "bw_samples"};

	out->ios = record_number(o, "total_ios");
	if (out->ios <= 0)
		return 0;
	out->iops = record_number(o, "iops");
	out->bw = record_number(o, "bw_bytes");
	if (out->bw <= 0)
		out->bw = record_number(o, "bw") * 1024; /* fio before 3.7 */
	out->runtime_s = record_number(o, "runtime") / 1000;
	record_read_samples(o, iops, 1, &out->iops_samples);
	record_read_samples(o, bw, 1024, &out->bw_samples);
	int ret = record_read_latency(r, json_object_get(o, "lat_ns"), &out->lat);
	return ret ? ret : record_read_latency(r, json_object_get(o, "clat_ns"), &out->clat);
}

static int record_read_series(struct reader *r, const json_t *o, struct record_flow *out)
{
	static const char *const key[RECORD_SERIES] = {"iops", "bw_bytes", "lat_mean_ns"};

	for (unsigned s = 0; s < RECORD_SERIES; s++) {
		const json_t *list = json_object_get(o, key[s]);
		size_t n = json_array_size(list);
		double *v = n && n <= 1000000 ? arena_new(r->arena, double, n) : NULL;

		if (!n || n > 1000000)
			continue;
		if (!v)
			return record_no_memory(r);
		/* A step without latency is no step for the latency. */
		for (size_t i = 0; i < n; i++)
			if (json_is_number(json_array_get(list, i)))
				v[out->series[s].n++] = record_number_of(json_array_get(list, i));
		out->series[s].v = v;
	}
	return 0;
}

static int record_add_pair(struct reader *r, struct record_pairs *p, const char *key,
			   const char *value)
{
	for (unsigned i = 0; i < p->n; i++) {
		if (!strcmp(p->v[i].key, key)) {
			p->v[i].value = value;
			return 0;
		}
	}
	key = arena_strdup(r->arena, key);
	if (!key || !value)
		return record_no_memory(r);
	p->v[p->n++] = (struct record_pair){.key = key, .value = value};
	return 0;
}

static int record_read_options(struct reader *r, json_t *global, json_t *own,
			       struct record_pairs *out)
{
	json_t *from[2] = {global, own};
	size_t room = json_object_size(global) + json_object_size(own);
	const char *key;
	json_t *v;

	out->v = arena_new(r->arena, struct record_pair, room + 1);
	if (!out->v)
		return record_no_memory(r);
	for (unsigned i = 0; i < 2; i++) {
		json_object_foreach(from[i], key, v)
		{
			int ret = record_add_pair(r, out, key, record_text_of(r, v));
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int record_read_job(struct reader *r, const json_t *root, const json_t *o,
			   struct record_job *out)
{
	json_t *series = json_object_get(json_object_get(o, "fathom"), "series");
	int ret = record_read_options(r, json_object_get(root, "global options"),
				      json_object_get(o, "job options"), &out->options);

	out->name = record_text_of(r, json_object_get(o, "jobname"));
	out->error = record_number(o, "error");
	for (unsigned d = 0; d < RECORD_DIRS && !ret; d++) {
		ret = record_read_flow(r, json_object_get(o, direction_name[d]), &out->flow[d]);
		if (!ret && out->flow[d].ios > 0)
			ret = record_read_series(r, json_object_get(series, direction_name[d]),
						 &out->flow[d]);
	}
	return !ret && !out->name ? record_no_memory(r) : ret;
}

/* What a host says in one member: numbers as text. */
static const char *record_printed(struct reader *r, const json_t *v)
{
	if (json_is_number(v))
		return arena_printf(r->arena, "%.0f", json_number_value(v));
	if (json_is_boolean(v))
		return json_is_true(v) ? "yes" : "no";
	return record_text_of(r, v);
}

static int record_read_device(struct reader *r, json_t *o, struct record_pairs *out)
{
	const char *name = record_text_of(r, json_object_get(o, "name")), *key;
	json_t *v;
	int ret = 0;

	json_object_foreach(o, key, v)
	{
		if (!strcmp(key, "name") || ret)
			continue;
		const char *full = arena_printf(r->arena, "device %s %s", name ? name : "", key);
		ret = full ? record_add_pair(r, out, full, record_printed(r, v))
			   : record_no_memory(r);
	}
	return ret;
}

static int record_read_host(struct reader *r, json_t *o, struct record_pairs *out)
{
	json_t *devices = json_object_get(o, "devices"), *v;
	size_t room = json_object_size(o), i;
	const char *key;
	int ret = 0;

	json_array_foreach(devices, i, v) room += json_object_size(v);
	out->v = arena_new(r->arena, struct record_pair, room + 1);
	if (!out->v)
		return record_no_memory(r);
	json_object_foreach(o, key, v)
	{
		if (v != devices && !ret)
			ret = record_add_pair(r, out, key, record_printed(r, v));
	}
	json_array_foreach(devices, i, v)
	{
		if (!ret)
			ret = record_read_device(r, v, out);
	}
	return ret;
}

static int record_read_report(struct reader *r, const json_t *o, struct record *out)
{
	const json_t *jobs = json_object_get(o, "jobs"), *own = json_object_get(o, "fathom");

	if (!json_is_array(jobs))
		jobs = json_object_get(o, "client_stats");
	if (!json_is_array(jobs))
		return err_set(r->err, ERR_USAGE, EINVAL,
			       "%s is JSON, but no report of fio or fathom: it has no jobs",
			       r->file);
	*out = (struct record){.file = r->file, .ours = json_is_object(own)};
	out->tool = record_text_of(r, json_object_get(o, "fio version"));
	out->jobs_n = (unsigned)json_array_size(jobs);
	out->jobs = arena_new(r->arena, struct record_job, out->jobs_n + 1);
	if (!out->tool || !out->jobs)
		return record_no_memory(r);
	int ret = record_read_host(r, json_object_get(own, "host"), &out->host);
	for (unsigned i = 0; i < out->jobs_n && !ret; i++)
		ret = record_read_job(r, o, json_array_get(jobs, i), &out->jobs[i]);
	return ret;
}

static int record_read_document(struct reader *r, const json_t *root, struct record_list *out)
{
	const json_t *repeats = json_object_get(root, "repeats");
	size_t n = json_array_size(repeats);
	int ret = 0;

	out->n = 0;
	out->v = arena_new(r->arena, struct record, n ? n : 1);
	if (!out->v)
		return record_no_memory(r);
	for (size_t i = 0; i < (n ? n : 1) && !ret; i++) {
		ret = record_read_report(r, n ? json_array_get(repeats, i) : root, &out->v[i]);
		out->n++;
	}
	return ret;
}

/* The next brace that begins a line, or else the first one at all. */
static const char *record_next_document(const char *at, const char *end, bool first)
{
	const char *any = memchr(at, '{', (size_t)(end - at));

	for (const char *p = any; p; p = memchr(p + 1, '{', (size_t)(end - p - 1)))
		if (p == at || p[-1] == '\n')
			return p;
	return first ? any : NULL;
}

int record_parse(const char *text, size_t n, const char *file, struct arena *a,
		 struct record_list *out, struct err *err)
{
	struct reader r = {.arena = a, .file = file, .err = err};
	const char *end = text + n, *at = n ? record_next_document(text, end, true) : NULL;
	json_t *last = NULL;
	/* fio writes numbers that only fit 64 bits without a sign. */
	const size_t flags = JSON_DISABLE_EOF_CHECK | JSON_DECODE_INT_AS_REAL;
	int ret = 0;

	while (at && !ret) {
		json_error_t e;
		json_t *root = json_loadb(at, (size_t)(end - at), flags, &e);
		if (root) {
			json_decref(last);
			last = root;
			at += e.position;
			at = at < end ? record_next_document(at, end, false) : NULL;
			continue;
		}
		unsigned line = (unsigned)e.line;
		for (const char *p = text; p < at; p++)
			line += *p == '\n';
		ret = err_set(err, ERR_USAGE, EINVAL, "%s, line %u: %s", file, line,
			      json_error_code(&e) == json_error_premature_end_of_input
				      ? "the report is cut off"
				      : e.text);
	}
	if (!ret && !last)
		ret = err_set(err, ERR_USAGE, EINVAL, "%s holds no JSON report", file);
	if (ret)
		err_remedy(err, "write it with --output-format=json");
	struct record_list list = {0};
	if (!ret)
		ret = record_read_document(&r, last, &list);
	if (!ret)
		*out = list;
	json_decref(last);
	return ret;
}
