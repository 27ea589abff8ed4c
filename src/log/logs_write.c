/* Lines of logs into their files: windows, sums of all jobs, histograms, the iolog. */
#include "log/logs_own.h"
#include "log/logs_write.h"

#include <errno.h>
#include <limits.h>

static int logs_write_bandwidth(struct logs *l, const struct log_rec *recs, unsigned n)
{
	static const struct logline_style style = {.averaged = true};
	int ret = 0;

	for (unsigned i = 0; i < n; i++) {
		if (recs[i].dir >= DIRS || l->bandwidth[recs[i].dir] < 0)
			continue;
		struct logsink *s = &l->sinks[l->bandwidth[recs[i].dir]];
		char *to = logsink_room(s, LOGLINE_MAX);
		if (to)
			logsink_advance(s, logline_record(to, &style, &recs[i]));
		logsink_flush(s);
		logs_note(&ret, s);
	}
	return ret;
}

static char *logs_write_job_line(const struct log_job *j, struct logsink *s,
				 const struct log_rec *r)
{
	char *to;

	if (r->kind != LOGK_IOLOG) {
		to = logsink_room(s, LOGLINE_MAX);
		return to ? logline_record(to, &j->style, r) : NULL;
	}
	if (r->file >= j->plan->files_n)
		return NULL;
	size_t len = j->path_len[r->file];
	to = logsink_room(s, LOGLINE_MAX + len);
	return to ? logline_iolog(to, r, j->plan->files[r->file].path, len) : NULL;
}

int logs_write(struct logs *l, unsigned job, const struct log_rec *recs, unsigned n)
{
	int ret = 0;

	if (job == UINT_MAX)
		return logs_write_bandwidth(l, recs, n);
	if (job >= l->jobs_n)
		return -EINVAL;

	struct log_job *j = &l->jobs[job];
	for (unsigned i = 0; i < n; i++) {
		if (recs[i].kind >= LOGK_KINDS || j->sink[recs[i].kind] < 0)
			continue;
		struct logsink *s = &l->sinks[j->sink[recs[i].kind]];
		char *end = logs_write_job_line(j, s, &recs[i]);
		if (end)
			logsink_advance(s, end);
		logs_note(&ret, s);
	}
	if (!ret && !j->windows)
		ret = logs_io_failure(l, j);
	for (unsigned k = 0; j->windows && k < LOGK_IOLOG; k++) {
		if (j->sink[k] < 0)
			continue;
		logsink_flush(&l->sinks[j->sink[k]]);
		logs_note(&ret, &l->sinks[j->sink[k]]);
	}
	return ret;
}

int logs_hists(struct logs *l, unsigned job, const struct log_hist *hists, unsigned n)
{
	if (job >= l->jobs_n)
		return -EINVAL;
	struct log_job *j = &l->jobs[job];
	if (j->sink[LOGK_HIST] < 0)
		return 0;
	struct logsink *s = &l->sinks[j->sink[LOGK_HIST]];
	for (unsigned i = 0; i < n; i++) {
		const struct log_hist *h = &hists[i];
		char *to = logsink_room(s, LOGLINE_HIST_MAX);
		if (to)
			logsink_advance(s, logline_hist(to, &j->style, j->coarseness, h->time_ns,
							h->dir, h->bs, h->bucket));
	}
	return logsink_flush(s);
}
