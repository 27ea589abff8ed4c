/* What Fathom has to say beyond fio's keys: the objects "fathom". Every number carries its unit in
 * its key. */
#include "report/json_own.h"
#include "result/derive.h"
#include "report/json_verdict.h"
#include "report/json_series.h"
#include "report/json_dir.h"
#include "judge/verdict.h"
#include "judge/finding_work.h"
#include "report/text.h"
#include "report/comparison_json.h"
#include "report/repeats.h"

#include "base/direction.h"
#include <string.h>

static void json_own_error_text(struct jsonw *w, const struct result_job *j)
{
	char words[128];
	const char *text = j->error_text;

	if (!text)
		text = j->error ? text_errno(j->error, words, sizeof(words)) : "";
	jsonw_string(w, "error_text", text);
}

static void json_own_depth(struct jsonw *w, const struct result_job *j)
{
	jsonw_object(w, "depth");
	jsonw_uint(w, "asked", j->depth_asked);
	jsonw_uint(w, "planned", j->depth_planned);
	jsonw_float(w, "mean", result_mean_depth(j));
	jsonw_close(w);
}

static void json_own_limit(struct jsonw *w, const char *key, uint64_t value)
{
	if (value == UINT64_MAX)
		jsonw_null(w, key);
	else
		jsonw_uint(w, key, value);
}

static void json_own_planned(struct jsonw *w, const struct result_job *j)
{
	jsonw_object(w, "planned");
	if (j->planned_end == END_NONE)
		jsonw_null(w, "end");
	else
		jsonw_string(w, "end", end_reason_name(j->planned_end));
	json_own_limit(w, "ios", j->planned_ios);
	json_own_limit(w, "bytes", j->planned_bytes);
	json_own_limit(w, "duration_ns", j->planned_ns);
	jsonw_close(w);
}

static void json_own_phases(struct jsonw *w, const struct result_job *j)
{
	static const char *const name[PHASES] = {"layout", "ramp", "workload", "sync", "verify"};
	static const char *const ios[DIRS] = {"read_ios", "write_ios", "trim_ios"};
	static const char *const bytes[DIRS] = {"read_bytes", "write_bytes", "trim_bytes"};

	jsonw_object(w, "phases");
	for (unsigned p = 0; p < PHASES; p++) {
		jsonw_object(w, name[p]);
		jsonw_uint(w, "duration_ns", j->phase[p].ns);
		for (unsigned d = 0; d < DIRS; d++) {
			jsonw_uint(w, ios[d], j->phase[p].ios[d]);
			jsonw_uint(w, bytes[d], j->phase[p].bytes[d]);
		}
		jsonw_uint(w, "syncs", j->phase[p].syncs);
		jsonw_close(w);
	}
	jsonw_close(w);
}

static bool json_own_rated(const struct result_job *j)
{
	for (unsigned d = 0; d < DIRS; d++)
		if (j->rate_asked[d] || j->rate_iops_asked[d] || j->dir[d].lat[LAT_SCHEDULE].n)
			return true;
	return false;
}

static void json_own_rate(struct jsonw *w, const struct result_job *j, const struct json_style *js)
{
	if (!json_own_rated(j))
		return;
	jsonw_object(w, "rate");
	for (unsigned d = 0; d < DIRS; d++) {
		if (!j->rate_asked[d] && !j->rate_iops_asked[d])
			continue;
		jsonw_object(w, direction_name[d]);
		jsonw_uint(w, "asked_bytes_per_s", j->rate_asked[d]);
		jsonw_uint(w, "achieved_bytes_per_s", result_bw(j, d));
		jsonw_uint(w, "asked_iops", j->rate_iops_asked[d]);
		jsonw_float(w, "achieved_iops", result_iops(j, d));
		jsonw_close(w);
	}
	jsonw_uint(w, "late_ios", j->late_ios);
	jsonw_uint(w, "behind_ns_max", j->behind_ns_max);
	jsonw_close(w);

	jsonw_object(w, "sched_lat_ns");
	for (unsigned d = 0; d < DIRS; d++)
		if (j->dir[d].lat[LAT_SCHEDULE].n)
			json_latency(w, direction_name[d], &j->dir[d].lat[LAT_SCHEDULE],
				     j->dir[d].hist[LAT_SCHEDULE], &j->style, true, js);
	jsonw_close(w);
}

static void json_own_message(struct jsonw *w, const struct diag_item *m)
{
	static const char *const level[] = {"note", "warning", "error"};

	jsonw_object(w, NULL);
	jsonw_string(w, "level", level[m->level]);
	jsonw_string(w, "code", m->code);
	jsonw_string(w, "file", m->at.file);
	jsonw_uint(w, "line", m->at.line);
	jsonw_uint(w, "column", m->at.col);
	jsonw_int(w, "job", m->job);
	jsonw_string(w, "text", m->text);
	jsonw_string(w, "remedy", m->remedy);
	jsonw_close(w);
}

/* Messages about the workers first..first+n-1, or all of them. */
static void json_own_messages(struct jsonw *w, const struct diag *diag, bool all, unsigned first,
			      unsigned n)
{
	jsonw_array(w, "messages");
	for (size_t i = 0; diag && i < diag->n; i++) {
		const struct diag_item *m = &diag->items[i];
		if (all ||
		    (m->job >= 0 && (unsigned)m->job >= first && (unsigned)m->job - first < n))
			json_own_message(w, m);
	}
	jsonw_close(w);
}

