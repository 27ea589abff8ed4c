#include "base/hist.h"

#include <assert.h>
#include <math.h>

/* hist_index() as a constant expression, for v >= 128 (and defined below, where it is not used). */
#define SHIFT(v) (57u - (unsigned)__builtin_clzll((v) | 128))
#define INDEX(v) (((SHIFT(v) + 1) << 6) + (unsigned)((v) >> SHIFT(v) & 63))
/* The first bucket whose lowest value is at or beyond the limit v. */
#define FROM(v)	    ((v) <= 128 ? (unsigned)(v) : INDEX((uint64_t)(v)-1) + 1)
#define BIN(lo, hi) [FROM(lo)... FROM(hi) - 1]
#define US(v)	    ((v)*UINT64_C(1000))
#define MS(v)	    ((v)*UINT64_C(1000000))

const uint64_t hist_lat_limit[HIST_LAT_BINS] = {
	2,	 4,	  10,	   20,	     50,      100,	250,	  500,
	750,	 1000,	  US(2),   US(4),    US(10),  US(20),	US(50),	  US(100),
	US(250), US(500), US(750), US(1000), MS(2),   MS(4),	MS(10),	  MS(20),
	MS(50),	 MS(100), MS(250), MS(500),  MS(750), MS(1000), MS(2000), UINT64_MAX,
};

const uint8_t hist_lat_first[HIST_BUCKETS] = {
	BIN(0, 2) = 0,
	BIN(2, 4) = 1,
	BIN(4, 10) = 2,
	BIN(10, 20) = 3,
	BIN(20, 50) = 4,
	BIN(50, 100) = 5,
	BIN(100, 250) = 6,
	BIN(250, 500) = 7,
	BIN(500, 750) = 8,
	BIN(750, US(1)) = 9,
	BIN(US(1), US(2)) = 10,
	BIN(US(2), US(4)) = 11,
	BIN(US(4), US(10)) = 12,
	BIN(US(10), US(20)) = 13,
	BIN(US(20), US(50)) = 14,
	BIN(US(50), US(100)) = 15,
	BIN(US(100), US(250)) = 16,
	BIN(US(250), US(500)) = 17,
	BIN(US(500), US(750)) = 18,
	BIN(US(750), MS(1)) = 19,
	BIN(MS(1), MS(2)) = 20,
	BIN(MS(2), MS(4)) = 21,
	BIN(MS(4), MS(10)) = 22,
	BIN(MS(10), MS(20)) = 23,
	BIN(MS(20), MS(50)) = 24,
	BIN(MS(50), MS(100)) = 25,
	BIN(MS(100), MS(250)) = 26,
	BIN(MS(250), MS(500)) = 27,
	BIN(MS(500), MS(750)) = 28,
	BIN(MS(750), MS(1000)) = 29,
	BIN(MS(1000), MS(2000)) = 30,
	[FROM(MS(2000))... HIST_BUCKETS - 1] = 31,
};

uint64_t hist_low(unsigned index)
{
	assert(index < HIST_BUCKETS);
	if (index < 128)
		return index;
	return (uint64_t)(64 + (index & 63)) << ((index >> 6) - 1);
}

uint64_t hist_width(unsigned index)
{
	assert(index < HIST_BUCKETS);
	return index < 128 ? 1 : UINT64_C(1) << ((index >> 6) - 1);
}

uint64_t hist_value(unsigned index)
{
	assert(index < HIST_BUCKETS);
	return hist_low(index) + hist_width(index) / 2;
}

void hist_merge(struct hist *to, const struct hist *from)
{
	assert(to != from);
	to->n += from->n;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
}

uint64_t hist_count(const struct hist *h)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		n += h->bucket[i];
	return n;
}

/* How many samples lie at or below percentile p of n, as a number that need not be whole. What is
 * whole up to the rounding of p, such as 99.9 % of 1000, is made so: one sample more would be
 * another bucket. */
static long double hist_rank(double p, uint64_t n)
{
	long double want = (long double)p * (long double)n / 100, whole = roundl(want);

	return fabsl(want - whole) <= whole * 1e-9L ? whole : want;
}

uint64_t hist_percentile(const struct hist *h, double p, uint64_t min, uint64_t max)
{
	uint64_t n = hist_count(h), sum = 0, value = max;

	if (!n)
		return 0;
	if (p >= 100)
		return max;
	long double want = hist_rank(p, n);
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		sum += h->bucket[i];
		if (h->bucket[i] && (long double)sum >= want) {
			value = hist_value(i);
			break;
		}
	}
	if (value > max)
		value = max;
	return value < min ? min : value;
}
