/* I/Os on their way to their logs: a worker fills in blocks of a page, the writer passes them on as
 * they are, and the binary log (log/binlog.h) is made of them. 24 bytes an I/O, so that a log
 * costs little: what an I/O shares with those before it is in the head of its block. */
#ifndef FATHOM_RESULT_LOGBLOCK_H
#define FATHOM_RESULT_LOGBLOCK_H

#include "result/logrec.h"
#include <stdbool.h>
#include <stddef.h>

enum { LOGB_BYTES = 4096, LOGB_SLOTS = 169, LOGB_PRIOS = 8, LOGB_MARK = 0xb10c };

/* The eight bits above the offset: direction, whether the next slot goes with this one, and which
 * of the block's priorities. */
#define LOGB_OFFSET_BITS 56
#define LOGB_DIR	 3u
#define LOGB_LONG	 4u
#define LOGB_PRIO_SHIFT	 3

struct logb_io {
	uint32_t time_ns; /* completion, from the base of the block */
	uint32_t clat_ns, slat_ns;
	uint32_t len;
	uint64_t where; /* offset in bytes, LOGB_* above it */
};

/* What does not fit into the slot before: latencies from 2^32 ns or offsets from 2^56 on. */
struct logb_more {
	uint64_t clat_ns, slat_ns, offset;
};

union logb_slot {
	struct logb_io io;
	struct logb_more more;
};

struct log_block {
	uint64_t base_ns;  /* since the start of the job's measurement */
	uint64_t stamp_ns; /* to be added to times for the stamps of logs: 0, or the start in
			    * realtime with log_alternate_epoch */
	uint32_t job;	   /* counted from 0 */
	uint16_t slots;	   /* in use */
	uint16_t mark;	   /* LOGB_MARK */
	uint16_t prio[LOGB_PRIOS]; /* kernel values */
	union logb_slot slot[LOGB_SLOTS];
};

#define LOGB_HEAD offsetof(struct log_block, slot)

_Static_assert(sizeof(struct log_block) == LOGB_BYTES && LOGB_HEAD == 40 &&
		       sizeof(union logb_slot) == 24,
	       "a file format");

/* Bytes of a block that mean something. */
static inline size_t logb_bytes(const struct log_block *b)
{
	return LOGB_HEAD + b->slots * sizeof(b->slot[0]);
}

/* The I/O at slot *at (below b->slots), which moves to the next one; a second slot that is missing
 * is taken as zeros. */
static inline void logb_get(const struct log_block *b, unsigned *at, struct log_rec *r)
{
	const struct logb_io *io = &b->slot[(*at)++].io;
	unsigned bits = (unsigned)(io->where >> LOGB_OFFSET_BITS);
	uint64_t time = b->base_ns + io->time_ns;

	*r = (struct log_rec){.time_ns = time + b->stamp_ns,
			      .value = io->clat_ns,
			      .max = io->slat_ns,
			      .offset = io->where & ((UINT64_C(1) << LOGB_OFFSET_BITS) - 1),
			      .len = io->len,
			      .prio = b->prio[bits >> LOGB_PRIO_SHIFT & (LOGB_PRIOS - 1)],
			      .kind = LOGK_IO,
			      .dir = bits & LOGB_DIR};
	if (__builtin_expect(bits & LOGB_LONG, 0)) {
		struct logb_more more = {0};
		if (*at < b->slots)
			more = b->slot[(*at)++].more;
		r->value = more.clat_ns;
		r->max = more.slat_ns;
		r->offset = more.offset;
	}
	r->issue_ns = time - r->value;
}

#endif
