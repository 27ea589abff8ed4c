/* The verdict of a job and what it rests on. */
#include "judge/verdict.h"
#include "report/json.h"

static void findings(struct jsonw *w, const struct verdict *v)
{
	jsonw_object(w, "verdict");
	jsonw_string(w, "verdict", v->word);
	jsonw_array(w, "findings");
	for (unsigned i = 0; i < v->n; i++) {
		const struct finding *f = &v->v[i];
		jsonw_object(w, NULL);
		jsonw_string(w, "code", f->code);
		jsonw_string(w, "severity", severity_word(f->severity));
		jsonw_string(w, "evidence", f->evidence);
		jsonw_string(w, "effect", f->effect);
		jsonw_string(w, "seconds", f->seconds);
		jsonw_string(w, "remedy", f->remedy);
		jsonw_close(w);
	}
	jsonw_close(w);
	jsonw_close(w);
}

static void watched(struct jsonw *w, const struct result_job *j)
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
	};
	const struct watched *s = &j->watched;

	jsonw_object(w, "watched");
	jsonw_uint(w, "seconds", s->seconds);
	jsonw_uint(w, "disturbed_seconds", s->disturbed);
	jsonw_uint(w, "worker_cpu_ns", s->run_ns);
	for (unsigned k = 0; k < DISTURBS; k++)
		jsonw_uint(w, keys[k], s->kind[k].amount);
	jsonw_string(w, "busiest_other_task", s->who);
	jsonw_object(w, "outliers");
	jsonw_uint(w, "above_p999", s->outliers.n);
	jsonw_uint(w, "waited_for_cpu", s->outliers.cpu_wait);
	jsonw_uint(w, "preempted", s->outliers.preempted);
	jsonw_uint(w, "device", s->outliers.device);
	jsonw_close(w);
	jsonw_close(w);
}

static void undisturbed(struct jsonw *w, const struct result_job *j, const struct json_style *js)
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
	findings(w, &v);
	if (!j->watched.on)
		return;
	watched(w, j);
	undisturbed(w, j, js);
}
