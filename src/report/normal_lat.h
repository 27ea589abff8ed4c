/* Inside of the normal format: latencies. */
#ifndef FATHOM_REPORT_NORMAL_LAT_H
#define FATHOM_REPORT_NORMAL_LAT_H

#include "result/result.h"
#include <stdio.h>

/* "    clat (usec): min=..": one line in the unit that fits. `name` is padded by the caller.
 * Nothing without samples. */
void normal_latency(const char *name, const struct runstat *m, FILE *to);
/* The percentile table of a histogram under the title "<name> percentiles". */
void normal_percentiles(const char *name, const struct hist *h, const struct runstat *m,
			const struct result_style *s, FILE *to);

#endif
