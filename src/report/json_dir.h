/* Inside of the JSON format: directions and latencies. */
#ifndef FATHOM_REPORT_JSON_DIR_H
#define FATHOM_REPORT_JSON_DIR_H

#include "base/must_check.h"
#include "report/json.h"

/* A latency object. Percentiles (and bins) only when asked for and there are samples. */
void json_latency(struct jsonw *w, const char *key, const struct runstat *m, const struct hist *h,
		  const struct result_style *s, bool percentiles, const struct json_style *js);
/* A direction object; dir DIRS: "mixed". */
MUST_CHECK int json_direction(struct jsonw *w, const struct result *r, const struct result_job *j,
			      unsigned dir, const struct json_style *js);

#endif
