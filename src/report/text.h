/* Texts that several formats print the same way. Pure, but for the stream that is written to;
 * errors of a stream stay in it until text_flush asks. */
#ifndef FATHOM_REPORT_TEXT_H
#define FATHOM_REPORT_TEXT_H

#include "base/must_check.h"
#include "result/result.h"
#include <stdio.h>

/* Print a user's text on one line: control characters, and those in `also`, become a blank. NULL
 * prints nothing. */
void text_plain(FILE *to, const char *s, const char *also);
/* "Mon Nov 30 09:39:10 2026", local time, at least 26 bytes. */
void text_time(uint64_t wall_ns, char *buf, size_t size);
/* The words of an errno: stable, from the C locale. */
const char *text_errno(int sys, char *buf, size_t size);
/* Length of the UTF-8 sequence at s, 1 to 4 bytes; 0 when it is none. */
unsigned text_utf8(const char *s);
/* Flush, and tell whether everything reached the stream: 0 or -errno. */
MUST_CHECK int text_flush(FILE *to);
/* Options of which a later one has the same name are not printed. */
bool text_overridden(const struct job_text *t, unsigned n, unsigned i);
/* The latency kind whose percentiles stand for a direction: total when lat_percentiles is on, else
 * completion. */
enum lat_kind text_main_kind(const struct result_style *s);
/* Are percentiles of this kind to be printed? */
bool text_percentiles_on(const struct result_style *s, enum lat_kind kind);

#endif
