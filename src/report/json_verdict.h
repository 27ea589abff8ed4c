/* Inside of the JSON format: the verdict. */
#ifndef FATHOM_REPORT_JSON_VERDICT_H
#define FATHOM_REPORT_JSON_VERDICT_H

#include "report/json.h"

/* Members of the job's: the verdict, what the watcher saw, latencies of the undisturbed seconds. */
void json_verdict(struct jsonw *w, const struct result *r, const struct result_job *j,
		  const struct json_style *js);

#endif
