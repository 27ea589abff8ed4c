#include "base/rng.h"
#include <assert.h>

/* The output function of splitmix64 (Steele, Lea, Flood 2014): a bijection of 64 bits. */
static uint64_t rng_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

#define GOLDEN 0x9e3779b97f4a7c15u /* 2^64 / golden ratio, splitmix64's increment */

void rng_seed(struct rng *r, uint64_t seed)
{
	assert(r);
	/* Four outputs of a bijection of different inputs: never all zero, the one state xoshiro
	 * must not have. */
	for (unsigned i = 0; i < 4; i++)
		r->s[i] = rng_mix(seed += GOLDEN);
}

uint64_t rng_derive(uint64_t base, uint64_t job, uint64_t stream)
{
	uint64_t x = rng_mix(base + GOLDEN);

	x = rng_mix((x ^ job) + GOLDEN);
	return rng_mix((x ^ stream) + GOLDEN);
}
