/* Inside of the JSON format: the objects "fathom". */
#ifndef FATHOM_REPORT_JSON_OWN_H
#define FATHOM_REPORT_JSON_OWN_H

#include "report/json.h"

/* The object "fathom" of a job and of the root. */
void json_job_own(struct jsonw *w, const struct result *r, const struct result_job *j,
		  const struct json_style *js);
void json_root_own(struct jsonw *w, const struct result *r, const struct json_style *js);

#endif
