/* A finding in JSON: the same keys before a run (doctor) and after it (verdict). */
#ifndef FATHOM_REPORT_JSON_FINDING_H
#define FATHOM_REPORT_JSON_FINDING_H

#include "base/finding.h"
#include "report/jsonw.h"

/* {"code", "title", "subject", "severity", "evidence", "effect", "effect_measured", "seconds",
 * "remedy": [lines]}; word: that of the severity, before or after a run. */
void json_finding(struct jsonw *w, const struct finding *f, const char *word);

#endif
