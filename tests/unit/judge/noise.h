/* Series with a known truth: what an interval has to cover. */
#ifndef FATHOM_TESTS_JUDGE_NOISE_H
#define FATHOM_TESTS_JUDGE_NOISE_H

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline uint64_t noise_seed(struct rng *r)
{
	const char *text = getenv("FATHOM_SEED");
	uint64_t seed = text ? strtoull(text, NULL, 10) : 1;

	printf("seed %llu\n", (unsigned long long)seed);
	rng_seed(r, seed);
	return seed;
}

/* How many times as many trials: 1 in make check, more in make soak. */
static inline unsigned noise_trials(unsigned n)
{
	return getenv("FATHOM_SEED") ? 4 * n : n;
}

static inline double noise_normal(struct rng *r)
{
	double u = 1 - rng_unit(r), v = rng_unit(r);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* n values about mean with coefficient of variation cv and correlation rho of neighbours. */
static inline void noise_series(struct rng *r, double *v, unsigned n, double mean, double cv,
				double rho)
{
	double d = noise_normal(r);

	for (unsigned i = 0; i < n; i++) {
		v[i] = mean * (1 + cv * d);
		d = rho * d + sqrt(1 - rho * rho) * noise_normal(r);
	}
}

#endif
