/* Distributions over 0..n-1 for random offsets (spec 6.10): exact shapes, constant memory, constant time a draw. */
#ifndef FATHOM_BASE_DIST_H
#define FATHOM_BASE_DIST_H

#include "base/permute.h"
#include "base/rng.h"
#include <stdint.h>

enum dist_kind { DIST_UNIFORM, DIST_ZIPF, DIST_PARETO, DIST_NORMAL };

/* zipf by rejection inversion (Hoermann, Derflinger 1996): exact, so the top rank of zipf:1.2 over 1024 has share
 * 0.2303. Ranks are scattered over the range by a permutation; with a center the hot rank sits there. */
struct dist {
	enum dist_kind kind;
	uint64_t n;
	double param;  /* theta, h, or deviation in percent of the range */
	double center; /* 0..1, or < 0: a random rotation (zipf, pareto), 0.5 (normal) */
	double c[6];   /* constants of the sampler */
	struct permute scatter;
	uint64_t rotate;
};

/* -EINVAL when the parameter is out of its range. */
int dist_init(struct dist *d, enum dist_kind kind, uint64_t n, double param, double center, uint64_t seed);
uint64_t dist_draw(const struct dist *d, struct rng *r);
/* The rank (0: most popular) before scattering; for tests. */
uint64_t dist_rank(const struct dist *d, struct rng *r);

#endif
