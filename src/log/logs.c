/* Log files: which there are. */
#include "log/binlog.h"
#include "log/logkind.h"
#include "log/logs_own.h"

#include "base/time.h"
#include "base/direction.h"
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEEP_OPEN_MAX 256 /* with more files than this each is opened when it is written to */
#define IOLOG_HEADER  "fio version 3 iolog\n"

/* The sink of a path, opened if it is new. Takes path over. */
static int logs_sink_index(struct logs *l, char *path, bool truncate, bool keep_open,
			   struct err *err)
{
	assert(l->sinks_n < l->room);
	if (!path)
		return err_set(err, ERR_SETUP, ENOMEM, "out of memory for logs");
	for (unsigned i = 0; i < l->sinks_n; i++) {
		const char *there = l->sinks[i].path;
		if (there && strcmp(there, path) == 0) {
			free(path);
			return (int)i;
		}
	}
	int ret = logsink_open(&l->sinks[l->sinks_n], path, truncate, keep_open, err);
	l->sinks_n++;
	return ret ? ret : (int)l->sinks_n - 1;
}

static char *log_path(const struct plan_job *pj, const char *prefix, const char *suffix)
{
	char *path;
	int ret;

	if (pj->o->per_job_logs)
		ret = asprintf(&path, "%s_%s.%u.log", prefix, suffix, pj->number + 1);
	else
		ret = asprintf(&path, "%s_%s.log", prefix, suffix);
	return ret < 0 ? NULL : path;
}

static int logs_open_iolog(struct logs *l, struct log_job *j, bool keep_open, struct err *err)
{
	const struct plan_job *pj = j->plan;

	if (!pj->o->write_iolog)
		return 0;
	j->path_len = calloc(pj->files_n ? pj->files_n : 1, sizeof(*j->path_len));
	if (!j->path_len)
		return err_set(err, ERR_SETUP, ENOMEM, "out of memory for logs");
	for (unsigned i = 0; i < pj->files_n; i++) {
		for (const char *c = pj->files[i].path; *c; c++)
			if (isspace((unsigned char)*c))
				return err_set(err, ERR_SETUP, EINVAL,
					       "write_iolog cannot record \"%s\": the format has "
					       "no names with blanks",
					       pj->files[i].path);
		j->path_len[i] = strlen(pj->files[i].path);
	}
	int s = logs_sink_index(l, strdup(pj->o->write_iolog), false, keep_open, err);
	if (s < 0)
		return s;
	j->sink[LOGK_IOLOG] = s;
	return 0;
}

/* What to add to realtime to get readings of the clock the user wants. */
static uint64_t logs_epoch(const struct plan *p, const struct job_opts *o)
{
	struct timespec wall, other;

	if (!o->log_alternate_epoch)
		return 0;
	if (p->virtual_clock || o->log_alternate_epoch_clock_id == CLOCK_REALTIME ||
	    clock_gettime((clockid_t)o->log_alternate_epoch_clock_id, &other))
		return 0;
	clock_gettime(CLOCK_REALTIME, &wall);
	int64_t away = ((int64_t)other.tv_sec - wall.tv_sec) * (int64_t)NS_PER_SEC + other.tv_nsec -
		       wall.tv_nsec;
	return (uint64_t)away;
}

/* One file for all logs of single I/Os, under the first of their names. */
static int logs_open_binary(struct logs *l, struct log_job *j, bool keep_open, struct err *err)
{
	static const unsigned order[] = {LOGK_LAT, LOGK_CLAT, LOGK_SLAT, LOGK_BW, LOGK_IOPS};
	const char *prefix = NULL;
	char *path = NULL;

	for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]) && !prefix; i++)
		prefix = logkind_prefix(j->plan, order[i]);
	if (asprintf(&path, "%s_io.%u.binlog", prefix, j->plan->number + 1) < 0)
		path = NULL;
	j->binary = logs_sink_index(l, path, true, keep_open, err);
	return j->binary < 0 ? j->binary : 0;
}

static int logs_open_job(struct logs *l, struct log_job *j, bool keep_open, struct err *err)
{
	const struct plan_job *pj = j->plan;
	bool binary = pj->o->log_format == LOG_BINARY && j->each;

	if (binary && logs_open_binary(l, j, keep_open, err) < 0)
		return j->binary;
	for (unsigned k = 0; k < LOGK_KINDS; k++) {
		const char *prefix = k == LOGK_IOLOG ? NULL : logkind_prefix(pj, k);
		if (!prefix || (binary && j->each >> k & 1) || (binary && k == LOGK_SLAT))
			continue;
		int s = logs_sink_index(l, log_path(pj, prefix, logkinds[k].word),
					pj->o->per_job_logs, keep_open, err);
		if (s < 0)
			return s;
		j->sink[k] = s;
	}
	return logs_open_iolog(l, j, keep_open, err);
}

static void logs_job_style(struct log_job *j, const struct plan *p)
{
	const struct job_opts *o = j->plan->o;

	j->windows = o->log_avg_msec != 0;
	j->coarseness = (unsigned)o->log_hist_coarseness;
	j->style = (struct logline_style){
		.averaged = j->windows,
		.max = j->windows && o->log_window_value == LOG_BOTH,
		.offset = o->log_offset,
		.prio = o->log_prio,
		.issue = o->log_issue_time,
		.epoch_ns = logs_epoch(p, o),
	};
	for (unsigned k = 0; k < LOGK_KINDS; k++)
		j->sink[k] = -1;
	j->binary = -1;
	if (!j->windows)
		j->each = logkind_fed(j->plan) & ((2u << LOGK_LAT) - 1);
}

