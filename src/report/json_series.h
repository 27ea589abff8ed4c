/* Inside of the JSON format: what a job did in time, and the machine. */
#ifndef FATHOM_REPORT_JSON_SERIES_H
#define FATHOM_REPORT_JSON_SERIES_H

#include "report/json.h"

/* Members of these: what a job did in steps of time; the machine (nothing when it is not known). */
void json_series(struct jsonw *w, const struct result_job *j);
void json_host(struct jsonw *w, const struct result *r);

#endif
