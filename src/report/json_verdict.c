/* The verdict of a job and what it rests on. */
#include "judge/verdict.h"
#include "report/json_verdict.h"
#include "report/json_dir.h"
#include "report/json_finding.h"

static void json_verdict_findings(struct jsonw *w, const struct verdict *v)
{
	jsonw_object(w, "verdict");
	jsonw_string(w, "verdict", v->word);
	jsonw_array(w, "findings");
	for (unsigned i = 0; i < v->n; i++)
		json_finding(w, &v->v[i].f, finding_run_word(v->v[i].f.severity));
	jsonw_close(w);
	jsonw_close(w);
}

static void json_verdict_outliers(struct jsonw *w, const struct watched_outliers *o)
{
	static const char *const cause[] = {
		[OUTLIER_UNKNOWN] = "unknown",
		[OUTLIER_CPU_WAIT] = "waited_for_cpu",
		[OUTLIER_PREEMPTED] = "preempted",
		[OUTLIER_DEVICE] = "device",
	};

	jsonw_object(w, "outliers");
	jsonw_uint(w, "above_p999", o->n);
	jsonw_uint(w, "waited_for_cpu", o->cpu_wait);
	jsonw_uint(w, "preempted", o->preempted);
	jsonw_uint(w, "device", o->device);
	jsonw_uint(w, "waited_for_cpu_ns", o->cpu_wait_ns);
	jsonw_array(w, "slowest");
	for (unsigned i = 0; i < WATCHED_SLOWEST && o->slowest[i].latency_ns; i++) {
		const struct watched_outlier *one = &o->slowest[i];
		jsonw_object(w, NULL);
		jsonw_uint(w, "second", one->second);
		jsonw_uint(w, "latency_ns", one->latency_ns);
		jsonw_uint(w, "waited_for_cpu_ns", one->wait_ns);
		jsonw_string(w, "cause", cause[one->cause]);
		jsonw_close(w);
	}
	jsonw_close(w);
	jsonw_close(w);
}

static void json_verdict_range(struct jsonw *w, const struct watched_range *r, double unit)
{
	jsonw_float(w, "min", (double)r->min / unit);
	jsonw_float(w, "mean", (double)r->sum / (double)r->n / unit);
	jsonw_float(w, "max", (double)r->max / unit);
}

static void json_verdict_temperature(struct jsonw *w, const struct watched_temperature *h)
{
	jsonw_object(w, "temperature_celsius");
	jsonw_string(w, "device", h->disk);
	json_verdict_range(w, &h->milli_c, 1e3);
	if (h->limit_milli_c)
		jsonw_float(w, "limit", (double)h->limit_milli_c / 1e3);
	else
		jsonw_null(w, "limit");
	jsonw_close(w);
}

static void json_verdict_watched(struct jsonw *w, const struct result_job *j)
{
	static const char *const keys[DISTURBS] = {
		[DISTURB_CPU_WAIT] = "cpu_wait_ns",
		[DISTURB_PREEMPT] = "preempted",
		[DISTURB_STEAL] = "steal_ns",
		[DISTURB_IRQ] = "interrupt_ns",
		[DISTURB_OTHER_IO] = "other_ios",
		[DISTURB_IOWQ] = "kernel_worker_ns",
		[DISTURB_FREQUENCY] = "frequency_permille_seconds",
		[DISTURB_MEMORY] = "memory_stall_ns",
		[DISTURB_TEMPERATURE] = "cpu_throttled",
		[DISTURB_REMOTE] = "remote_node_worker_seconds",
		[DISTURB_STOPPED] = "stops",
	};
	const struct watched *s = &j->watched;

	jsonw_object(w, "watched");
	jsonw_uint(w, "seconds", s->seconds);
	jsonw_uint(w, "disturbed_seconds", s->disturbed);
	jsonw_uint(w, "worker_cpu_ns", s->run_ns);
	for (unsigned k = 0; k < DISTURBS; k++)
		jsonw_uint(w, keys[k], s->kind[k].amount);
	jsonw_uint(w, "io_stall_ns", s->io_stall_ns);
	if (s->khz.n) {
		jsonw_object(w, "cpu_frequency_khz");
		json_verdict_range(w, &s->khz, 1);
		jsonw_close(w);
	}
	if (s->heat.milli_c.n)
		json_verdict_temperature(w, &s->heat);
	jsonw_uint(w, "device_ios", s->device.ios);
	jsonw_uint(w, "device_bytes", s->device.bytes);
	jsonw_uint(w, "other_bytes", s->device.foreign_bytes);
	jsonw_string(w, "busiest_other_task", s->who);
	jsonw_uint(w, "busiest_other_task_ns", s->who_ns);
	if (s->competition.workers) {
		jsonw_object(w, "crowd");
		jsonw_uint(w, "workers", s->competition.workers);
		jsonw_uint(w, "cpus", s->competition.cpus);
		jsonw_close(w);
	}
	json_verdict_outliers(w, &s->outliers);
	jsonw_close(w);
}

static void json_verdict_undisturbed(struct jsonw *w, const struct result_job *j,
				     const struct json_style *js)
{
	static const char *const keys[DIRS] = {"read_clat_ns", "write_clat_ns", "trim_clat_ns"};
	const struct watched *s = &j->watched;

	jsonw_object(w, "undisturbed");
	jsonw_uint(w, "seconds", s->seconds - s->disturbed);
	for (unsigned d = 0; d < DIRS; d++)
		if (s->quiet_lat[d].n && s->quiet[d])
			json_latency(w, keys[d], &s->quiet_lat[d], s->quiet[d], &j->style, true,
				     js);
	jsonw_close(w);
}

void json_verdict(struct jsonw *w, const struct result *r, const struct result_job *j,
		  const struct json_style *js)
{
	struct verdict v;

	verdict_judge(r, j, &v);
	json_verdict_findings(w, &v);
	if (!j->watched.on)
		return;
	json_verdict_watched(w, j);
	json_verdict_undisturbed(w, j, js);
}
