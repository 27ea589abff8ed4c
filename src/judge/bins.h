/* Inside of compare: percentiles from histograms. */
#ifndef FATHOM_JUDGE_BINS_H
#define FATHOM_JUDGE_BINS_H

#include "base/must_check.h"
#include "judge/compare_row.h"

/* The same from the histogram, within bins too; 0 without one. */
double bins_percentile(const struct record_lat *l, double p);
/* log(b / a) of a percentile, from histograms: draws of where the quantile of as many values would
 * lie. `spread` says how many values are worth one independent value, at least 1. -EINVAL when
 * there are too few values beyond the percentile, -ENOMEM. */
MUST_CHECK int bins_ratio(const struct record_lat *a, double spread_a, const struct record_lat *b,
			  double spread_b, double percentile, const struct compare_options *o,
			  struct stats_interval *out);

#endif
