/* A layered bitmap of visited blocks for random jobs whose block sizes vary: find-next-free in at
 * most one word a level (64-fold fan-out). Set only; cleared as a whole. */
#ifndef FATHOM_BASE_BITMAP_H
#define FATHOM_BASE_BITMAP_H

#include "base/must_check.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bitmap {
	uint64_t n;	   /* bits */
	uint64_t set_bits; /* how many are set */
	unsigned levels;
	uint64_t *level[7]; /* level[0]: the bits; level[k]: which words of level[k-1] are full */
	size_t bytes;
};

MUST_CHECK int bitmap_init(struct bitmap *b, uint64_t n); /* -ENOMEM, -EINVAL (n == 0) */
void bitmap_release(struct bitmap *b);
void bitmap_clear(struct bitmap *b);
bool bitmap_test(const struct bitmap *b, uint64_t i);
/* Set up to len bits from i on, stopping before the first that is set or at n; returns how many
 * were set. */
uint64_t bitmap_set_run(struct bitmap *b, uint64_t i, uint64_t len);
/* Lowest free bit >= i, wrapping to 0; n when all are set. */
uint64_t bitmap_next_free(const struct bitmap *b, uint64_t i);

#endif