static int logs_open_bandwidth(struct logs *l, const char *prefix, bool keep_open, struct err *err)
{
	for (unsigned d = 0; d < DIRS && prefix; d++) {
		char *path;
		if (asprintf(&path, "%s-%s_bw.log", prefix, direction_name[d]) < 0)
			path = NULL;
		l->bandwidth[d] = logs_sink_index(l, path, true, keep_open, err);
		if (l->bandwidth[d] < 0)
			return l->bandwidth[d];
	}
	return 0;
}

static void logs_release(struct logs *l, bool undo)
{
	for (unsigned i = 0; i < l->sinks_n; i++)
		logsink_release(&l->sinks[i], undo);
	for (unsigned i = 0; i < l->jobs_n; i++)
		free(l->jobs[i].path_len);
	logspool_release(&l->spool);
	free(l->sinks);
	free(l->jobs);
	free(l);
}

static int logs_begin_binary(struct logs *l, const struct log_job *j)
{
	char *to = logsink_room(&l->sinks[j->binary], sizeof(struct binlog_header));
	struct binlog_header h;

	assert(j->binary >= 0 && (unsigned)j->binary < l->sinks_n);
	if (!to)
		return -ENOMEM;
	binlog_header_fill(&h, j->plan->name, j->plan->number, j->each, &j->style);
	memcpy(to, &h, sizeof(h));
	logsink_advance(&l->sinks[j->binary], to + sizeof(h));
	return 0;
}

/* Empty the files and write headers: only once everything could be opened. */
static int logs_begin(struct logs *l, struct err *err)
{
	bool *headed;
	int ret = 0;

	for (unsigned i = 0; i < l->sinks_n && !ret; i++)
		ret = logsink_begin(&l->sinks[i], err);
	if (ret)
		return ret;
	headed = calloc(l->sinks_n ? l->sinks_n : 1, sizeof(*headed));
	if (!headed)
		return err_set(err, ERR_SETUP, ENOMEM, "out of memory for logs");
	for (unsigned i = 0; i < l->jobs_n && !ret; i++)
		if (l->jobs[i].binary >= 0 && logs_begin_binary(l, &l->jobs[i]) < 0)
			ret = err_set(err, ERR_SETUP, ENOMEM, "out of memory for logs");
	for (unsigned i = 0; i < l->jobs_n && !ret; i++) {
		int s = l->jobs[i].sink[LOGK_IOLOG];
		if (s < 0 || headed[s])
			continue;
		headed[s] = true;
		char *to = logsink_room(&l->sinks[s], sizeof(IOLOG_HEADER));
		if (!to) {
			ret = err_set(err, ERR_SETUP, ENOMEM, "out of memory for logs");
			break;
		}
		memcpy(to, IOLOG_HEADER, sizeof(IOLOG_HEADER) - 1);
		logsink_advance(&l->sinks[s], to + sizeof(IOLOG_HEADER) - 1);
	}
	free(headed);
	return ret;
}

static int logs_open_all(struct logs *l, const struct plan *p, const char *bandwidth_prefix,
			 struct err *err)
{
	bool keep_open = l->room <= KEEP_OPEN_MAX;
	int ret = 0;

	for (unsigned i = 0; i < l->jobs_n; i++) {
		l->jobs[i].plan = &p->jobs[i];
		logs_job_style(&l->jobs[i], p);
	}
	for (unsigned i = 0; i < l->jobs_n && !ret; i++)
		ret = logs_open_job(l, &l->jobs[i], keep_open, err);
	if (!ret)
		ret = logs_open_bandwidth(l, bandwidth_prefix, keep_open, err);
	return ret ? ret : logs_begin(l, err);
}

int logs_open(struct logs **out, const struct plan *p, const char *bandwidth_prefix,
	      struct err *err)
{
	struct logs *l = calloc(1, sizeof(*l));

	if (!l)
		return err_set(err, ERR_SETUP, ENOMEM, "out of memory for logs");
	logspool_init(&l->spool);
	l->room = DIRS;
	for (unsigned d = 0; d < DIRS; d++)
		l->bandwidth[d] = -1;
	for (unsigned i = 0; i < p->jobs_n; i++) {
		for (unsigned k = 0; k < LOGK_KINDS; k++)
			l->room += logkind_prefix(&p->jobs[i], k) != NULL;
		l->room += p->jobs[i].o->log_format == LOG_BINARY;
	}
	l->jobs = calloc(p->jobs_n ? p->jobs_n : 1, sizeof(*l->jobs));
	l->sinks = calloc(l->room, sizeof(*l->sinks));
	l->jobs_n = l->jobs ? p->jobs_n : 0;

	int ret = l->jobs && l->sinks ? logs_open_all(l, p, bandwidth_prefix, err)
				      : err_set(err, ERR_SETUP, ENOMEM, "out of memory for logs");
	if (ret) {
		logs_release(l, true);
		return ret;
	}
	*out = l;
	return 0;
}

int logs_close(struct logs *l, struct err *err)
{
	int ret = 0;

	if (!l)
		return 0;
	if (l->spool.failed)
		ret = err_set(err, ERR_IO, -l->spool.failed,
			      "cannot read back what logs put off: %s", strerror(-l->spool.failed));
	for (unsigned i = 0; i < l->sinks_n; i++) {
		int failed = logsink_finish(&l->sinks[i]);
		if (failed && !ret)
			ret = err_set(err, ERR_IO, -failed, "cannot write the log \"%s\": %s",
				      l->sinks[i].path, strerror(-failed));
	}
	logs_release(l, false);
	return ret;
}

void logs_drop(struct logs *l)
{
	if (l)
		logs_release(l, true);
}

uint64_t logs_behind(const struct logs *l)
{
	return l ? logspool_blocks(&l->spool) * LOGB_SLOTS : 0;
}
