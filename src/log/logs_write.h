/* Log files: lines of windows and histograms. */
#ifndef FATHOM_LOG_LOGS_WRITE_H
#define FATHOM_LOG_LOGS_WRITE_H

#include "base/must_check.h"
#include "log/logs.h"

/* job UINT_MAX: sums of all jobs for the bandwidth log. One thread at a time. -errno of the first
 * failure of a file concerned; later records for that file are dropped. Lines of windows reach the
 * file at once, those of single I/Os in large pieces. */
MUST_CHECK int logs_write(struct logs *l, unsigned job, const struct log_rec *recs, unsigned n);
/* Lines of the histogram log of a job, as logs_write(). */
MUST_CHECK int logs_hists(struct logs *l, unsigned job, const struct log_hist *hists, unsigned n);

#endif
