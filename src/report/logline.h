/* The lines of logs: formatting of records as text (spec 22.2 to 22.7, 14.1). Own number
 * formatting: a per-I/O log writes millions of lines a second. Pure. */
#ifndef FATHOM_REPORT_LOGLINE_H
#define FATHOM_REPORT_LOGLINE_H

#include "result/logrec.h"
#include <stdbool.h>
#include <stddef.h>

struct logline_style {
	bool averaged;	   /* lines stand for windows: block size, offset and issue time are 0 */
	bool max;	   /* log_window_value=both: a column with the window's maximum */
	bool offset;	   /* log_offset */
	bool prio;	   /* log_prio: the whole priority as hex instead of 0 or 1 */
	bool issue;	   /* log_issue_time */
	uint64_t epoch_ns; /* added to the time */
};

#define LOGLINE_MAX 192

/* Write one line with newline at `to`, which has room for LOGLINE_MAX bytes; returns its end. */
char *logline_record(char *to, const struct logline_style *s, const struct log_rec *r);

/* Histogram line: counts are HIST_BUCKETS; buckets beyond fio's last are counted in that, then 1 <<
 * coarseness neighbours are one column. Room: LOGLINE_HIST_MAX. */
#define LOGLINE_HIST_MAX (96 + 1856 * 22)
char *logline_hist(char *to, const struct logline_style *s, unsigned coarseness, uint64_t time_ns,
		   unsigned dir, uint32_t bs, const uint64_t *counts);

/* Line of an iolog, version 3. Room: LOGLINE_MAX + path_len. */
char *logline_iolog(char *to, const struct log_rec *r, const char *path, size_t path_len);

#endif
