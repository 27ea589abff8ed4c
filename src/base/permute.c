#include "base/permute.h"
#include "base/rng.h"

#include <assert.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

/* So many indexes fit the keys as a table of bytes. There the shuffle is exact; small domains of
 * the rounds below would have visible patterns. */
#define TABLE_MAX (sizeof(((struct permute *)0)->k))

static void permute_table_init(struct permute *p, struct rng *r)
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
static uint64_t permute_multiplier(struct rng *r, unsigned bits)
{
	uint64_t mask = (UINT64_C(1) << bits) - 1;

	for (;;) {
		uint64_t m = (rng_next(r) & mask) | 1;
		if ((unsigned)__builtin_popcountll((m ^ (m << 1)) & mask) * 3 > bits)
			return m;
	}
}

static bool permute_has_avx2(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

enum { STEP = 64 };
_Static_assert(PERMUTE_AHEAD % STEP == 0, "whole steps");
/* Two row numbers together still fit 16 bits, or 32. */
enum { NARROW_BITS = 30, WIDE_BITS = 62 };

void permute_init(struct permute *p, uint64_t n, uint64_t key)
{
	struct rng r;

	assert(n >= 1 && n <= UINT64_C(1) << 63);
	memset(p, 0, sizeof(*p));
	p->n = n;
	rng_seed(&r, key);
	if (n <= TABLE_MAX) {
		permute_table_init(p, &r);
		return;
	}
	unsigned bits = 64 - (unsigned)__builtin_clzll(n - 1);
	p->low = bits / 2;
	p->rows = ((n - 1) >> p->low) + 1;
	p->word = bits <= NARROW_BITS ? 16 : 32;
	for (unsigned i = 0; i < 4 * PERMUTE_ROUNDS; i += 2) {
		p->k[i] = permute_multiplier(&r, p->word);
		p->k[i + 1] = rng_next(&r) >> (64 - p->word);
	}
	/* Twice in 32 bits, as vectors are filled. What is computed is cut to 16. */
	for (unsigned i = 0; p->word == 16 && i < 4 * PERMUTE_ROUNDS; i++)
		p->k[i] |= p->k[i] << 16;
	p->vectors = bits <= WIDE_BITS && UINT64_C(1) << p->low >= STEP && permute_has_avx2();
}

static inline uint64_t permute_hash(uint64_t x, const uint64_t *k, unsigned word, uint64_t mask)
{
	uint64_t u = (x * k[0] + k[1]) & mask;

	return ((u ^ u >> (word / 2 - 1)) * k[0]) & mask;
}

/* Row and column by turns: a hash of the column, brought to the number of rows by a multiplication,
 * is added to the row modulo that number; the upper bits of a product of the row go onto the
 * column. Each step is undone by whoever knows the other half, whatever the hash (Luby and Rackoff
 * 1988). With two rounds, or products alone on both sides, neighbours and differences stay visibly
 * related; with these the order passes as random. */
static inline uint64_t permute_image(const struct permute *p, uint64_t i)
{
	unsigned word = p->word, down = word - p->low;
	uint64_t mask = UINT64_MAX >> (64 - word), rows = p->rows;
	uint64_t row = i >> p->low, column = i & mask >> down;

	for (const uint64_t *k = p->k; k < p->k + 4 * PERMUTE_ROUNDS; k += 4) {
		row += (permute_hash(column, k, word, mask) * rows) >> word;
		row = row < rows ? row : row - rows;
		column ^= ((row * k[2] + k[3]) & mask) >> down;
	}
	return row << p->low | column;
}

uint64_t permute_at(const struct permute *p, uint64_t i)
{
	uint64_t x = i;

	assert(i < p->n);
	if (!p->rows)
		return ((const uint8_t *)p->k)[i];
	/* What lands beyond n, in the last row, goes round again: its cycle has entered from below
	 * n and so comes back there, mostly at once. */
	do
		x = permute_image(p, x);
	while (x >= p->n);
	return x;
}

#ifdef __x86_64__
/* The same with neighbouring indexes side by side: 16 in lanes of 16 bits, or 8 of 32 bits. */
#define AVX2 __attribute__((target("avx2"), always_inline)) static inline

struct lanes {
	__m256i row, column;
};

AVX2 __m256i permute_linear16(__m256i x, const uint64_t *k)
{
	return _mm256_add_epi16(_mm256_mullo_epi16(x, _mm256_set1_epi32((int)k[0])),
				_mm256_set1_epi32((int)k[1]));
}

AVX2 __m256i permute_hash16(__m256i x, const uint64_t *k)
{
	__m256i u = permute_linear16(x, k);

	u = _mm256_xor_si256(u, _mm256_srli_epi16(u, 7));
	return _mm256_mullo_epi16(u, _mm256_set1_epi32((int)k[0]));
}

AVX2 void permute_stir16(struct lanes *v, const uint64_t *k, __m256i rows, __m128i down)
{
	__m256i row = _mm256_mulhi_epu16(permute_hash16(v->column, k), rows);

	row = _mm256_add_epi16(row, v->row);
	v->row = _mm256_min_epu16(row, _mm256_sub_epi16(row, rows));
	v->column = _mm256_xor_si256(v->column,
				     _mm256_srl_epi16(permute_linear16(v->row, k + 2), down));
}

/* To 64 bits within the halves of vectors; lanes16() has numbered them so that this is in order. */
AVX2 void permute_put16(const struct lanes *v, __m128i down, uint64_t *out)
{
	const __m256i zero = _mm256_setzero_si256();
	__m256i *to = (__m256i *)out, column = _mm256_sll_epi16(v->column, down);
	__m256i a = _mm256_srl_epi32(_mm256_unpacklo_epi16(column, v->row), down);
	__m256i b = _mm256_srl_epi32(_mm256_unpackhi_epi16(column, v->row), down);

	_mm256_storeu_si256(to, _mm256_unpacklo_epi32(a, zero));
	_mm256_storeu_si256(to + 1, _mm256_unpackhi_epi32(a, zero));
	_mm256_storeu_si256(to + 2, _mm256_unpacklo_epi32(b, zero));
	_mm256_storeu_si256(to + 3, _mm256_unpackhi_epi32(b, zero));
}

AVX2 struct lanes permute_lanes16(uint64_t row, uint64_t column)
{
	const __m256i count =
		_mm256_setr_epi16(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);

	return (struct lanes){_mm256_set1_epi16((short)row),
			      _mm256_add_epi16(count, _mm256_set1_epi16((short)column))};
}

AVX2 __m256i permute_linear32(__m256i x, const uint64_t *k)
{
	return _mm256_add_epi32(_mm256_mullo_epi32(x, _mm256_set1_epi32((int)k[0])),
				_mm256_set1_epi32((int)k[1]));
}

AVX2 __m256i permute_hash32(__m256i x, const uint64_t *k)
{
	__m256i u = permute_linear32(x, k);

	u = _mm256_xor_si256(u, _mm256_srli_epi32(u, 15));
	return _mm256_mullo_epi32(u, _mm256_set1_epi32((int)k[0]));
}

/* The upper halves of products, of which there are 64 bits for every other lane at a time. */
AVX2 __m256i permute_upper32(__m256i a, __m256i b)
{
	__m256i even = _mm256_srli_epi64(_mm256_mul_epu32(a, b), 32);
	__m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), b);

	return _mm256_blend_epi32(even, odd, 0xaa);
}

