/* What the floors have in common: options, the device, offsets, the clock that ends the loop. A
 * floor is the least a program can do to read at random; it keeps no statistics, so what separates
 * fathom from it is fathom's own cost.
 */
#ifndef FATHOM_BENCH_FLOOR_H
#define FATHOM_BENCH_FLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

struct floor {
	const char *path;
	int fd;
	uint64_t blocks;      /* of block_bytes in the file or device */
	uint64_t block_bytes; /* -b, 4096 */
	unsigned depth;	      /* -d, 1 */
	unsigned batch;	      /* -B, depth: completions to wait for in one call */
	double seconds;	      /* -t, 3 */
	bool direct;	      /* unless -c (cached) */
	bool hipri;	      /* -p */
	bool cap;	      /* -m: no more than batch a turn */
	bool vectored;	      /* -v: preadv2 without flags */
	bool plain;	      /* -n: io_uring without registered files and buffers */
	uint64_t seed;
	uint64_t end_ns;
	struct rusage usage; /* at the start */
	void *buffers;	     /* depth x block_bytes, page aligned */
};

/* Arguments only. */
void floor_parse(struct floor *f, int argc, char **argv);
/* Parse arguments, open, allocate. Ends the program with words on failure. */
void floor_init(struct floor *f, int argc, char **argv);
uint64_t floor_now(void);	       /* CLOCK_MONOTONIC, ns */
uint64_t floor_start(struct floor *f); /* sets the end; returns floor_now() */
/* What fathom and fio print of a job that matters here, as JSON on one line. */
void floor_report(const struct floor *f, uint64_t start_ns, uint64_t ios);
_Noreturn void floor_fail(const char *what, int error);

/* xorshift64*: a few cycles, good enough to spread reads. */
static inline uint64_t floor_offset(struct floor *f)
{
	uint64_t x = f->seed;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	f->seed = x;
	x *= 0x2545f4914f6cdd1dull;
	return (uint64_t)(((unsigned __int128)x * f->blocks) >> 64) * f->block_bytes;
}

static inline void *floor_buffer(const struct floor *f, unsigned slot)
{
	return (char *)f->buffers + slot * f->block_bytes;
}

#endif
