/* The running state as a page of metrics, in the OpenMetrics text format that Prometheus scrapes or
 * in the older one that collectors of text files read. */
#ifndef FATHOM_LIVE_OPENMETRICS_H
#define FATHOM_LIVE_OPENMETRICS_H

#include "base/must_check.h"
#include "result/progress.h"
#include "result/result.h"
#include <stdio.h>

#define OPENMETRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

enum openmetrics_format {
	OPENMETRICS_1_0,	/* to "# EOF" */
	OPENMETRICS_PROMETHEUS, /* Prometheus text 0.0.4: no info, no units, no end */
};

/* One page. p may be NULL before the start. 0, or -errno when the stream failed. */
MUST_CHECK int openmetrics_print(const struct result *r, const struct progress *p,
				 enum openmetrics_format format, FILE *to);

#endif