AVX2 void permute_stir32(struct lanes *v, const uint64_t *k, __m256i rows, __m128i down)
{
	__m256i row = _mm256_add_epi32(permute_upper32(permute_hash32(v->column, k), rows), v->row);

	v->row = _mm256_min_epu32(row, _mm256_sub_epi32(row, rows));
	v->column = _mm256_xor_si256(v->column,
				     _mm256_srl_epi32(permute_linear32(v->row, k + 2), down));
}

AVX2 void permute_put32(const struct lanes *v, __m128i down, uint64_t *out)
{
	__m256i *to = (__m256i *)out, column = _mm256_sll_epi32(v->column, down);

	_mm256_storeu_si256(to, _mm256_srl_epi64(_mm256_unpacklo_epi32(column, v->row), down));
	_mm256_storeu_si256(to + 1, _mm256_srl_epi64(_mm256_unpackhi_epi32(column, v->row), down));
}

AVX2 struct lanes permute_lanes32(uint64_t row, uint64_t column)
{
	const __m256i count = _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7);

	return (struct lanes){_mm256_set1_epi32((int)row),
			      _mm256_add_epi32(count, _mm256_set1_epi32((int)column))};
}

AVX2 bool permute_any(__m256i a, __m256i b, __m256i c, __m256i d)
{
	return _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d)));
}

