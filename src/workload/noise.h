/* Random bytes at memory speed: xorshift128+ (Vigna 2014, public domain algorithm) in sixteen
 * lanes, and the XOR of a short key over a buffer. AVX2 where the processor has it; the bytes are
 * the same either way.
 */
#ifndef FATHOM_WORKLOAD_NOISE_H
#define FATHOM_WORKLOAD_NOISE_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t noise_vec __attribute__((vector_size(32)));

enum { NOISE_LANES = 4 }; /* vectors */

struct noise {
	noise_vec a[NOISE_LANES], b[NOISE_LANES];
	void (*fill)(struct noise *n, uint8_t *to, size_t len);
	void (*mask)(uint8_t *buf, size_t len, const uint64_t key[4]);
};

/* Choose the code for this processor and seed. */
void noise_init(struct noise *n, uint64_t seed);
/* The same seed: the same bytes. */
void noise_seed(struct noise *n, uint64_t seed);

static inline void noise_fill(struct noise *n, void *to, size_t len)
{
	n->fill(n, to, len);
}

/* What follows depends on v as well. */
static inline void noise_stir(struct noise *n, uint64_t v)
{
	for (unsigned i = 0; i < NOISE_LANES; i++)
		n->a[i] += v * 0x9e3779b97f4a7c15;
}

/* XOR the 32 bytes of key over buf, again and again. */
static inline void noise_mask(struct noise *n, void *buf, size_t len, const uint64_t key[4])
{
	n->mask(buf, len, key);
}

#endif
