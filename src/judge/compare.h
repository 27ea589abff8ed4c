/* Two sets of reports of the same jobs: what differs, how sure that is, and what it would take to
 * be sure. Pure functions over records; everything is in the arena.
 */
#ifndef FATHOM_JUDGE_COMPARE_H
#define FATHOM_JUDGE_COMPARE_H

#include "base/must_check.h"
#include "judge/record.h"

/* Reports of one configuration: one run, or repeats of it. */
struct compare_side {
	const char *label;
	const struct record **run;
	unsigned n;
};

enum compare_verdict { COMPARE_SAME, COMPARE_FASTER, COMPARE_SLOWER, COMPARE_UNKNOWN };
/* "no difference seen", "faster", "slower", "cannot tell" */
const char *compare_verdict_text(enum compare_verdict v);

/* What an interval was made of. */
enum compare_method {
	COMPARE_NOTHING,
	COMPARE_REPEATS, /* Welch's test on the repeats */
	COMPARE_SERIES,	 /* bootstrap over the steps of two runs */
	COMPARE_BINS,	 /* draws from two histograms */
	COMPARE_SAMPLES	 /* mean and deviation of fio's samples */
};
const char *compare_method_text(enum compare_method m);

enum compare_unit { COMPARE_PER_SECOND, COMPARE_BYTES_PER_SECOND, COMPARE_NS };

struct compare_row {
	const char *metric; /* "iops", "bw", "lat", "p99", "p99.9", ... */
	enum compare_unit unit;
	double a, b;		  /* values; the geometric mean of repeats */
	double change, low, high; /* percent of a; the interval only when there is a method */
	double detectable;	  /* percent: found nine times in ten; 0 unknown */
	enum compare_method method;
	enum compare_verdict verdict;
	/* When it cannot be told: what would be enough to. 0: nothing of that kind is known. */
	double run_s;	  /* run that long */
	unsigned repeats; /* or repeat that often, a side */
	const char *why;  /* words for what is missing, NULL */
};

struct compare_flow {
	const char *job, *direction;
	struct compare_row *row;
	unsigned n;
};

struct compare_difference {
	const char *job; /* NULL: of the host */
	const char *key;
	const char *a, *b; /* values, NULL: not given */
};

struct comparison {
	const struct compare_side *a, *b;
	struct compare_flow *flow;
	unsigned flows_n;
	struct compare_difference *option; /* in options that matter */
	unsigned options_n;
	struct compare_difference *host;
	unsigned hosts_n;
	const char **remark; /* jobs without a partner, failed jobs, ... */
	unsigned remarks_n;
	double resolve; /* percent */
};

struct compare_options {
	double resolve; /* percent: "no difference seen" needs that as much would have been found;
			   0: 3 */
	const char *const *allow; /* options that may differ */
	unsigned allow_n;
	bool by_place; /* jobs whose names differ are compared in order */
	uint64_t seed;
	unsigned reps; /* 0: STATS_REPS */
};

/* 0 also when options differ (see option); -ENOENT with words when no job has a partner, -ENOMEM.
 * Both sides have a run. */
MUST_CHECK int compare(const struct compare_side *a, const struct compare_side *b,
		       const struct compare_options *o, struct arena *arena, struct comparison *out,
		       struct err *err);

/* Did it get slower, by the metrics in a list such as "iops,lat,p99"; NULL: iops, bw and lat. */
bool compare_slower(const struct comparison *c, const char *metrics);

/* One metric of one record, for repeats of a run: "iops", "bw", "lat" (mean) or "p" and a
 * percentile. With a
 * histogram percentiles are told within its bins. 0: not there. */
double compare_value(const struct record_flow *f, const char *metric);

#endif
