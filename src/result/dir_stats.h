/* What one worker counts for one direction; plain single-writer numbers, merged after the run. */
#ifndef FATHOM_RESULT_DIR_STATS_H
#define FATHOM_RESULT_DIR_STATS_H

#include "base/hist.h"
#include "base/runstat.h"
#include "base/direction.h"
#include "base/must_check.h"
#include <stdbool.h>
#include <stdint.h>

enum lat_kind {
	LAT_SUBMIT,
	LAT_COMPLETE,
	LAT_TOTAL,
	LAT_SCHEDULE /* from the scheduled start, rates only */,
	LAT_KINDS
};

struct dir_stats {
	uint64_t ios, bytes;
	uint64_t short_ios, drop_ios;
	struct runstat lat[LAT_KINDS]; /* n == 0: kind not measured */
	struct hist *hist[LAT_KINDS];  /* NULL: no percentiles of that kind */
	struct runstat bw;	       /* samples per window, bytes/s */
	struct runstat iops;	       /* samples per window, milli-I/Os per second */
};

/* Empty, no histograms. */
void dir_stats_init(struct dir_stats *t);
/* Add `from` to `to` as group_reporting does (compatibility 17.8): I/Os, bytes and latencies merge;
 * the samples of bw and iops, taken side by side, add up (minimum + minimum, mean + mean).
 * Histograms of `to` are allocated when missing. -ENOMEM leaves `to` releasable but incomplete. */
MUST_CHECK int dir_stats_merge(struct dir_stats *to, const struct dir_stats *from);
void dir_stats_release(struct dir_stats *t); /* frees the histograms */

/* fio's distribution of depths: 1, 2-3, 4-7, 8-15, 16-31, 32-63, >= 64; and of batch sizes: 0, 1-4,
 * 5-8, 9-16, 17-32, 33-64, > 64 */
#define DEPTH_BINS 7
static inline unsigned depth_bin(unsigned depth)
{
	if (depth >= 64)
		return 6;
	return depth < 2 ? 0 : 31u - (unsigned)__builtin_clz(depth);
}
static inline unsigned batch_bin(unsigned n)
{
	if (n <= 4)
		return n ? 1 : 0;
	if (n > 64)
		return 6;
	return 31u - (unsigned)__builtin_clz(n - 1); /* 5-8: 2, 9-16: 3, 17-32: 4, 33-64: 5 */
}

struct prio_stats {
	uint16_t prio; /* kernel value */
	uint8_t dir;
	bool used;
	struct runstat lat;
	struct hist *hist;
};
#define PRIO_STATS_MAX 8

#endif
