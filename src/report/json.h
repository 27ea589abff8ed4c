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

#endif
