/* A report read back from JSON, ours or fio's, in a shape that can be compared. Everything is in
 * the arena. Nothing of a file is trusted: numbers that nothing can have measured count as
 * unknown, lists are cut at the sizes below.
 */
#ifndef FATHOM_JUDGE_RECORD_H
#define FATHOM_JUDGE_RECORD_H

#include "base/direction.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/must_check.h"
#include "judge/stats.h"
#include "result/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_BYTES_MOST  (256u << 20) /* of a file */
#define RECORD_PERCENTILES 24
#define RECORD_BINS	   65536

/* In the order of direction_name. */
enum record_dir { RECORD_READ, RECORD_WRITE, RECORD_TRIM, RECORD_MIXED, RECORD_DIRS };
_Static_assert((int)RECORD_MIXED == (int)DIRS, "direction_name names them");
enum record_series { RECORD_IOPS, RECORD_BW, RECORD_LAT, RECORD_SERIES };

struct record_pair {
	const char *key, *value;
};

struct record_pairs {
	struct record_pair *v;
	unsigned n;
};

struct record_bin {
	double ns;
	double count;
};

/* One latency object. */
struct record_lat {
	double mean, stddev, n; /* n 0: not measured */
	unsigned percentiles_n, bins_n;
	double percentile[RECORD_PERCENTILES], percentile_ns[RECORD_PERCENTILES]; /* ascending */
	struct record_bin *bin; /* ascending, NULL without json+ */
};

/* Samples of which only the sums are known. */
struct record_samples {
	double mean, stddev, n;
};

struct record_flow {
	double ios; /* 0: the direction was not used */
	double iops, bw /* bytes/s */, runtime_s;
	struct record_lat lat;	/* total */
	struct record_lat clat; /* completion */
	struct record_samples iops_samples, bw_samples;
	struct stats_values series[RECORD_SERIES]; /* in time; n 0: none */
};

struct record_job {
	const char *name;
	double error;
	struct record_pairs options; /* the job's and the global ones, the last of a name */
	struct record_flow flow[RECORD_DIRS];
};

struct record {
	const char *file;
	const char *tool;	  /* "fio-3.33" */
	bool ours;		  /* written by Fathom */
	struct record_pairs host; /* "kernel", "device vda scheduler", ...; empty when not told */
	struct record_job *jobs;
	unsigned jobs_n;
};

struct record_list {
	struct record *v;
	unsigned n;
};

/* The same of a file. -errno. */
MUST_CHECK int record_read(const char *file, struct arena *a, struct record_list *out,
			   struct err *err);

/* NULL when it is not there. */
const char *record_pair(const struct record_pairs *p, const char *key);

#endif
