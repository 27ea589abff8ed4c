/* The live status line (compatibility 19): jobs and their letters, progress, rates since the
 * previous line, time left. Pure: the caller writes it, and keeps the struct, zeroed at first, from
 * line to line.
 */
#ifndef FATHOM_REPORT_STATUS_H
#define FATHOM_REPORT_STATUS_H

#include "base/str.h"
#include "result/progress.h"

struct status_line {
	struct progress last; /* rates are since the previous line */
	bool have_last;
	unsigned width; /* of the longest line so far, for padding */
	bool bits;	/* unit_base=1 */
	unsigned kb_base;
};

/* Text without CR or newline, padded to erase the previous one. */
void status_line(struct status_line *s, const struct progress *p, struct str *out);

#endif
