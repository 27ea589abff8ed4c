/* How sure a mean is, and a difference of means: intervals for series whose values hang together in
 * time, and for repeats. Pure functions; what is random comes from the seed. Units are the
 * caller's.
 *
 * Intervals of series are studentised bootstrap intervals, post-blackened (Davison, Hinkley:
 * Bootstrap Methods and their Application, 1997, section 8.2): a first-order autoregression takes
 * out most of the dependence, its residuals are drawn in blocks whose length follows Politis and
 * White (2004, with the correction of 2009), the series is built again from them, and the interval
 * is the symmetric one of the studentised mean. Plain block bootstraps cover the truth too seldom
 * with some sixty values; this one does not (tests/unit/judge/stats_test.c).
 *
 * Intervals of ratios are made at 96 % rather than 95 %, so that of comparisons of equals really at
 * most one in twenty is called a difference.
 */
#ifndef FATHOM_JUDGE_STATS_H
#define FATHOM_JUDGE_STATS_H

#include "base/must_check.h"
#include <stdbool.h>
#include <stdint.h>

#define STATS_REPS  1999 /* draws of a bootstrap: (reps + 1) x 0.04 and x 0.05 are whole */
#define STATS_LEAST 8	 /* fewer values of a series say nothing about their dependence */

/* Values in order of time, or one value a repeat. */
struct stats_values {
	const double *v;
	unsigned n;
};

struct stats_interval {
	double value;	  /* the estimate */
	double low, high; /* 95 % interval; of a ratio 96 %, see below */
	double se;	  /* standard error the interval was made of */
	double df;	  /* degrees of freedom when it is Student's, else 0 */
};

double stats_mean(const struct stats_values *x);
double stats_variance(const struct stats_values *x); /* of a sample: n - 1; 0 with less than two */
/* Correlation of neighbours, corrected for the bias of short series (Kendall 1954), in [0, 0.97]:
 * values that alternate are taken as independent, which errs on the safe side. 0 with fewer than
 * STATS_LEAST values or without variance. */
double stats_rho(const struct stats_values *x);
/* How many independent values the series is worth for its mean: n (1 - rho) / (1 + rho), at
 * least 1. */
double stats_effective(const struct stats_values *x);
/* Block length of Politis and White for the circular block bootstrap, in 1..n/3. */
unsigned stats_block_length(const struct stats_values *x);

/* Mean of a series. -EINVAL with fewer than STATS_LEAST values, -ENOMEM. */
MUST_CHECK int stats_series_mean(const struct stats_values *x, unsigned reps, uint64_t seed,
				 struct stats_interval *out);
/* log(mean b / mean a) of two series that were taken independently. -EINVAL with fewer than
 * STATS_LEAST values of one of them or a mean that is not above 0. -ENOMEM. */
MUST_CHECK int stats_series_ratio(const struct stats_values *a, const struct stats_values *b,
				  unsigned reps, uint64_t seed, struct stats_interval *out);

/* Mean of repeats, by Student's t. -EINVAL with less than two. */
MUST_CHECK int stats_repeats_mean(const struct stats_values *x, struct stats_interval *out);
/* log(geometric mean of b / geometric mean of a) of repeats by Welch's t test. One side may be a
 * single run: it is given the spread of the other. -EINVAL when neither has two, or with a value
 * that is not above 0. */
MUST_CHECK int stats_repeats_ratio(const struct stats_values *a, const struct stats_values *b,
				   struct stats_interval *out);

/* The difference that would be found nine times in ten, from the standard error and degrees of
 * freedom (0: many). */
double stats_detectable(double se, double df);
/* By which factor the measurements on both sides have to grow for a difference of `want` to be
 * found nine times in ten; at least 1. want > 0, in the unit of se. */
double stats_more(double se, double want);
/* How many repeats a side are needed for that, each with the standard deviation `sd`; 2..10000. */
unsigned stats_repeats_needed(double sd, double want);

#endif
