/* Log files in fio's names and line format (compatibility 22): opened at plan time, written as
 * records stream in. */
#ifndef FATHOM_LOG_LOGS_H
#define FATHOM_LOG_LOGS_H

#include "base/must_check.h"
#include "plan/plan.h"
#include "result/logblock.h"

struct logs;

/* Which kinds a job logs: bit 1 << LOGK_*. */
unsigned logs_kinds(const struct plan_job *pj);
/* Open all files of the plan (truncated; appended when shared by per_job_logs=0 or for
 * write_iolog). On failure nothing stays open, nothing was truncated and no new file remains.
 * bandwidth_prefix: --bandwidth-log ("agg"), NULL without.
 *
 * The times of jobs with log_alternate_epoch are realtime already; those that ask for another clock
 * (log_alternate_epoch_clock_id) get its reading at that moment. */
MUST_CHECK int logs_open(struct logs **out, const struct plan *p, const char *bandwidth_prefix,
			 struct err *err);
/* job UINT_MAX: sums of all jobs for the bandwidth log. One thread at a time. -errno of the first
 * failure of a file concerned; later records for that file are dropped. Lines of windows reach the
 * file at once, those of single I/Os in large pieces. */
MUST_CHECK int logs_write(struct logs *l, unsigned job, const struct log_rec *recs, unsigned n);
/* Single I/Os of a job, as logs_write(). hurry: take them without the work of making text of them,
 * which is put off where that can be. */
MUST_CHECK int logs_ios(struct logs *l, unsigned job, const struct log_block *blocks, unsigned n,
			bool hurry);
/* Do some of what was put off; false when there is nothing. */
bool logs_idle(struct logs *l);
/* About how many I/Os were put off; they are lost at logs_close(). */
uint64_t logs_behind(const struct logs *l);
/* Lines of the histogram log of a job, as logs_write(). */
MUST_CHECK int logs_hists(struct logs *l, unsigned job, const struct log_hist *hists, unsigned n);
/* Flush and close; -errno of the first write error (words name the file). l may be NULL. */
MUST_CHECK int logs_close(struct logs *l, struct err *err);
/* The same when nothing was run: earlier logs of these names stay. */
void logs_drop(struct logs *l);

#endif
