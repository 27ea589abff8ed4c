/* The contract of an output format. Formats get values and a stream; they never look at plan or run. */
#ifndef FATHOM_REPORT_FORMAT_H
#define FATHOM_REPORT_FORMAT_H

#include "result/result.h"
#include <stdio.h>

struct format_options {
	unsigned terse_version; /* 2..5 */
	bool json_plus;
};

struct format {
	const char *name, *help;
	/* One result; `index` counts snapshots of this run from 0, `final` is in the result. */
	int (*result)(const struct result *r, const struct format_options *fo, unsigned index, FILE *to);
};

extern const struct format format_normal, format_terse, format_json;
const struct format *format_find(const char *name); /* "normal", "terse", "minimal", "csv", "json", "json+" */

#endif
