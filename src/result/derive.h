/* Derived figures of a result, the only place they are computed. */
#ifndef FATHOM_RESULT_DERIVE_H
#define FATHOM_RESULT_DERIVE_H

#include "base/must_check.h"
#include "result/result.h"

/* Samples over time windows, as every format prints them. */
struct result_samples {
	uint64_t n;
	double min, max, mean, stddev;
};

/* Everything a format says about one direction of a job, derived once. */
struct result_figures {
	const struct dir_stats *stats; /* latencies and histograms */
	uint64_t bytes, ios, short_ios, drop_ios;
	uint64_t bw; /* bytes/s over the true measured time */
	double iops;
	uint64_t runtime_ns, runtime_ms;
	struct result_samples bw_samples;   /* bytes/s */
	struct result_samples iops_samples; /* I/Os per second */
	double share; /* percent: mean of bw_samples in the bandwidth of the job's group, at most
			 100 */
	struct dir_stats own; /* what stats points to for DIRS */
};

/* "size", "count", "time", "error", "signal", "device-full", ... */
const char *end_reason_name(enum end_reason r);
/* Derived figures, the only place they are computed. */
uint64_t result_bw(const struct result_job *j, unsigned dir); /* bytes/s */
double result_iops(const struct result_job *j, unsigned dir); /* true elapsed time */
/* bytes/s had it taken that long; 0 for ns 0 */
uint64_t result_bw_over(const struct result_job *j, unsigned dir, uint64_t ns);
double result_mean_depth(const struct result_job *j);
/* All directions merged into one (unified_rw_reporting). Caller releases. */
MUST_CHECK int result_unified(const struct result_job *j, struct dir_stats *out,
			      uint64_t *runtime_ns);
/* dir: DIR_*, or DIRS for all merged. Needs r->groups for the share. A run too short for a sample
 * counts as one sample (none with disable_bw_measurement). Points into j; -ENOMEM. */
MUST_CHECK int result_figures(const struct result *r, const struct result_job *j, unsigned dir,
			      struct result_figures *out);
void result_figures_release(struct result_figures *f);
/* Percents of a distribution, of the sum of its bins. What is not zero is at least `least`, so that
 * it shows. */
void result_shares(const uint64_t *bins, unsigned n, double least, double *percent);
/* How many of j->prio[] of a direction hold samples. */
unsigned result_prios(const struct result_job *j, unsigned dir);

#endif
