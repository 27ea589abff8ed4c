/* Distributions over 0..n-1 for random offsets (compatibility 6.10): exact shapes, constant memory,
 * constant time a draw. */
#ifndef FATHOM_BASE_DIST_H
#define FATHOM_BASE_DIST_H

#include "base/must_check.h"
#include "base/permute.h"
#include "base/rng.h"
#include <stdint.h>

enum dist_kind { DIST_UNIFORM, DIST_ZIPF, DIST_PARETO, DIST_NORMAL };

/* UNIFORM: param is not used. ZIPF: param is theta, 0..1000, 1 included; rank k (from 1) has weight
 * k^-theta, exactly (so the top rank of zipf:1.2 over 1024 has share 0.2303). PARETO: param is h, 0
 * < h < 1: the first h n ranks get the share 1 - h of the draws, and again so within them. NORMAL:
 * param is the standard deviation in percent of the range, 0..100; a bell about the center,
 * mirrored at the edges. ZIPF and PARETO ranks are scattered over the range by a permutation and
 * rotated so that the hottest is at the center; the bell of NORMAL is not scattered. */
struct dist {
	enum dist_kind kind;
	uint64_t n;
	double param;  /* theta, h, or deviation in percent of the range */
	double center; /* 0..1, or < 0: a random rotation (zipf, pareto), 0.5 (normal) */
	double c[6];   /* constants of the sampler */
	struct permute scatter;
	uint64_t rotate;
};

/* n >= 1. -EINVAL when a parameter is out of its range. */
MUST_CHECK int dist_init(struct dist *d, enum dist_kind kind, uint64_t n, double param,
			 double center, uint64_t seed);
uint64_t dist_draw(const struct dist *d, struct rng *r);
/* The rank (0: most popular) before scattering, for tests; NORMAL has none and gives the offset. */
uint64_t dist_rank(const struct dist *d, struct rng *r);

#endif
