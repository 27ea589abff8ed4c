/* What a job did between two states of a running run: the difference of two results. */
#ifndef FATHOM_RESULT_INTERVAL_H
#define FATHOM_RESULT_INTERVAL_H

#include "result/result.h"

/* A state to compare with. All zero: before the first I/O. */
struct interval_mark {
	uint64_t ios[DIRS], bytes[DIRS];
	uint64_t lat_n[DIRS], lat_sum[DIRS];
	uint64_t ramp_ios, ramp_bytes;
	struct hist *hist[DIRS]; /* completion latencies; NULL: none so far */
};

/* One direction; measured I/Os only, as in every total. */
struct interval_dir {
	uint64_t ios, bytes;
	double iops;
	uint64_t bw;	   /* bytes/s */
	uint64_t lat_n;	   /* completion latencies; 0: none, or not measured */
	double lat_mean;   /* ns */
	bool has_hist;	   /* without: no p50, p99 and max */
	uint64_t p50, p99; /* ns, within the error of the histogram */
	uint64_t max;	   /* ns, the upper end of its bucket */
};

/* From the mark to `to`, over `ns`. */
void interval_dir(const struct interval_mark *from, const struct result_job *to, unsigned dir,
		  uint64_t ns, struct interval_dir *out);
/* I/Os and bytes of the ramp between the two, all directions. */
void interval_ramp(const struct interval_mark *from, const struct result_job *to, uint64_t *ios,
		   uint64_t *bytes);
/* Remember this state. On -ENOMEM the mark is usable but its latencies are those of before. */
int interval_mark_set(struct interval_mark *m, const struct result_job *j);
void interval_mark_release(struct interval_mark *m);

#endif
