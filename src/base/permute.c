#include "base/permute.h"
#include "base/rng.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

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
	return p->mask && p->mask <= UINT32_MAX && __builtin_cpu_supports("avx2") &&
	       __builtin_cpu_supports("popcnt");
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
enum { LANES = 8, STEP = 4 * LANES };
_Static_assert(PERMUTE_AHEAD >= STEP, "four vectors at a time");
typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));

INLINE void stir(lanes *v, const struct permute *p, unsigned k)
{
	lanes x = (*v * (uint32_t)p->k[k] + (uint32_t)p->k[k + 1]) & (uint32_t)p->mask;

	*v = x ^ (x >> p->shift[0]) ^ (x >> p->shift[1]);
}

#ifdef __x86_64__
/* For each set of lanes to keep, where in front of the vector they go: lane numbers, a nibble
 * each, the first lowest. */
static const uint32_t gather_lanes[256] = {
#define BIT(m, i)   ((unsigned)(m) >> (i)&1u)
#define BELOW(m, i) ((unsigned)__builtin_popcount((unsigned)(m) & ((1u << (i)) - 1)))
#define LANE(m, i)  (BIT(m, i) * ((unsigned)(i) << 4 * BELOW(m, i) % 32))
#define SET1(m)                                                                                    \
	(LANE(m, 0) | LANE(m, 1) | LANE(m, 2) | LANE(m, 3) | LANE(m, 4) | LANE(m, 5) |             \
	 LANE(m, 6) | LANE(m, 7))
#define SET4(m)	 SET1(m), SET1((m) + 1), SET1((m) + 2), SET1((m) + 3)
#define SET16(m) SET4(m), SET4((m) + 4), SET4((m) + 8), SET4((m) + 12)
#define SET64(m) SET16(m), SET16((m) + 16), SET16((m) + 32), SET16((m) + 48)
	SET64(0), SET64(64), SET64(128), SET64(192)};

#define AVX2 __attribute__((target("avx2,popcnt"), always_inline)) static inline

/* What lies below n to the front; what lies beyond is overwritten by the next vector. */
AVX2 uint64_t *take(__m256i x, __m256i last, uint64_t *to)
{
	const __m256i nibble = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
	__m256i below = _mm256_cmpeq_epi32(_mm256_min_epu32(x, last), x);
	unsigned keep = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(below));
	/* The instruction heeds the lowest three bits of a lane's number only. */
	__m256i order = _mm256_srlv_epi32(_mm256_set1_epi32((int)gather_lanes[keep]), nibble);

	x = _mm256_permutevar8x32_epi32(x, order);
	_mm256_storeu_si256((__m256i *)to, _mm256_cvtepu32_epi64(_mm256_castsi256_si128(x)));
	_mm256_storeu_si256((__m256i *)(to + LANES / 2),
			    _mm256_cvtepu32_epi64(_mm256_extracti128_si256(x, 1)));
	return to + (unsigned)__builtin_popcount(keep);
}

/* Four vectors by name: as an array they would live in memory. */
__attribute__((target("avx2,popcnt"))) static unsigned next_avx2(const struct permute *p,
								 uint64_t i, uint64_t *out)
{
	const lanes count = {0, 1, 2, 3, 4, 5, 6, 7};
	lanes a = count + (uint32_t)i, b = a + LANES, c = b + LANES, d = c + LANES;
	__m256i last = _mm256_set1_epi32((int)(uint32_t)(p->n - 1));
	uint64_t *to = out;

	for (unsigned k = 0; k < 2 * PERMUTE_ROUNDS; k += 2) {
		stir(&a, p, k);
		stir(&b, p, k);
		stir(&c, p, k);
		stir(&d, p, k);
	}
	to = take((__m256i)a, last, to);
	to = take((__m256i)b, last, to);
	to = take((__m256i)c, last, to);
	to = take((__m256i)d, last, to);
	return (unsigned)(to - out);
}
#endif

/* The next `k` of the plain walk, those below n. */
static unsigned next_plain(const struct permute *p, uint64_t i, unsigned k, uint64_t *out)
{
	unsigned n = 0;

	for (unsigned j = 0; j < k; j++) {
		uint64_t x = p->mask ? image(p, i + j) : ((const uint8_t *)p->k)[i + j];
		out[n] = x;
		n += x < p->n;
	}
	return n;
}

unsigned permute_next(const struct permute *p, uint64_t *at, uint64_t *out)
{
	uint64_t end = p->mask ? p->mask + 1 : p->n, i = *at;
	unsigned n = 0;

	while (n <= PERMUTE_AHEAD - STEP && i < end) {
		unsigned k = end - i < STEP ? (unsigned)(end - i) : STEP;
#ifdef __x86_64__
		if (__builtin_expect(p->narrow, 1))
			n += next_avx2(p, i, out + n);
		else
#endif
			n += next_plain(p, i, k, out + n);
		i += k;
	}
	*at = i;
	return n;
}
