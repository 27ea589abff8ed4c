/* Single I/Os into their logs: blocks as they are into a binary log, or as a line in each text log.
 * Where workers are faster than lines are made, blocks are put off (log/logspool.h) rather than
 * workers held up. */
#include "log/logs_own.h"
#include "log/logs_ios.h"

#include <errno.h>

int logs_io_failure(const struct logs *l, const struct log_job *j)
{
	int ret = 0;

	if (j->binary >= 0)
		logs_note(&ret, &l->sinks[j->binary]);
	for (unsigned k = LOGK_BW; k <= LOGK_LAT; k++)
		if (j->sink[k] >= 0)
			logs_note(&ret, &l->sinks[j->sink[k]]);
	return ret;
}

/* Full blocks lie one behind the other, as in the file. */
static void logs_ios_write_binary(struct logsink *s, const struct log_block *b, unsigned n)
{
	for (unsigned i = 0, end; i < n; i = end) {
		size_t bytes = logb_bytes(&b[i]);
		for (end = i + 1; end < n && b[end - 1].slots == LOGB_SLOTS; end++)
			bytes += logb_bytes(&b[end]);
		logsink_put(s, &b[i], bytes);
	}
}

struct text_log {
	struct logsink *sink;
	unsigned kind;
	char *to;
};

static char *logs_ios_put_line(char *to, const struct log_job *j, const struct log_rec *r,
			       unsigned kind)
{
	if (!j->style.issue)
		return logline_io_put(to, &j->io, &j->style, r, kind);
	struct log_rec line = *r;
	line.kind = (uint8_t)kind;
	line.value = logrec_value(r, kind);
	return logline_record(to, &j->style, &line);
}

static void logs_ios_write_text(struct logs *l, struct log_job *j, const struct log_block *b)
{
	struct text_log log[LOGK_KINDS];
	unsigned n = 0;

	_Static_assert(LOGB_SLOTS * LOGLINE_MAX <= LOGSINK_BUFFER, "room for a block");
	for (unsigned k = LOGK_BW; k <= LOGK_LAT; k++) {
		if (!(j->each >> k & 1) || j->sink[k] < 0)
			continue;
		log[n] = (struct text_log){.sink = &l->sinks[j->sink[k]], .kind = k};
		log[n].to = logsink_room(log[n].sink, LOGB_SLOTS * LOGLINE_MAX);
		n += log[n].to != NULL;
	}
	for (unsigned at = 0; at < b->slots;) {
		struct log_rec r;
		logb_get(b, &at, &r);
		if (!j->style.issue)
			logline_io_set(&j->io, &j->style, &r);
		for (unsigned i = 0; i < n; i++)
			log[i].to = logs_ios_put_line(log[i].to, j, &r, log[i].kind);
	}
	for (unsigned i = 0; i < n; i++)
		logsink_advance(log[i].sink, log[i].to);
}

/* A file of the job, whose folder has room for logs. */
static const char *logs_ios_a_path(const struct logs *l, const struct log_job *j)
{
	for (unsigned k = LOGK_BW; k <= LOGK_LAT; k++)
		if (j->sink[k] >= 0)
			return l->sinks[j->sink[k]].path;
	return NULL;
}

int logs_ios(struct logs *l, unsigned job, const struct log_block *blocks, unsigned n, bool hurry)
{
	if (job >= l->jobs_n)
		return -EINVAL;
	struct log_job *j = &l->jobs[job];
	if (j->binary >= 0) {
		logs_ios_write_binary(&l->sinks[j->binary], blocks, n);
		return logs_io_failure(l, j);
	}
	/* The order of lines stays: behind what was put off, all is. */
	if ((hurry || logspool_blocks(&l->spool)) &&
	    logspool_put(&l->spool, logs_ios_a_path(l, j), blocks, n))
		return logs_io_failure(l, j);
	while (logs_idle(l))
		;
	for (unsigned i = 0; i < n; i++)
		logs_ios_write_text(l, j, &blocks[i]);
	return logs_io_failure(l, j);
}

bool logs_idle(struct logs *l)
{
	const struct log_block *b;
	unsigned n = logspool_take(&l->spool, &b);

	for (unsigned i = 0; i < n; i++)
		if (b[i].job < l->jobs_n)
			logs_ios_write_text(l, &l->jobs[b[i].job], &b[i]);
	return n != 0;
}
