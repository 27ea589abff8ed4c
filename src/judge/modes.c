#include "judge/modes.h"
#include <assert.h>

#define WIDE  8u /* buckets taken together: an eighth of a power of two */
#define BINS  (HIST_BUCKETS / WIDE)
#define LEAST 1000.0
#define SIDE  0.05 /* of the values, on each side */
#define DEEP  10.0
#define APART 1.3 /* times, between the humps */

static double modes_smoothed(const struct hist *h, double *s)
{
	double raw[BINS + 2] = {0}, n = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		raw[i / WIDE + 1] += (double)h->bucket[i];
		n += (double)h->bucket[i];
	}
	/* A hump on the edge of two bins is one hump. */
	for (unsigned i = 0; i < BINS; i++)
		s[i] = (raw[i] + 2 * raw[i + 1] + raw[i + 2]) / 4;
	return n;
}

static unsigned modes_highest(const double *s, unsigned from, unsigned to)
{
	unsigned best = from;

	assert(from <= to);
	for (unsigned i = from; i < to; i++)
		if (s[i] > s[best])
			best = i;
	return best;
}

static uint64_t modes_middle(unsigned bin)
{
	return hist_value(bin * WIDE + WIDE / 2);
}

bool modes_find(const struct hist *h, struct modes *out)
{
	double s[BINS], n = modes_smoothed(h, s), below = 0, deepest = 1 / DEEP;
	bool found = false;

	if (n < LEAST)
		return false;
	for (unsigned v = 1; v + 1 < BINS; v++) {
		below += s[v - 1];
		if (below < SIDE * n || n - below - s[v] < SIDE * n)
			continue;
		unsigned a = modes_highest(s, 0, v), b = modes_highest(s, v + 1, BINS);
		double least = s[a] < s[b] ? s[a] : s[b];
		if (s[v] >= deepest * least ||
		    (double)modes_middle(b) < APART * (double)modes_middle(a))
			continue;
		deepest = s[v] / least;
		*out = (struct modes){modes_middle(a), modes_middle(b), below / n};
		found = true;
	}
	return found;
}
