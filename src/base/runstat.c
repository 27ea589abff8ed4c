#include "base/runstat.h"

#include <assert.h>
#include <math.h>

void runstat_init(struct runstat *m)
{
	*m = (struct runstat){.min = UINT64_MAX};
}

void runstat_merge(struct runstat *to, const struct runstat *from)
{
	assert(to != from);
	if (!from->n)
		return;
	to->n += from->n;
	to->sum += from->sum;
	to->sq += from->sq;
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
}

double runstat_mean(const struct runstat *m)
{
	return m->n ? (double)((long double)m->sum / (long double)m->n) : 0;
}

double runstat_stddev(const struct runstat *m)
{
	assert(!m->n || m->min <= m->max);
	if (m->n < 2)
		return 0;
	/* The squares about the whole part q of the mean are sq - 2 q sum + n q^2. The terms may
	 * wrap around 2^128 but the result does not, so it is exact, and nothing is lost when the
	 * deviation is small beside the mean. About the mean itself they are less by n (mean - q)^2
	 * = rest^2 / n. */
	uint64_t q = m->sum / m->n, rest = m->sum % m->n;
	unsigned __int128 about_q =
		m->sq - (unsigned __int128)q * m->sum * 2 + (unsigned __int128)q * q * m->n;
	long double about_mean =
		(long double)about_q - (long double)rest * (long double)rest / (long double)m->n;

	return about_mean > 0 ? (double)sqrtl(about_mean / (long double)(m->n - 1)) : 0;
}
