/* A random permutation of 0..n-1 in constant memory and constant time: a keyed bijection on a grid
 * of rows and columns that is hardly larger (by less than 2 / sqrt(n)), with cycle walking. This is
 * what replaces a map of visited blocks: every index exactly once a pass.
 */
#ifndef FATHOM_BASE_PERMUTE_H
#define FATHOM_BASE_PERMUTE_H

#include <stdbool.h>
#include <stdint.h>

#define PERMUTE_ROUNDS 3

struct permute {
	uint64_t n;
	uint64_t rows;			/* of 2^low indexes each; 0: the table of a small n */
	uint64_t k[4 * PERMUTE_ROUNDS]; /* an odd factor and an addend, twice a round */
	unsigned low, word;		/* bits of a column, and of what both are computed in */
	bool vectors;			/* permute_next() takes many at a time: AVX2 is there */
};

/* 1 <= n <= 2^63. Another key: another order. */
void permute_init(struct permute *p, uint64_t n, uint64_t key);
/* The image of i (i < n); a bijection of 0..n-1. Some 10 ns. */
uint64_t permute_at(const struct permute *p, uint64_t i);

/* The same permuted set in the same order but for what lies beyond n, for whoever goes through all
 * of it: walk the whole grid and leave that out. Images do not depend on one another, so that the
 * processor works on several at a time: below 1 ns each. */
#define PERMUTE_AHEAD 256
/* Up to PERMUTE_AHEAD next ones into out; *at is 0 at the start of a pass and is moved on. 0: the
 * pass is over. */
unsigned permute_next(const struct permute *p, uint64_t *at, uint64_t *out);

#endif
