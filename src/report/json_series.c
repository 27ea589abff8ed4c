/* The timeline of a job, and the machine it ran on. */
#include "report/json_series.h"
#include "base/direction.h"

static void json_series_iops(struct jsonw *w, const struct timeline *t, unsigned d)
{
	jsonw_numbers(w, "iops");
	for (unsigned i = 0; i < t->n; i++)
		jsonw_float(w, NULL, (double)t->point[i].ios[d] * 1e9 / (double)t->period_ns);
	jsonw_close(w);
}

static void json_series_bw(struct jsonw *w, const struct timeline *t, unsigned d)
{
	jsonw_numbers(w, "bw_bytes");
	for (unsigned i = 0; i < t->n; i++)
		jsonw_uint(w, NULL,
			   (uint64_t)((double)t->point[i].bytes[d] * 1e9 / (double)t->period_ns));
	jsonw_close(w);
}

static void json_series_latency(struct jsonw *w, const struct timeline *t, unsigned d)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < t->n; i++)
		all += t->point[i].lat_n[d];
	if (!all)
		return;
	jsonw_numbers(w, "lat_mean_ns");
	for (unsigned i = 0; i < t->n; i++) {
		const struct timeline_point *p = &t->point[i];

		if (p->lat_n[d])
			jsonw_float(w, NULL, (double)p->lat_sum[d] / (double)p->lat_n[d]);
		else
			jsonw_null(w, NULL); /* nothing was completed */
	}
	jsonw_close(w);
}

void json_series(struct jsonw *w, const struct result_job *j)
{
	const struct timeline *t = &j->timeline;

	jsonw_object(w, "series");
	jsonw_uint(w, "period_ns", t->n ? t->period_ns : 0);
	for (unsigned d = 0; d < DIRS && t->n; d++) {
		if (!j->dir[d].ios)
			continue;
		jsonw_object(w, direction_name[d]);
		json_series_iops(w, t, d);
		json_series_bw(w, t, d);
		json_series_latency(w, t, d);
		jsonw_close(w);
	}
	jsonw_close(w);
}

static void json_series_flag(struct jsonw *w, const char *key, int value)
{
	if (value < 0)
		jsonw_null(w, key);
	else
		jsonw_bool(w, key, value);
}

static void json_series_device(struct jsonw *w, const struct result_device *d)
{
	jsonw_object(w, NULL);
	jsonw_string(w, "name", d->name);
	jsonw_string(w, "model", d->model);
	jsonw_string(w, "scheduler", d->scheduler);
	jsonw_uint(w, "size_bytes", d->size);
	json_series_flag(w, "rotational", d->rotational);
	json_series_flag(w, "write_back", d->write_back);
	if (d->node < 0)
		jsonw_null(w, "numa_node");
	else
		jsonw_int(w, "numa_node", d->node);
	jsonw_close(w);
}

void json_host(struct jsonw *w, const struct result *r)
{
	const struct result_host *h = &r->host;

	if (!h->known)
		return;
	jsonw_object(w, "host");
	jsonw_string(w, "kernel", h->kernel);
	jsonw_string(w, "machine", h->machine);
	jsonw_string(w, "cpu_model", h->cpu_model);
	jsonw_uint(w, "cpus", h->cpus);
	jsonw_string(w, "governor", h->governor);
	jsonw_uint(w, "memory_bytes", h->memory_bytes);
	jsonw_array(w, "devices");
	for (unsigned i = 0; i < r->devices_n; i++)
		json_series_device(w, &r->devices[i]);
	jsonw_close(w);
	jsonw_close(w);
}
