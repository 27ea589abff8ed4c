/* The lines of logs: formatting of records as text (compatibility 22.2 to 22.7, 14.1). Own number
 * formatting: a per-I/O log writes millions of lines a second. Pure. */
#ifndef FATHOM_LOG_LOGLINE_H
#define FATHOM_LOG_LOGLINE_H

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

/* The lines of several logs about one I/O (LOGK_IO), which differ in their value only. What stays
 * the same from I/O to I/O is kept; zero it before the first. */
struct logline_io {
	bool known;
	uint8_t dir;
	uint16_t prio;
	uint32_t len;
	uint64_t ms;
	char head[32], middle[32], end[16], tail[96];
	unsigned head_n, middle_n, end_n, tail_n;
};
void logline_io_set(struct logline_io *l, const struct logline_style *s, const struct log_rec *r);
/* The line of kind's log about r, the record last set; s without issue and max. Room: LOGLINE_MAX.
 */
char *logline_io_put(char *to, const struct logline_io *l, const struct logline_style *s,
		     const struct log_rec *r, unsigned kind);

/* Histogram line: counts are HIST_BUCKETS; buckets beyond fio's last are counted in that, then 1 <<
 * coarseness neighbours are one column. Room: LOGLINE_HIST_MAX. */
#define LOGLINE_HIST_MAX (96 + 1856 * 22)
char *logline_hist(char *to, const struct logline_style *s, unsigned coarseness, uint64_t time_ns,
		   unsigned dir, uint32_t bs, const uint64_t *counts);

/* Line of an iolog, version 3. Room: LOGLINE_MAX + path_len. */
char *logline_iolog(char *to, const struct log_rec *r, const char *path, size_t path_len);

#endif
