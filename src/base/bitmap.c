#include "base/bitmap.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS_MAX 7u

static uint64_t bitmap_words_for(uint64_t bits)
{
	return bits / 64 + (bits % 64 != 0);
}

/* The bits beyond the end count as set, so that the last word of a level can become full. */
static void bitmap_seal_ends(struct bitmap *b)
{
	uint64_t bits = b->n;

	for (unsigned k = 0; k < b->levels; k++) {
		if (bits % 64)
			b->level[k][bits / 64] |= ~UINT64_C(0) << (bits % 64);
		bits = bitmap_words_for(bits);
	}
}

int bitmap_init(struct bitmap *b, uint64_t n)
{
	struct bitmap fresh = {.n = n};
	uint64_t total = 0, bits = n;

	if (!n)
		return -EINVAL;
	do {
		if (fresh.levels == LEVELS_MAX)
			return -ENOMEM;
		bits = bitmap_words_for(bits);
		total += bits;
		fresh.levels++;
	} while (bits > 1);
	/* One piece; large ones come from the kernel as pages that cost nothing until touched. */
	uint64_t *words = calloc(total, sizeof(*words));
	if (!words)
		return -ENOMEM;
	fresh.bytes = total * sizeof(*words);
	bits = n;
	for (unsigned k = 0; k < fresh.levels; k++) {
		fresh.level[k] = words;
		bits = bitmap_words_for(bits);
		words += bits;
	}
	*b = fresh;
	bitmap_seal_ends(b);
	return 0;
}

void bitmap_release(struct bitmap *b)
{
	assert(b->levels <= LEVELS_MAX);
	free(b->level[0]);
	memset(b, 0, sizeof(*b));
}

void bitmap_clear(struct bitmap *b)
{
	assert(b->n && b->level[0]);
	memset(b->level[0], 0, b->bytes);
	b->set_bits = 0;
	bitmap_seal_ends(b);
}

bool bitmap_test(const struct bitmap *b, uint64_t i)
{
	assert(i < b->n);
	return b->level[0][i / 64] >> (i % 64) & 1;
}

/* Word w of level 0 has become full: tell the levels above. */
static void bitmap_propagate(struct bitmap *b, uint64_t w)
{
	for (unsigned k = 1; k < b->levels; k++) {
		uint64_t *word = &b->level[k][w / 64];
		*word |= UINT64_C(1) << (w % 64);
		if (*word != ~UINT64_C(0))
			return;
		w /= 64;
	}
}

uint64_t bitmap_set_run(struct bitmap *b, uint64_t i, uint64_t len)
{
	uint64_t done = 0;

	assert(b->set_bits <= b->n);
	if (i >= b->n)
		return 0;
	if (len > b->n - i)
		len = b->n - i;
	while (done < len) {
		uint64_t *word = &b->level[0][(i + done) / 64];
		unsigned at = (unsigned)((i + done) % 64);
		uint64_t taken = *word >> at;
		uint64_t run = taken ? (uint64_t)__builtin_ctzll(taken) : 64 - at;
		bool stop = run < 64 - at;
		if (run >= len - done) {
			run = len - done;
			stop = true;
		}
		if (run) {
			*word |= (~UINT64_C(0) >> (64 - run)) << at;
			if (*word == ~UINT64_C(0))
				bitmap_propagate(b, (i + done) / 64);
			done += run;
		}
		if (stop)
			break;
	}
	b->set_bits += done;
	return done;
}

/* Lowest free bit >= i without wrapping; n when there is none. */
static uint64_t bitmap_free_from(const struct bitmap *b, uint64_t i)
{
	uint64_t open = 0, at = i, words = bitmap_words_for(b->n);
	unsigned k = 0;

	/* Up until a word has something open at or after `at`, ... */
	for (;; k++, at = at / 64 + 1, words = bitmap_words_for(words)) {
		if (k == b->levels)
			return b->n;
		if (at / 64 >= words)
			continue;
		open = ~b->level[k][at / 64] & ~UINT64_C(0) << (at % 64);
		if (open)
			break;
	}
	/* ... then down along the first open one. */
	for (;; k--) {
		at = at / 64 * 64 + (uint64_t)__builtin_ctzll(open);
		if (k == 0)
			return at;
		open = ~b->level[k - 1][at];
		at *= 64;
	}
}

uint64_t bitmap_next_free(const struct bitmap *b, uint64_t i)
{
	assert(b->n && b->set_bits <= b->n);
	if (b->set_bits == b->n)
		return b->n;
	uint64_t at = i < b->n ? bitmap_free_from(b, i) : b->n;

	return at < b->n ? at : bitmap_free_from(b, 0);
}
