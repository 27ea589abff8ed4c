/* Latency histogram: log-linear, 64 buckets a power of two, fio's geometry (values below 128 exact;
 * documented in fio's HOWTO and compatibility 17.3) carried on from 2^34 to 2^42 ns (73 minutes).
 * Single writer; merge is addition.
 */
#ifndef FATHOM_BASE_HIST_H
#define FATHOM_BASE_HIST_H

#include <stddef.h>
#include <stdint.h>

#define HIST_GROUPS	 37
#define HIST_BUCKETS	 (HIST_GROUPS * 64) /* 2368 */
#define HIST_FIO_BUCKETS (29 * 64)	    /* what fio's histogram logs print */

struct hist {
	uint64_t n; /* for the caller: samples counted beside, hist_add() leaves it alone; merge
		       adds it */
	uint64_t bucket[HIST_BUCKETS];
};

static inline unsigned hist_index(uint64_t v)
{
	if (v < 128)
		return (unsigned)v;
	unsigned msb = 63u - (unsigned)__builtin_clzll(v), shift = msb - 6;
	unsigned i = ((shift + 1) << 6) + (unsigned)((v >> shift) & 63);
	return i < HIST_BUCKETS ? i : HIST_BUCKETS - 1;
}

static inline void hist_add(struct hist *h, uint64_t v)
{
	h->bucket[hist_index(v)]++;
}

uint64_t hist_low(unsigned index); /* lowest value of a bucket */
uint64_t
hist_width(unsigned index); /* number of values in it (the last takes all beyond as well) */
uint64_t hist_value(unsigned index); /* representative: exact, or the midpoint as fio has it */
void hist_merge(struct hist *to, const struct hist *from);
uint64_t hist_count(const struct hist *h); /* sum of all buckets */
/* Representative of the first bucket whose cumulative count >= p / 100 x n, clamped to [min, max];
 * p = 100 gives max. 0 when empty. */
uint64_t hist_percentile(const struct hist *h, double p, uint64_t min, uint64_t max);

/* Exact distribution bins of the normal output (compatibility 17.4): upper labels 2 4 10 20 50 100
 * 250 500 750 1000 in ns, us, ms, then 2000 ms and >= 2000. Counted beside the histogram because
 * some limits fall inside a bucket. */
#define HIST_LAT_BINS 32
extern const uint8_t hist_lat_first[HIST_BUCKETS]; /* bin of the lowest value of each bucket */
extern const uint64_t
	hist_lat_limit[HIST_LAT_BINS]; /* first value beyond each bin, ns; the last is UINT64_MAX */
/* The bin of ns whose bucket is `index`; a bucket holds at most one limit. */
static inline unsigned hist_lat_bin(unsigned index, uint64_t ns)
{
	unsigned b = hist_lat_first[index];
	return b + ((ns >= hist_lat_limit[b]) & (b < HIST_LAT_BINS - 1));
}

#endif