void json_job_own(struct jsonw *w, const struct result *r, const struct result_job *j,
		  const struct json_style *js)
{
	jsonw_object(w, "fathom");
	jsonw_string(w, "end", end_reason_name(j->end));
	json_own_planned(w, j);
	jsonw_bool(w, "started", j->started);
	json_own_error_text(w, j);
	jsonw_string(w, "engine", j->engine);
	jsonw_string(w, "engine_note", j->engine_note);
	jsonw_string(w, "cpus", j->cpus);
	jsonw_uint(w, "first_job", j->number);
	jsonw_uint(w, "workers", j->members);
	jsonw_uint(w, "duration_ns", j->end_ns > j->start_ns ? j->end_ns - j->start_ns : 0);
	json_own_depth(w, j);
	json_own_phases(w, j);
	json_own_rate(w, j, js);
	if (j->last_done_ns)
		jsonw_uint(w, "last_completion_ns", j->last_done_ns);
	if (j->durable_ns > 0)
		jsonw_uint(w, "durable_ns", (uint64_t)j->durable_ns);
	jsonw_uint(w, "region_bytes", j->region_bytes);
	jsonw_uint(w, "unwritten_bytes", j->unwritten_bytes);
	jsonw_uint(w, "cached_bytes", j->cached_bytes);
	jsonw_object(w, "poll");
	jsonw_bool(w, "asked", j->poll.asked);
	jsonw_bool(w, "active", j->poll.asked && !verdict_poll_inactive(j));
	jsonw_close(w);
	jsonw_uint(w, "overhead_ns", j->overhead_ns);
	jsonw_uint(w, "log_stall_ns", j->log_stall_ns);
	json_verdict(w, r, j, js);
	json_series(w, j);
	json_own_messages(w, r->diag, false, j->number, j->members ? j->members : 1);
	jsonw_close(w);
}

static void json_own_groups(struct jsonw *w, const struct result *r)
{
	jsonw_array(w, "groups");
	for (unsigned i = 0; i < r->groups_n; i++) {
		const struct result_group *g = &r->groups[i];

		jsonw_object(w, NULL);
		jsonw_uint(w, "groupid", g->id);
		for (unsigned d = 0; d <= DIRS; d++) {
			if (!g->dir[d].used)
				continue;
			jsonw_object(w, direction_name[d]);
			jsonw_uint(w, "io_bytes", g->dir[d].bytes);
			jsonw_uint(w, "bw_bytes_per_s", g->dir[d].agg_bw);
			jsonw_uint(w, "bw_min_bytes_per_s", g->dir[d].min_bw);
			jsonw_uint(w, "bw_max_bytes_per_s", g->dir[d].max_bw);
			jsonw_uint(w, "runtime_min_ns", g->dir[d].min_run_ns);
			jsonw_uint(w, "runtime_max_ns", g->dir[d].max_run_ns);
			jsonw_close(w);
		}
		jsonw_close(w);
	}
	jsonw_close(w);
}

static void json_own_tuned(struct jsonw *w, const struct result *r)
{
	if (!r->tuned_asked)
		return;
	jsonw_array(w, "tuned");
	for (unsigned i = 0; i < r->tuned_n; i++) {
		jsonw_object(w, NULL);
		jsonw_string(w, "file", r->tuned[i].file);
		jsonw_string(w, "from", r->tuned[i].from);
		jsonw_string(w, "to", r->tuned[i].to);
		jsonw_close(w);
	}
	jsonw_close(w);
}

/* Steps of isolate=1, and why those that are not done are not; absent when it was not asked for. */
static void json_own_isolation(struct jsonw *w, const struct result_isolation *i)
{
	if (!i->n)
		return;
	jsonw_array(w, "isolation");
	for (unsigned k = 0; k < i->n; k++) {
		jsonw_object(w, NULL);
		jsonw_string(w, "what", i->step[k].what);
		jsonw_bool(w, "done", i->step[k].done);
		jsonw_string(w, "why", i->step[k].why);
		jsonw_close(w);
	}
	jsonw_close(w);
}

void json_root_own(struct jsonw *w, const struct result *r, const struct json_style *js)
{
	const char *own = r->version ? strstr(r->version, "fathom-") : NULL;

	jsonw_object(w, "fathom");
	jsonw_string(w, "version", own ? own + strlen("fathom-") : r->version);
	jsonw_uint(w, "format", 1);
	jsonw_bool(w, "final", r->final);
	jsonw_bool(w, "interrupted", r->interrupted);
	jsonw_int(w, "exit_code", r->exit_code);
	jsonw_uint(w, "elapsed_ns", r->elapsed_ns);
	jsonw_object(w, "clock");
	jsonw_string(w, "name", r->clock_name);
	jsonw_string(w, "kernel_source", r->host.clock_source);
	jsonw_float(w, "drift_ppm", r->clock_drift_ppm);
	jsonw_uint(w, "read_ns", r->clock_read_ns);
	jsonw_uint(w, "resolution_ns", r->clock_resolution_ns);
	jsonw_close(w);
	jsonw_uint(w, "overhead_ns", r->own_ns);
	json_host(w, r);
	json_own_tuned(w, r);
	json_own_isolation(w, &r->isolation);
	if (js->summary)
		repeats_json(w, js->summary);
	if (js->comparison)
		comparison_member(w, "comparison", js->comparison);
	json_own_groups(w, r);
	json_own_messages(w, r->diag, true, 0, 0);
	jsonw_close(w);
}
