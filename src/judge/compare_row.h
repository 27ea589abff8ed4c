/* Inside of compare: one metric of two flows. */
#ifndef FATHOM_JUDGE_COMPARE_ROW_H
#define FATHOM_JUDGE_COMPARE_ROW_H

#include "base/must_check.h"
#include "judge/compare.h"

/* The same direction of the same job in each run of a side. */
struct flow_set {
	const struct record_flow **flow;
	unsigned n;
};

/* Which latency object stands for a flow: the one with percentiles, completion first; for means the
 * total one. */
const struct record_lat *flow_percentiles(const struct record_flow *f);
const struct record_lat *flow_latency(const struct record_flow *f);
/* The value of a percentile that the report gives, 0 when it does not. */
double flow_percentile(const struct record_flow *f, double p);

enum row_kind { ROW_IOPS, ROW_BW, ROW_LAT, ROW_PERCENTILE };
/* Fill the numbers and the verdict of a row. -ENOMEM. */
MUST_CHECK int row_judge(const struct flow_set *a, const struct flow_set *b, enum row_kind kind,
			 double percentile, const struct compare_options *o, struct arena *arena,
			 struct compare_row *out);

#endif
