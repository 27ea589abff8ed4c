#include "live/jsonlive.h"
#include "result/derive.h"
#include "base/direction.h"
#include "report/jsonw.h"
#include "report/text.h"
#include "result/interval.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

struct json_live {
	uint64_t seq, elapsed_ns;
	struct interval_mark *marks; /* one for each report entry */
	unsigned marks_n;
};

struct json_live *json_live_new(void)
{
	return calloc(1, sizeof(struct json_live));
}

void json_live_free(struct json_live *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->marks_n; i++)
		interval_mark_release(&l->marks[i]);
	free(l->marks);
	free(l);
}

static void jsonlive_direction(struct jsonw *w, const struct interval_mark *from,
			       const struct result_job *j, unsigned dir, uint64_t ns)
{
	struct interval_dir now;

	interval_dir(from, j, dir, ns, &now);
	jsonw_object(w, direction_name[dir]);
	jsonw_uint(w, "ios", now.ios);
	jsonw_uint(w, "bytes", now.bytes);
	jsonw_float(w, "iops", now.iops);
	jsonw_uint(w, "bw_bytes_per_s", now.bw);
	jsonw_uint(w, "total_ios", j->dir[dir].ios);
	jsonw_uint(w, "total_bytes", j->dir[dir].bytes);
	if (!now.lat_n) {
		jsonw_null(w, "clat_ns");
		jsonw_close(w);
		return;
	}
	jsonw_object(w, "clat_ns");
	jsonw_float(w, "mean", now.lat_mean);
	if (now.has_hist) {
		jsonw_uint(w, "p50", now.p50);
		jsonw_uint(w, "p99", now.p99);
		jsonw_uint(w, "max", now.max);
	} else {
		jsonw_null(w, "p50");
		jsonw_null(w, "p99");
		jsonw_null(w, "max");
	}
	jsonw_close(w);
	jsonw_close(w);
}

/* The letters of its workers as a text, and how many of them run; true when all have ended. */
static bool jsonlive_states(struct jsonw *w, const struct progress *p, unsigned entry,
			    const struct result_job *j)
{
	unsigned running = 0, n = 0, ended = 0, at = j->number;
	char *text = malloc(j->members + 1u), c;

	while (p && text && n < j->members && (c = progress_letter(p, entry, &at))) {
		text[n++] = c;
		running += progress_running(c);
		ended += progress_ended(c);
	}
	if (text)
		text[n] = '\0';
	jsonw_uint(w, "running", running);
	jsonw_string(w, "states", text);
	free(text);
	return n && ended == n;
}

static void jsonlive_job(struct jsonw *w, const struct interval_mark *from, const struct result *r,
			 const struct progress *p, unsigned entry, uint64_t ns)
{
	const struct result_job *j = &r->jobs[entry];
	uint64_t ios, bytes;

	jsonw_object(w, NULL);
	jsonw_string(w, "jobname", j->name);
	jsonw_uint(w, "groupid", j->group);
	jsonw_uint(w, "first_job", j->number);
	jsonw_uint(w, "workers", j->members);
	if (jsonlive_states(w, p, entry, j) || r->final)
		jsonw_string(w, "end", end_reason_name(j->end));
	else
		jsonw_null(w, "end");
	jsonw_int(w, "error", j->error);
	jsonw_uint(w, "errors", j->total_err);
	for (unsigned d = 0; d < DIRS; d++)
		jsonlive_direction(w, from, j, d, ns);
	interval_ramp(from, j, &ios, &bytes);
	jsonw_uint(w, "ramp_ios", ios);
	jsonw_uint(w, "ramp_bytes", bytes);
	jsonw_close(w);
}

static void jsonlive_head(struct jsonw *w, const struct json_live *l, const struct result *r,
			  const struct progress *p, uint64_t dropped)
{
	jsonw_uint(w, "live", 1); /* version of this form */
	jsonw_uint(w, "seq", l->seq);
	jsonw_uint(w, "timestamp_ms", r->wall_ns / 1000000);
	jsonw_uint(w, "elapsed_ns", r->elapsed_ns);
	jsonw_uint(w, "interval_ns", r->elapsed_ns - l->elapsed_ns);
	jsonw_uint(w, "dropped_lines", dropped);
	jsonw_uint(w, "running", p ? p->running : 0);
	if (p && p->done >= 0)
		jsonw_float(w, "progress", p->done);
	else
		jsonw_null(w, "progress");
	if (p && p->eta_ns != UINT64_MAX)
		jsonw_uint(w, "eta_ns", p->eta_ns);
	else
		jsonw_null(w, "eta_ns");
	jsonw_bool(w, "final", r->final);
	if (!r->final)
		return;
	jsonw_bool(w, "interrupted", r->interrupted);
	jsonw_int(w, "exit_code", r->exit_code);
}

static int jsonlive_make_marks(struct json_live *l, unsigned n)
{
	if (l->marks_n >= n)
		return 0;
	struct interval_mark *more = realloc(l->marks, n * sizeof(*more));
	if (!more)
		return -ENOMEM;
	l->marks = more;
	while (l->marks_n < n)
		l->marks[l->marks_n++] = (struct interval_mark){0};
	return 0;
}

int json_live_line(struct json_live *l, const struct result *r, const struct progress *p,
		   uint64_t dropped, FILE *to)
{
	struct jsonw w;
	int ret;

	assert(l && r && to && r->elapsed_ns >= l->elapsed_ns);
	ret = jsonlive_make_marks(l, r->jobs_n);
	if (ret)
		return ret;
	jsonw_init(&w, to, true, 0);
	jsonw_object(&w, NULL);
	jsonlive_head(&w, l, r, p, dropped);
	jsonw_array(&w, "jobs");
	for (unsigned i = 0; i < r->jobs_n; i++) {
		if (r->jobs[i].style.hide)
			continue;
		jsonlive_job(&w, &l->marks[i], r, p, i, r->elapsed_ns - l->elapsed_ns);
		if (interval_mark_set(&l->marks[i], &r->jobs[i]))
			ret = -ENOMEM;
	}
	jsonw_close(&w);
	jsonw_close(&w);
	fputc('\n', to);
	l->seq++;
	l->elapsed_ns = r->elapsed_ns;
	return ret ? ret : text_flush(to);
}
