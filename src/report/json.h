/* Inside of the JSON format (compatibility 21): its objects, each written as one member of what is
 * open. */
#ifndef FATHOM_REPORT_JSON_H
#define FATHOM_REPORT_JSON_H

#include "base/must_check.h"
#include "report/jsonw.h"
#include "result/result.h"

struct repeat_summary;
struct comparison;

struct json_style {
	bool bins;			      /* json+ */
	const struct repeat_summary *summary; /* NULL: none */
	const struct comparison *comparison;  /* NULL: none */
};

/* A latency object. Percentiles (and bins) only when asked for and there are samples. */
void json_latency(struct jsonw *w, const char *key, const struct runstat *m, const struct hist *h,
		  const struct result_style *s, bool percentiles, const struct json_style *js);
/* A direction object; dir DIRS: "mixed". */
MUST_CHECK int json_direction(struct jsonw *w, const struct result *r, const struct result_job *j,
			      unsigned dir, const struct json_style *js);
/* The object "fathom" of a job and of the root. */
void json_job_own(struct jsonw *w, const struct result *r, const struct result_job *j,
		  const struct json_style *js);
/* Members of the job's: the verdict, what the watcher saw, latencies of the undisturbed seconds. */
void json_verdict(struct jsonw *w, const struct result *r, const struct result_job *j,
		  const struct json_style *js);
/* Members of these: what a job did in steps of time; the machine (nothing when it is not known). */
void json_series(struct jsonw *w, const struct result_job *j);
void json_host(struct jsonw *w, const struct result *r);
void json_root_own(struct jsonw *w, const struct result *r, const struct json_style *js);

#endif
