/* Log files in fio's names and line format (compatibility 22): opened at plan time, written as
 * records stream in. */
#ifndef FATHOM_LOG_LOGS_H
#define FATHOM_LOG_LOGS_H

#include "base/must_check.h"
#include "plan/plan.h"
#include "result/logblock.h"

struct logs;

/* Open all files of the plan (truncated; appended when shared by per_job_logs=0 or for
 * write_iolog). On failure nothing stays open, nothing was truncated and no new file remains.
 * bandwidth_prefix: --bandwidth-log ("agg"), NULL without.
 *
 * The times of jobs with log_alternate_epoch are realtime already; those that ask for another clock
 * (log_alternate_epoch_clock_id) get its reading at that moment. */
MUST_CHECK int logs_open(struct logs **out, const struct plan *p, const char *bandwidth_prefix,
			 struct err *err);
/* About how many I/Os were put off; they are lost at logs_close(). */
uint64_t logs_behind(const struct logs *l);
/* Flush and close; -errno of the first write error (words name the file). l may be NULL. */
MUST_CHECK int logs_close(struct logs *l, struct err *err);
/* The same when nothing was run: earlier logs of these names stay. */
void logs_drop(struct logs *l);

#endif
