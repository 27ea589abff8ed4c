/* Read or write: drawn at random, never far from the asked share (compatibility 6.2). */
#ifndef FATHOM_WORKLOAD_MIX_H
#define FATHOM_WORKLOAD_MIX_H

#include "base/rng.h"
#include "base/direction.h"

#define MIX_ONE (INT64_C(1) << 30)
/* After any number of I/Os the reads are at most so many, and one, away from their share. */
#define MIX_BOUND (8 * MIX_ONE)

_Static_assert(DIR_READ == 0 && DIR_WRITE == 1, "mix_draw returns a comparison");

struct mix {
	uint64_t below; /* a random number below this means read */
	int64_t share;	/* of reads, MIX_ONE: all */
	int64_t ahead;	/* reads issued beyond their share, in MIX_ONE */
	struct rng rng;
};

void mix_init(struct mix *m, double read_percent, uint64_t seed);

static inline unsigned mix_draw(struct mix *m)
{
	uint64_t x = rng_next(&m->rng);

	if (__builtin_expect(m->ahead >= MIX_BOUND, 0))
		return DIR_WRITE;
	if (__builtin_expect(m->ahead <= -MIX_BOUND, 0))
		return DIR_READ;
	return x >= m->below; /* no branch that would be guessed wrong half the time */
}

/* An I/O of direction dir is issued. Draws keep within a step of the bound; the debt that a rate
 * makes by forcing directions is forgotten beyond that. */
static inline void mix_took(struct mix *m, unsigned dir)
{
	const int64_t most = MIX_BOUND + MIX_ONE;
	int64_t ahead = m->ahead - m->share + (dir == DIR_READ) * MIX_ONE;

	ahead = ahead > most ? most : ahead;
	m->ahead = ahead < -most ? -most : ahead;
}

#endif
