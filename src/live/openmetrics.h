/* The running state in the OpenMetrics text format, version 1.0.0: what Prometheus scrapes. */
#ifndef FATHOM_LIVE_OPENMETRICS_H
#define FATHOM_LIVE_OPENMETRICS_H

#include "base/must_check.h"
#include "result/progress.h"
#include "result/result.h"
#include <stdio.h>

#define OPENMETRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* One exposition, to "# EOF". p may be NULL before the start. 0, or -errno when the stream failed.
 */
MUST_CHECK int openmetrics_print(const struct result *r, const struct progress *p, FILE *to);

#endif
