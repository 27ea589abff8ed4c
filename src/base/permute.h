/* A random permutation of 0..n-1 in constant memory and constant time: a keyed bijection on the
 * next power of two with cycle walking. This is what replaces a map of visited blocks: every index
 * exactly once a pass.
 */
#ifndef FATHOM_BASE_PERMUTE_H
#define FATHOM_BASE_PERMUTE_H

#include <stdbool.h>
#include <stdint.h>

#define PERMUTE_ROUNDS 4

struct permute {
	uint64_t n, mask;
	uint64_t k[2 * PERMUTE_ROUNDS]; /* an odd factor and an addend a round; mask 0: the table of
					   a small n */
	unsigned shift[2];
	bool narrow; /* permute_next() takes eight at a time: 32 bits are enough and AVX2 is there
		      */
};

/* n >= 1. Another key: another order. */
void permute_init(struct permute *p, uint64_t n, uint64_t key);
/* The image of i (i < n); a bijection of 0..n-1. Below two steps on average, some 4 ns each. */
uint64_t permute_at(const struct permute *p, uint64_t i);

/* The same permuted set in another order, for whoever goes through all of it: walk the whole power
 * of two and leave out what lies beyond n. Images do not depend on one another, so that the
 * processor works on several at a time: some 2 ns each instead of 10. */
#define PERMUTE_AHEAD 32
/* Up to PERMUTE_AHEAD next ones into out; *at is 0 at the start of a pass and is moved on. 0: the
 * pass is over. */
unsigned permute_next(const struct permute *p, uint64_t *at, uint64_t *out);

#endif
