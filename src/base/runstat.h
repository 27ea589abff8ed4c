/* Count, sum, sum of squares, minimum, maximum of unsigned values in the caller's unit. Exact
 * integers, so that merging in any order gives the same. One writer; the sum must stay below 2^64
 * (584 years of ns). */
#ifndef FATHOM_BASE_RUNSTAT_H
#define FATHOM_BASE_RUNSTAT_H

#include <stdint.h>

struct runstat {
	uint64_t n, min, max; /* min is UINT64_MAX while empty */
	uint64_t sum;
	unsigned __int128 sq;
};

void runstat_init(struct runstat *m);
static inline void runstat_add(struct runstat *m, uint64_t v)
{
	m->n++;
	m->sum += v;
	m->sq += (unsigned __int128)v * v;
	if (v < m->min)
		m->min = v;
	if (v > m->max)
		m->max = v;
}
/* k samples of v, of which the caller keeps count: n stays as it is. For the loop, where several
 * moments have one n. */
static inline void runstat_add_uncounted(struct runstat *m, uint64_t v, uint64_t k)
{
	m->sum += v * k;
	m->sq += (unsigned __int128)v * v * k;
	if (v < m->min)
		m->min = v;
	if (v > m->max)
		m->max = v;
}
void runstat_merge(struct runstat *to, const struct runstat *from);
double runstat_mean(const struct runstat *m);	/* 0 when empty */
double runstat_stddev(const struct runstat *m); /* sample deviation (n - 1); 0 below two samples */
static inline uint64_t runstat_min(const struct runstat *m)
{
	return m->n ? m->min : 0;
}

#endif
