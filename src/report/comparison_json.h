/* Comparisons for programs. */
#ifndef FATHOM_REPORT_COMPARISON_JSON_H
#define FATHOM_REPORT_COMPARISON_JSON_H

#include "judge/compare.h"
#include "report/jsonw.h"

/* {"comparisons": [{"baseline", "now", "options", "host", "remarks", "rows": [...]}]} */
void comparison_json(const struct comparison *c, unsigned n, FILE *to);
/* One comparison as a member of what is open. */
void comparison_member(struct jsonw *w, const char *key, const struct comparison *c);

#endif
