#include "log/pack.h"
#include <assert.h>
#include <stdlib.h>

enum { BLOCKS_MOST = 256, BLOCKS_LEAST = 16, BLOCKS_ALL = 4096 };

struct pack *pack_new(unsigned job, unsigned workers, uint64_t *stall_ns)
{
	unsigned blocks = BLOCKS_MOST;
	struct pack *p = calloc(1, sizeof(*p));

	while (blocks > BLOCKS_LEAST && blocks > BLOCKS_ALL / (workers ? workers : 1))
		blocks /= 2;
	if (p)
		p->ring = ring_new(job, blocks, sizeof(struct log_block));
	if (!p || !p->ring) {
		free(p);
		return NULL;
	}
	p->stall_ns = stall_ns;
	return p;
}

void pack_free(struct pack *p)
{
	if (p)
		ring_free(p->ring);
	free(p);
}

void pack_begin(struct pack *p, uint64_t measure_ns, uint64_t stamp_ns, uint16_t prio)
{
	assert(p->ring);
	pack_close(p);
	p->measure_ns = measure_ns;
	p->stamp_ns = stamp_ns;
	p->prio = prio;
}

void pack_close(struct pack *p)
{
	struct log_block *b = p->block;

	if (!b || p->at == b->slot)
		return;
	b->slots = (uint16_t)(p->at - b->slot);
	p->block = NULL;
	p->at = p->end = NULL;
	ring_done(p->ring);
}

static void pack_open_block(struct pack *p, uint64_t now)
{
	struct log_block *b = ring_next(p->ring, p->stall_ns);

	assert(!p->block && now >= p->measure_ns);
	b->base_ns = now - p->measure_ns;
	b->stamp_ns = p->stamp_ns;
	b->job = p->ring->job;
	b->slots = 0;
	b->mark = LOGB_MARK;
	for (unsigned i = 0; i < LOGB_PRIOS; i++)
		b->prio[i] = p->prio;
	p->block = b;
	p->base_ns = now;
	p->at = b->slot;
	p->end = b->slot + LOGB_SLOTS;
}

/* The place of a priority in the open block, -1 when there is no room for it. Places that are not
 * taken hold the first one. */
static int pack_prio_index(struct log_block *b, uint16_t prio)
{
	for (int i = 0; i < LOGB_PRIOS; i++) {
		if (b->prio[i] == prio)
			return i;
		if (i && b->prio[i] == b->prio[0]) {
			b->prio[i] = prio;
			return i;
		}
	}
	return -1;
}

void pack_io_slow(struct pack *p, const struct io *io, uint64_t now)
{
	uint64_t clat = now - io->issue, slat = io->issue - io->start;
	bool more = (clat | slat) >> 32 || io->offset >> LOGB_OFFSET_BITS;
	uint16_t prio = io->flags & IO_PRIO ? io->prio : p->prio;
	int k = -1;

	assert(io->op <= IO_TRIM && now >= io->issue && io->issue >= io->start);
	if (p->block && now - p->base_ns <= UINT32_MAX && p->end - p->at > more)
		k = pack_prio_index(p->block, prio);
	if (k < 0) {
		pack_close(p);
		pack_open_block(p, now);
		k = pack_prio_index(p->block, prio);
	}
	uint64_t bits = io->op | (more ? LOGB_LONG : 0) | (unsigned)k << LOGB_PRIO_SHIFT;
	(p->at++)->io = (struct logb_io){
		.time_ns = (uint32_t)(now - p->base_ns),
		.clat_ns = more ? 0 : (uint32_t)clat,
		.slat_ns = more ? 0 : (uint32_t)slat,
		.len = io->len_asked,
		.where = (more ? 0 : io->offset) | bits << LOGB_OFFSET_BITS,
	};
	if (more)
		(p->at++)->more =
			(struct logb_more){.clat_ns = clat, .slat_ns = slat, .offset = io->offset};
}
