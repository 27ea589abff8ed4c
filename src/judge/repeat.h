/* Repeats of one run: means with intervals, and whether they are narrow enough. Pure functions over
 * records. */
#ifndef FATHOM_JUDGE_REPEAT_H
#define FATHOM_JUDGE_REPEAT_H

#include "base/must_check.h"
#include "judge/compare.h"

#define REPEAT_LEAST 3 /* an interval of two is worth nothing */

struct repeat_row {
	const char *job, *direction, *metric;
	enum compare_unit unit;
	unsigned n; /* repeats that have a value */
	double mean, low, high, min, max;
	double width; /* percent: half the interval of the mean; 0 with less than two */
};

struct repeat_summary {
	unsigned n;
	const char *metric; /* what decides with automatic */
	bool automatic;	    /* until narrow enough */
	double width_asked; /* percent */
	double width; /* the widest of the metric over jobs and directions; infinite when unknown */
	bool reached; /* narrow enough; true when not automatic */
	struct repeat_row *row;
	unsigned rows_n;
};

/* Everything about n records (at least one); s->metric, automatic and width_asked are the caller's.
 * -ENOMEM. */
MUST_CHECK int repeat_summarise(const struct record *const *run, unsigned n, struct arena *arena,
				struct repeat_summary *s);

#endif
