/* Does a series drift or jump? Both tests take the dependence of neighbours into account, as
 * intervals of a run hang together. Pure functions.
 */
#ifndef FATHOM_JUDGE_TREND_H
#define FATHOM_JUDGE_TREND_H

#include "base/must_check.h"
#include "judge/stats.h"

struct trend {
	double slope; /* per step: the median of all slopes (Theil, Sen) */
	double p; /* two-sided, of Mann and Kendall's test; its variance is grown by the correlation
		     of neighbours that is left once the slope is taken out (after Hamed and Rao
		     1998) */
};
/* -EINVAL with fewer than STATS_LEAST values, -ENOMEM. Takes n^2 steps. */
MUST_CHECK int trend_find(const struct stats_values *x, struct trend *out);

struct trend_change {
	unsigned at;	      /* first value after the change */
	double before, after; /* means on both sides */
	double p; /* of Pettitt's test (1979), with the dependence within the two parts taken into
		     account */
};
/* The most likely single change of level. -EINVAL with fewer than STATS_LEAST values, -ENOMEM. */
MUST_CHECK int trend_change(const struct stats_values *x, struct trend_change *out);

/* Does it begin on another level than it goes on with? The last four fifths are taken as what it
 * goes on with; whether those are steady is not looked at. */
struct trend_settle {
	unsigned until;	   /* values that still lie on the first side of the later level */
	double head, tail; /* medians of the first part and of the last four fifths */
	double p; /* of the best of three lengths of the first part, corrected for having looked at
		     three, with the dependence within the rest */
};
/* -EINVAL with fewer than 20 values, -ENOMEM. */
MUST_CHECK int trend_settling(const struct stats_values *x, struct trend_settle *out);

#endif
