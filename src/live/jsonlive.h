/* Live numbers: one line of JSON an interval (docs/live.md). */
#ifndef FATHOM_LIVE_JSONLIVE_H
#define FATHOM_LIVE_JSONLIVE_H

#include "base/must_check.h"
#include "result/progress.h"
#include "result/result.h"
#include <stdio.h>

struct json_live; /* what the last line said, so that the next one tells the difference */

MUST_CHECK struct json_live *json_live_new(void); /* NULL without memory */
void json_live_free(struct json_live *l);
/* One line, with its newline: everything since the last call, so that the intervals of all lines
 * sum up to the totals also when a line could not be had. p may be NULL (nothing was started);
 * dropped: lines that could not be had so far. 0, or -errno when memory is short or the stream
 * failed. */
MUST_CHECK int json_live_line(struct json_live *l, const struct result *r, const struct progress *p,
			      uint64_t dropped, FILE *to);

#endif