/* STEP images of one row. True: some lie in the last row, where they may be beyond n. */
__attribute__((target("avx2"))) static bool permute_next_narrow(const struct permute *p, uint64_t i,
								uint64_t *out)
{
	uint64_t row = i >> p->low, column = i - (row << p->low);
	struct lanes a = permute_lanes16(row, column), b = permute_lanes16(row, column + 16),
		     c = permute_lanes16(row, column + 32), d = permute_lanes16(row, column + 48);
	__m256i rows = _mm256_set1_epi16((short)p->rows),
		last = _mm256_set1_epi16((short)(p->rows - 1));
	__m128i down = _mm_cvtsi32_si128((int)(p->word - p->low));

	for (const uint64_t *k = p->k; k < p->k + 4 * PERMUTE_ROUNDS; k += 4) {
		permute_stir16(&a, k, rows, down);
		permute_stir16(&b, k, rows, down);
		permute_stir16(&c, k, rows, down);
		permute_stir16(&d, k, rows, down);
	}
	permute_put16(&a, down, out);
	permute_put16(&b, down, out + 16);
	permute_put16(&c, down, out + 32);
	permute_put16(&d, down, out + 48);
	return permute_any(_mm256_cmpeq_epi16(a.row, last), _mm256_cmpeq_epi16(b.row, last),
			   _mm256_cmpeq_epi16(c.row, last), _mm256_cmpeq_epi16(d.row, last));
}

/* STEP / 2 of them. */
__attribute__((target("avx2"))) static bool permute_next_wide(const struct permute *p, uint64_t i,
							      uint64_t *out)
{
	uint64_t row = i >> p->low, column = i - (row << p->low);
	struct lanes a = permute_lanes32(row, column), b = permute_lanes32(row, column + 8),
		     c = permute_lanes32(row, column + 16), d = permute_lanes32(row, column + 24);
	__m256i rows = _mm256_set1_epi32((int)p->rows),
		last = _mm256_set1_epi32((int)(p->rows - 1));
	__m128i down = _mm_cvtsi32_si128((int)(p->word - p->low));

	for (const uint64_t *k = p->k; k < p->k + 4 * PERMUTE_ROUNDS; k += 4) {
		permute_stir32(&a, k, rows, down);
		permute_stir32(&b, k, rows, down);
		permute_stir32(&c, k, rows, down);
		permute_stir32(&d, k, rows, down);
	}
	permute_put32(&a, down, out);
	permute_put32(&b, down, out + 8);
	permute_put32(&c, down, out + 16);
	permute_put32(&d, down, out + 24);
	return permute_any(_mm256_cmpeq_epi32(a.row, last), _mm256_cmpeq_epi32(b.row, last),
			   _mm256_cmpeq_epi32(c.row, last), _mm256_cmpeq_epi32(d.row, last));
}

static bool permute_next_vectors(const struct permute *p, uint64_t i, uint64_t *out)
{
	if (__builtin_expect(p->word == 16, 1))
		return permute_next_narrow(p, i, out);
	bool first = permute_next_wide(p, i, out);

	return permute_next_wide(p, i + STEP / 2, out + STEP / 2) || first;
}
#endif

static void permute_next_plain(const struct permute *p, uint64_t i, unsigned k, uint64_t *out)
{
	for (unsigned j = 0; j < k; j++)
		out[j] = p->rows ? permute_image(p, i + j) : ((const uint8_t *)p->k)[i + j];
}

/* Those of v[0..k) that lie below n to the front. */
static unsigned permute_keep_below(uint64_t n, uint64_t *v, unsigned k)
{
	unsigned kept = 0;

	assert(k <= STEP);
	for (unsigned j = 0; j < k; j++) {
		uint64_t x = v[j];
		v[kept] = x;
		kept += x < n;
	}
	return kept;
}

unsigned permute_next(const struct permute *p, uint64_t *at, uint64_t *out)
{
	uint64_t end = p->rows ? p->rows << p->low : p->n, i = *at;
	unsigned n = 0;

	while (n <= PERMUTE_AHEAD - STEP && i < end) {
		unsigned k = end - i < STEP ? (unsigned)(end - i) : STEP;
		bool some_beyond = true;
#ifdef __x86_64__
		if (__builtin_expect(p->vectors, 1))
			some_beyond = permute_next_vectors(p, i, out + n);
		else
#endif
			permute_next_plain(p, i, k, out + n);
		n += __builtin_expect(some_beyond, 0) ? permute_keep_below(p->n, out + n, k) : k;
		i += k;
	}
	*at = i;
	return n;
}
