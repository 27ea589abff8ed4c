/* No device at all: the least a measuring program does for an I/O. Two clock reads, a random block
 * of a full pass in constant memory, and two latencies (completion and total) that each go into a
 * histogram with count, sum, sum of squares and extremes. What fathom adds to this on the null
 * engine is its cost of being general. With -n the clock reads alone.
 */
#include "floor.h"
#include <x86intrin.h>

enum { TURNS = 64, BUCKETS = 2368 };

struct sums {
	uint64_t n, sum, min, max, squares;
	uint64_t bucket[BUCKETS];
};

static uint64_t ticks_ns(uint64_t mult)
{
	return (uint64_t)(((unsigned __int128)__rdtsc() * mult) >> 32);
}

static uint64_t calibrate(void)
{
	uint64_t ns = floor_now(), ticks = __rdtsc(), end_ns;

	while ((end_ns = floor_now()) < ns + 10000000)
		;
	return (uint64_t)(((unsigned __int128)(end_ns - ns) << 32) / (__rdtsc() - ticks));
}

static unsigned bucket_of(uint64_t v)
{
	unsigned shift;

	if (v < 128)
		return (unsigned)v;
	shift = 57u - (unsigned)__builtin_clzll(v);
	return ((shift + 1) << 6) + (unsigned)((v >> shift) & 63);
}

/* One step of a full period: an odd multiplier and addend modulo a power of two, stirred. */
static uint64_t place(uint64_t i, uint64_t mask)
{
	uint64_t x = i;

	for (unsigned k = 0; k < 4; k++) {
		x = (x * 0xd1342543de82ef95 + 0x9e3779b97f4a7c15) & mask;
		x ^= (x >> 13) ^ (x >> 20);
	}
	return x;
}

static void add(struct sums *s, uint64_t v)
{
	s->n++;
	s->sum += v;
	s->squares += v * v;
	s->min = v < s->min ? v : s->min;
	s->max = v > s->max ? v : s->max;
	s->bucket[bucket_of(v)]++;
}

int main(int argc, char **argv)
{
	static struct sums clat = {.min = UINT64_MAX}, lat = {.min = UINT64_MAX};
	struct floor f;
	uint64_t start, done, ios = 0, mult, mask = (1u << 26) - 1;
	volatile uint64_t offset;

	floor_parse(&f, argc, argv);
	mult = calibrate();
	start = floor_start(&f);
	while (f.plain && floor_now() < f.end_ns) {
		for (int i = 0; i < TURNS; i++) {
			uint64_t issue = ticks_ns(mult);

			offset = ticks_ns(mult) - issue;
		}
		ios += TURNS;
	}
	done = ticks_ns(mult);
	while (floor_now() < f.end_ns) {
		for (int i = 0; i < TURNS; i++) {
			uint64_t begin = done, issue;

			offset = place(ios++, mask) * f.block_bytes;
			issue = ticks_ns(mult);
			done = ticks_ns(mult);
			add(&clat, done - issue);
			add(&lat, done - begin);
		}
	}
	(void)offset;
	floor_report(&f, start, ios);
	return 0;
}
