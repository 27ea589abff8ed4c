/* A worker's blocks of logged I/Os: filled in slot by slot, handed to the writer block by block.
 * Handing over single I/Os would have the two pass a cache line to and fro. */
#ifndef FATHOM_LOG_PACK_H
#define FATHOM_LOG_PACK_H

#include "base/must_check.h"
#include "engine/io.h"
#include "result/logblock.h"
#include "log/ring.h"

struct pack {
	union logb_slot *at, *end; /* equal: no block is open, or it is full */
	uint64_t base_ns;	   /* of the open block, on the run's clock */
	struct log_block *block;   /* the open one, NULL: none */
	struct ring *ring;	   /* of struct log_block */
	uint64_t measure_ns, stamp_ns;
	uint16_t prio; /* of I/Os without one of their own */
	uint64_t *stall_ns;
};

/* workers: how many have such a ring; all rings together stay within 64 MiB up to 1,024 of them.
 * stall_ns is raised by the time spent waiting for room. NULL without memory. */
MUST_CHECK struct pack *pack_new(unsigned job, unsigned workers, uint64_t *stall_ns);
void pack_free(struct pack *p);
/* The measurement begins at a reading of the run's clock; stamp_ns and prio: see log_block. */
void pack_begin(struct pack *p, uint64_t measure_ns, uint64_t stamp_ns, uint16_t prio);
/* Hand over what there is. Safe in a signal handler of the worker. */
void pack_close(struct pack *p);
/* An I/O that needs a new block, a second slot or a priority of its own. */
void pack_io_slow(struct pack *p, const struct io *io, uint64_t now);

/* An I/O that was done at `now`. */
static inline void pack_io(struct pack *p, const struct io *io, uint64_t now)
{
	uint64_t time = now - p->base_ns, clat = now - io->issue, slat = io->issue - io->start;
	union logb_slot *to = p->at;

	if (__builtin_expect((time | clat | slat) >> 32 || io->offset >> LOGB_OFFSET_BITS ||
				     to == p->end || io->flags & IO_PRIO,
			     0)) {
		pack_io_slow(p, io, now);
		return;
	}
	/* The writer has read the lines that are wanted soon: have them brought here meanwhile. */
	__builtin_prefetch(to + 16, 1, 3);
	to->io = (struct logb_io){.time_ns = (uint32_t)time,
				  .clat_ns = (uint32_t)clat,
				  .slat_ns = (uint32_t)slat,
				  .len = io->len_asked,
				  .where = io->offset | (uint64_t)io->op << LOGB_OFFSET_BITS};
	p->at = to + 1;
}

#endif
