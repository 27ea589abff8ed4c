/* What the write buffers hold (compatibility 8).
 *
 * Default: every slot is filled with random bytes once; before each write the buffer is XORed with
 * 32 fresh random bytes. That touches each line once (about 30 ns for 4 KiB) and leaves data that
 * look new to compressors with any window and to deduplication of any grain; marks in each sector
 * alone would leave all the bytes between them alike.
 */
#ifndef FATHOM_WORKLOAD_DATA_H
#define FATHOM_WORKLOAD_DATA_H

#include "base/arena.h"
#include "base/must_check.h"
#include "base/rng.h"
#include "engine/io.h"
#include "workload/noise.h"
#include "plan/plan.h"

enum data_kind {
	DATA_NONE,   /* no writes, or no buffers */
	DATA_KEEP,   /* what was filled in at first */
	DATA_MASK,   /* random, changed as a whole for each write */
	DATA_STAMP,  /* zeros or a pattern with a mark in each 512 bytes */
	DATA_REFILL, /* fresh random bytes for each write */
	DATA_SHAPED  /* fresh, partly compressible or duplicate */
};

struct data {
	enum data_kind kind;
	bool zero;
	struct opt_pattern pattern;
	struct noise noise;
	struct rng rng, dedupe_rng;
	uint64_t count;	   /* writes so far */
	uint32_t *spoiled; /* [slots]: leading bytes that a read overwrote */
	uint32_t chunk;	   /* SHAPED: bytes; per chunk so many are random */
	uint32_t chunk_random;
	uint32_t dedupe_unit;  /* bytes, 0: no dedupe */
	uint64_t dedupe_below; /* share of 2^64 */
	uint64_t unique_seed;  /* of the last unique block */
	bool have_unique;
};

/* Fill the first len bytes of each of the slots. buffers may be NULL. */
MUST_CHECK int data_init(struct data *d, const struct plan_job *pj, void *buffers, size_t stride,
			 unsigned slots, struct arena *arena);
/* Prepare the data of the writes among ios; notes what reads will overwrite. */
void data_batch(struct data *d, struct io **ios, unsigned n, uint64_t now);

#endif
