#include "base/permute.h"
#include "base/rng.h"

#include <string.h>

/* So many indexes fit the keys as a table of bytes. There the shuffle is exact; small domains of
 * the rounds below would have visible patterns. */
#define TABLE_MAX (sizeof(((struct permute *)0)->k))

static void table_init(struct permute *p, struct rng *r)
{
	uint8_t table[TABLE_MAX] = {0};

	/* Fisher and Yates, inside out. */
	for (uint64_t i = 0; i < p->n; i++) {
		uint64_t k = rng_below(r, i + 1);
		table[i] = table[k];
		table[k] = (uint8_t)i;
	}
	memcpy(p->k, table, sizeof(table));
}

/* An odd factor that moves bits about: neither few ones nor long runs (1, 3, -1, ... would let
 * patterns through). */
static uint64_t multiplier(struct rng *r, unsigned bits, uint64_t mask)
{
	for (;;) {
		uint64_t m = (rng_next(r) & mask) | 1;
		if ((unsigned)__builtin_popcountll((m ^ (m << 1)) & mask) * 3 > bits)
			return m;
	}
}

static bool can_narrow(const struct permute *p)
{
#ifdef __x86_64__
	return p->mask && p->mask <= UINT32_MAX && __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

void permute_init(struct permute *p, uint64_t n, uint64_t key)
{
	struct rng r;

	memset(p, 0, sizeof(*p));
	p->n = n;
	rng_seed(&r, key);
	if (n <= TABLE_MAX) {
		table_init(p, &r);
		return;
	}
	unsigned bits = 64 - (unsigned)__builtin_clzll(n - 1);
	p->mask = ~UINT64_C(0) >> (64 - bits);
	for (unsigned i = 0; i < PERMUTE_ROUNDS; i++) {
		p->k[2 * i] = multiplier(&r, bits, p->mask);
		p->k[2 * i + 1] = rng_next(&r) & p->mask;
	}
	p->shift[0] = (bits + 1) / 2;
	p->shift[1] = bits * 3 / 4;
	p->narrow = can_narrow(p);
}

/* Each step can be undone: odd factors and additions modulo a power of two, and x ^= x >> s ^ x >>
 * t. Multiplying carries bits up, the shifts bring the upper half down; with one shift or three
 * rounds alone neighbours at distances of powers of two stay visibly related, with these the order
 * passes as random from 65 indexes on. */
static inline uint64_t image(const struct permute *p, uint64_t x)
{
	for (unsigned k = 0; k < 2 * PERMUTE_ROUNDS; k += 2) {
		x = (x * p->k[k] + p->k[k + 1]) & p->mask;
		x ^= (x >> p->shift[0]) ^ (x >> p->shift[1]);
	}
	return x;
}

uint64_t permute_at(const struct permute *p, uint64_t i)
{
	uint64_t x = i;

	if (!p->mask)
		return ((const uint8_t *)p->k)[i];
	/* What lands beyond n goes round again: its cycle has entered from below n and so comes
	 * back there, after less than two rounds on average. */
	do
		x = image(p, x);
	while (x >= p->n);
	return x;
}

/* The loops below work on neighbouring indexes side by side. */
#define INLINE static inline __attribute__((always_inline))

/* Where 32 bits hold the domain: the products are needed modulo a power of two only, so that half
 * the width does, eight to a vector. */
enum { LANES = 8 };
_Static_assert(PERMUTE_AHEAD == 4 * LANES, "four vectors at a time");
typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));

INLINE void stir(lanes *v, const struct permute *p, unsigned k)
{
	lanes x = (*v * (uint32_t)p->k[k] + (uint32_t)p->k[k + 1]) & (uint32_t)p->mask;

	*v = x ^ (x >> p->shift[0]) ^ (x >> p->shift[1]);
}

/* Four vectors by name: as an array they would live in memory. */
INLINE void images_narrow(const struct permute *p, uint64_t i, uint32_t *out)
{
	const lanes count = {0, 1, 2, 3, 4, 5, 6, 7};
	lanes a = count + (uint32_t)i, b = a + LANES, c = b + LANES, d = c + LANES;

	for (unsigned k = 0; k < 2 * PERMUTE_ROUNDS; k += 2) {
		stir(&a, p, k);
		stir(&b, p, k);
		stir(&c, p, k);
		stir(&d, p, k);
	}
	memcpy(out, &a, sizeof(a));
	memcpy(out + LANES, &b, sizeof(b));
	memcpy(out + 2 * LANES, &c, sizeof(c));
	memcpy(out + 3 * LANES, &d, sizeof(d));
}

/* What lies below n; no branch: what lies beyond is overwritten by the next. */
INLINE unsigned take_narrow(const struct permute *p, const uint32_t *x, uint64_t *out)
{
	uint64_t end = p->n, *to = out;

	for (unsigned j = 0; j < PERMUTE_AHEAD; j += 4) {
		*to = x[j];
		to += x[j] < end;
		*to = x[j + 1];
		to += x[j + 1] < end;
		*to = x[j + 2];
		to += x[j + 2] < end;
		*to = x[j + 3];
		to += x[j + 3] < end;
	}
	return (unsigned)(to - out);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static unsigned next_avx2(const struct permute *p, uint64_t i,
							  uint64_t *out)
{
	uint32_t x[PERMUTE_AHEAD];

	images_narrow(p, i, x);
	return take_narrow(p, x, out);
}
#endif

unsigned permute_next(const struct permute *p, uint64_t *at, uint64_t *out)
{
	uint64_t end = p->mask ? p->mask + 1 : p->n, i = *at;
	unsigned n = 0;

	while (!n && i < end) {
		unsigned k = end - i < PERMUTE_AHEAD ? (unsigned)(end - i) : PERMUTE_AHEAD;
#ifdef __x86_64__
		if (__builtin_expect(p->narrow, 1)) {
			n = next_avx2(p, i, out);
			i += k;
			continue;
		}
#endif
		for (unsigned j = 0; j < k; j++) {
			uint64_t x = p->mask ? image(p, i + j) : ((const uint8_t *)p->k)[i + j];
			out[n] = x;
			n += x < p->n;
		}
		i += k;
	}
	*at = i;
	return n;
}
