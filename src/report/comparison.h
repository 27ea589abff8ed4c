/* A comparison of reports as text: an aligned table, Markdown, or JSON. */
#ifndef FATHOM_REPORT_COMPARISON_H
#define FATHOM_REPORT_COMPARISON_H

#include "base/must_check.h"
#include "judge/compare.h"
#include <stdio.h>

enum comparison_format { COMPARISON_TABLE, COMPARISON_MARKDOWN, COMPARISON_JSON };

/* The sides, what differs in options and host, remarks, the rows. All comparisons have the same
 * side a. JSON: one document for all of them. 0 or -EIO. */
MUST_CHECK int comparison_print(const struct comparison *c, unsigned n, enum comparison_format f,
				FILE *to);
/* A value with its unit, as people write it. */
void comparison_value(double v, enum compare_unit unit, char *buf, size_t size);
/* Only what differs in options and host, for a refusal; a line each, each after `indent`. */
void comparison_differences(const struct comparison *c, const char *indent, FILE *to);

#endif
