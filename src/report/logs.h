/* Log files in fio's names and line format (spec 22): opened at plan time, written as records stream in. */
#ifndef FATHOM_REPORT_LOGS_H
#define FATHOM_REPORT_LOGS_H

#include "plan/plan.h"
#include "result/logrec.h"

struct logs;

/* Which kinds a job logs: bit 1 << LOGK_*. */
unsigned logs_kinds(const struct plan_job *pj);
/* Open all files of the plan (truncated; appended when shared by per_job_logs=0 or for write_iolog). On failure nothing stays
 * open. bandwidth_prefix: --bandwidth-log, NULL without. */
int logs_open(struct logs **out, const struct plan *p, const char *bandwidth_prefix, uint64_t wall_base_ns,
	      struct err *err);
int logs_write(struct logs *l, unsigned job, const struct log_rec *recs, unsigned n);
int logs_hist(struct logs *l, unsigned job, uint64_t time_ns, unsigned dir, uint32_t bs, const uint64_t *counts);
/* Flush and close; -errno of the first write error (words name the file). */
int logs_close(struct logs *l, struct err *err);

#endif
