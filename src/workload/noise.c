#include "workload/noise.h"

#include <string.h>

/* A vector at any address that may alias anything. */
typedef uint64_t vec_any __attribute__((vector_size(32), aligned(1), may_alias));

#define INLINE static inline __attribute__((always_inline))

enum { STEP = NOISE_LANES * (int)sizeof(noise_vec) };

INLINE void noise_fill_body(struct noise *n, uint8_t *to, size_t len)
{
	noise_vec a[NOISE_LANES], b[NOISE_LANES];
	uint8_t rest[STEP];
	size_t left = len;

	memcpy(a, n->a, sizeof(a));
	memcpy(b, n->b, sizeof(b));
	for (;;) {
		uint8_t *out = left >= STEP ? to : rest;
		if (!left)
			break;
		for (unsigned i = 0; i < NOISE_LANES; i++) {
			noise_vec x = a[i], y = b[i];
			x ^= x << 23;
			x ^= y ^ (x >> 17) ^ (y >> 26);
			a[i] = y;
			b[i] = x;
			*(vec_any *)(out + i * sizeof(noise_vec)) = x + y;
		}
		if (left < STEP) {
			memcpy(to, rest, left);
			break;
		}
		to += STEP;
		left -= STEP;
	}
	memcpy(n->a, a, sizeof(a));
	memcpy(n->b, b, sizeof(b));
}

INLINE void noise_mask_body(uint8_t *buf, size_t len, const uint64_t key[4])
{
	const noise_vec k = {key[0], key[1], key[2], key[3]};
	uint8_t bytes[sizeof(k)];
	size_t i = 0;

	for (; i + 2 * sizeof(k) <= len; i += 2 * sizeof(k)) {
		*(vec_any *)(buf + i) ^= k;
		*(vec_any *)(buf + i + sizeof(k)) ^= k;
	}
	memcpy(bytes, &k, sizeof(k));
	for (; i < len; i++)
		buf[i] = (uint8_t)(buf[i] ^ bytes[i % sizeof(k)]);
}

static void noise_fill_plain(struct noise *n, uint8_t *to, size_t len)
{
	noise_fill_body(n, to, len);
}

static void noise_mask_plain(uint8_t *buf, size_t len, const uint64_t key[4])
{
	noise_mask_body(buf, len, key);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void noise_fill_avx2(struct noise *n, uint8_t *to,
							    size_t len)
{
	noise_fill_body(n, to, len);
}

__attribute__((target("avx2"))) static void noise_mask_avx2(uint8_t *buf, size_t len,
							    const uint64_t key[4])
{
	noise_mask_body(buf, len, key);
}
#endif

static uint64_t noise_splitmix(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

void noise_seed(struct noise *n, uint64_t seed)
{
	for (unsigned i = 0; i < NOISE_LANES; i++)
		for (unsigned k = 0; k < 4; k++) {
			n->a[i][k] = noise_splitmix(&seed);
			n->b[i][k] =
				noise_splitmix(&seed) | 1; /* a state of zero would stay zero */
		}
}

void noise_init(struct noise *n, uint64_t seed)
{
	n->fill = noise_fill_plain;
	n->mask = noise_mask_plain;
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		n->fill = noise_fill_avx2;
		n->mask = noise_mask_avx2;
	}
#endif
	noise_seed(n, seed);
}
