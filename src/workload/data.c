#include "workload/data.h"
#include "base/check.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

enum { SECTOR = 512 };

/* The pattern from its start, which is that of the buffer. */
static void data_fill_pattern(const struct opt_pattern *p, uint8_t *to, size_t len)
{
	size_t have = p->n < len ? p->n : len;

	memcpy(to, p->bytes, have);
	while (have < len) {
		size_t more = have < len - have ? have : len - have;
		memcpy(to + have, to, more);
		have += more;
	}
}

/* Random bytes followed by zeros or pattern, chunk by chunk. */
static void data_fill_chunks(struct data *d, uint8_t *to, uint32_t len)
{
	if (d->chunk_random)
		noise_fill(&d->noise, to, len);
	if (d->chunk_random == d->chunk)
		return;
	for (uint32_t at = 0; at < len; at += d->chunk) {
		uint32_t have = len - at < d->chunk ? len - at : d->chunk;
		uint32_t keep = d->chunk_random < have ? d->chunk_random : have;
		if (d->pattern.n)
			data_fill_pattern(&d->pattern, to + at + keep, have - keep);
		else
			memset(to + at + keep, 0, have - keep);
	}
}

static void data_fill_shaped(struct data *d, uint8_t *to, uint32_t len)
{
	if (!d->dedupe_unit) {
		data_fill_chunks(d, to, len);
		return;
	}
	for (uint32_t at = 0; at < len; at += d->dedupe_unit) {
		uint32_t have = len - at < d->dedupe_unit ? len - at : d->dedupe_unit;
		if (rng_next(&d->dedupe_rng) >= d->dedupe_below || !d->have_unique) {
			d->unique_seed = rng_next(&d->rng);
			d->have_unique = true;
		}
		noise_seed(&d->noise, d->unique_seed);
		data_fill_chunks(d, to + at, have);
	}
}

/* What a buffer holds at first. */
static void data_fill_base(struct data *d, uint8_t *to, uint32_t len)
{
	if (d->kind == DATA_SHAPED)
		data_fill_chunks(d, to, len);
	else if (d->pattern.n)
		data_fill_pattern(&d->pattern, to, len);
	else if (d->zero)
		memset(to, 0, len);
	else
		noise_fill(&d->noise, to, len);
}

static void data_choose_kind(struct data *d, const struct job_opts *o, const struct plan_job *pj)
{
	double squeeze = o->buffer_compress_percentage;

	if (!pj->writes) {
		d->kind = DATA_NONE;
	} else if (squeeze > 0 || o->dedupe_percentage > 0) {
		d->kind = DATA_SHAPED;
		d->chunk = (uint32_t)(o->buffer_compress_chunk ? o->buffer_compress_chunk
							       : pj->max_len);
		if (d->chunk > pj->max_len)
			d->chunk = pj->max_len;
		d->chunk_random = (uint32_t)((double)d->chunk * (100 - squeeze) / 100 + 0.5);
	} else if (d->pattern.n || o->zero_buffers) {
		d->kind = o->scramble_buffers ? DATA_STAMP : DATA_KEEP;
	} else if (o->refill_buffers) {
		d->kind = DATA_REFILL;
	} else {
		d->kind = o->scramble_buffers ? DATA_MASK : DATA_KEEP;
	}
	if (o->dedupe_percentage > 0) {
		uint64_t unit = pj->min_len[DIR_WRITE] ? pj->min_len[DIR_WRITE] : pj->max_len;
		d->dedupe_unit = (uint32_t)unit;
		d->dedupe_below = o->dedupe_percentage >= 100
					  ? UINT64_MAX
					  : (uint64_t)(o->dedupe_percentage / 100 * 0x1p64);
	}
}

int data_init(struct data *d, const struct plan_job *pj, void *buffers, size_t stride,
	      unsigned slots, struct arena *arena)
{
	assert(pj && slots && stride);
	*d = (struct data){.kind = DATA_NONE};
	if (!buffers)
		return 0;
	d->pattern = pj->o->buffer_pattern;
	d->zero = pj->o->zero_buffers;
	rng_seed(&d->rng, pj->seed[SEED_BUFFER]);
	rng_seed(&d->dedupe_rng, pj->seed[SEED_DEDUPE]);
	noise_init(&d->noise, rng_next(&d->rng));
	data_choose_kind(d, pj->o, pj);
	d->spoiled = arena_new(arena, uint32_t, slots);
	if (!d->spoiled)
		return -ENOMEM;
	for (unsigned i = 0; i < slots; i++)
		data_fill_base(d, (uint8_t *)buffers + i * stride, pj->max_len);
	return 0;
}

/* True: all that will be written is as good as new. */
static inline bool data_repair(struct data *d, struct io *io)
{
	uint32_t spoiled = d->spoiled[io->slot];

	if (__builtin_expect(spoiled == 0, 1))
		return false;
	data_fill_base(d, io->buf, spoiled);
	d->spoiled[io->slot] = 0;
	return spoiled >= io->len;
}

/* A mark that no other sector written by this worker has: where and the how-manieth. */
static void data_stamp(struct data *d, struct io *io, uint64_t now)
{
	uint8_t *to = io->buf;
	uint64_t mark[2] = {0, (++d->count * 0x9e3779b97f4a7c15) ^ (now << 20)};

	for (uint32_t at = 0; at + sizeof(mark) <= io->len; at += SECTOR) {
		mark[0] = (io->offset + at) * 0xd1342543de82ef95 + mark[1];
		memcpy(to + at, mark, sizeof(mark));
	}
}

/* The clock goes in so that another run of the same job does not write the very data of this one.
 */
static void data_mask(struct data *d, struct io *io, uint64_t now)
{
	uint64_t key[4];

	for (unsigned i = 0; i < 4; i++)
		key[i] = rng_next(&d->rng) ^ (now * 0x9e3779b97f4a7c15);
	noise_mask(&d->noise, io->buf, io->len, key);
}

static inline void data_write_one(struct data *d, struct io *io, uint64_t now)
{
	switch (d->kind) {
	case DATA_KEEP:
		data_repair(d, io);
		break;
	case DATA_MASK:
		if (d->spoiled[io->slot])
			noise_stir(&d->noise, now);
		if (!data_repair(d, io))
			data_mask(d, io, now);
		break;
	case DATA_STAMP:
		data_repair(d, io);
		data_stamp(d, io, now);
		break;
	case DATA_REFILL:
		noise_fill(&d->noise, io->buf, io->len);
		break;
	case DATA_SHAPED:
		data_fill_shaped(d, io->buf, io->len);
		break;
	case DATA_NONE:
		break;
	}
}

void data_batch(struct data *d, struct io **ios, unsigned n, uint64_t now)
{
	hot_assert(ios || !n);
	if (d->kind == DATA_NONE)
		return;
	for (unsigned i = 0; i < n; i++) {
		struct io *io = ios[i];
		if (io->op == IO_WRITE)
			data_write_one(d, io, now);
		else if (io->op == IO_READ && io->len > d->spoiled[io->slot])
			d->spoiled[io->slot] = io->len;
	}
}
