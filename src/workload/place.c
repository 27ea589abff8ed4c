/* Offset and length of the next I/O within a file (compatibility 6.4 to 6.7, 7). Positions count
 * from the region's begin. */
#include "workload/place.h"
#include "workload/spread.h"
#include "base/check.h"

/* rw=SEQ:N: N is added to where the last I/O ended. Upward, what is beyond the end begins anew;
 * downward, it goes on from the end. */
static uint64_t place_hole_step(const struct workload *l, const struct workload_file *f,
				uint64_t from)
{
	uint64_t jump = l->hole < 0 ? -(uint64_t)l->hole : (uint64_t)l->hole;

	if (l->hole > 0)
		return f->bytes - from > jump ? from + jump : 0;
	if (from >= jump)
		return from - jump;
	uint64_t end = f->bytes - f->bytes % l->smallest;
	return end >= jump ? end - jump : 0;
}

static bool place_sequential(struct workload *l, struct workload_file *f, unsigned dir,
			     uint64_t *at, uint32_t *len)
{
	unsigned table = l->seq_rand ? DIR_READ : dir;
	const struct sizes *s = &l->sizes[table];
	struct rng *r = &l->size_rng[table];
	uint64_t pos = f->next[dir];

	hot_assert(f->next[dir] <= f->bytes);
	if (l->hole && f->touched & 1u << dir)
		pos = place_hole_step(l, f, pos);
	*len = sizes_draw_fit(s, r, f->bytes - pos);
	/* The cursors of a mixed job reach the end at different times. */
	if (!*len && pos && (l->hole || l->mixed)) {
		pos = 0;
		*len = sizes_draw_fit(s, r, f->bytes);
	}
	*at = pos;
	return *len != 0;
}

/* A random job that goes on where it was (percentage_random, rw=rand..:N), or stays there. The end
 * leads back to the begin: a tail shorter than a block ends nothing. */
static bool place_onward(struct workload *l, struct workload_file *f, unsigned dir, uint64_t *at,
			 uint32_t *len)
{
	unsigned table = l->seq_rand ? DIR_READ : dir;
	const struct sizes *s = &l->sizes[table];
	struct rng *r = &l->size_rng[table];
	bool stay = l->burst && l->identical;
	uint64_t pos = stay ? f->start[dir] : f->next[dir];

	hot_assert(f->next[dir] <= f->bytes && f->start[dir] <= f->bytes);
	*len = sizes_draw_fit(s, r, f->bytes - pos);
	if (!*len && pos) {
		pos = 0;
		*len = sizes_draw_fit(s, r, f->bytes);
	}
	*at = pos;
	return *len != 0;
}

/* Is this I/O of a random job really random? */
static bool place_jumps(struct workload *l, struct workload_file *f, unsigned dir)
{
	if (l->burst) {
		bool jump = f->burst[dir] == 0;
		if (jump)
			f->burst[dir] = l->burst;
		f->burst[dir]--;
		return jump;
	}
	return !l->partly[dir] || rng_next(&l->part_rng) < l->random_below[dir];
}

static bool place_permuted(struct workload *l, uint16_t file, uint64_t *at, uint32_t *len)
{
	struct workload_file *f = &l->files[file];

	hot_assert(file < l->files_n && l->unit);
	if (f->index >= f->blocks)
		return false;
	*at = permute_at(&l->perms[file], f->index++) * l->unit;
	*len = l->block;
	return true;
}

/* Uniform over all aligned positions where the drawn length fits. */
static bool place_free(struct workload *l, struct workload_file *f, unsigned table, uint64_t *at,
		       uint32_t *len)
{
	hot_assert(l->align[table]);
	*len = sizes_draw_fit(&l->sizes[table], &l->size_rng[table], f->bytes);
	if (!*len)
		return false;
	uint64_t places = (f->bytes - *len) / l->align[table] + 1;
	*at = rng_below(&l->offset_rng, places) * l->align[table];
	return true;
}

static bool place_random(struct workload *l, uint16_t file, unsigned dir, uint64_t *at,
			 uint32_t *len)
{
	unsigned table = l->seq_rand ? DIR_WRITE : dir;

	switch (l->draw) {
	case DRAW_PERMUTE:
		return place_permuted(l, file, at, len);
	case DRAW_MAP:
		return spread_draw_map(l, file, table, at, len);
	case DRAW_FREE:
		return place_free(l, &l->files[file], table, at, len);
	default:
		return spread_draw(l, file, table, at, len);
	}
}

bool place_next(struct workload *l, uint16_t file, unsigned dir, struct pick *p)
{
	struct workload_file *f = &l->files[file];
	uint64_t at = 0;
	uint32_t len = 0;
	bool found;

	hot_assert(file < l->files_n && dir < DIRS);
	if (place_full(l, f))
		return false;
	if (!l->random)
		found = place_sequential(l, f, dir, &at, &len);
	else if (place_jumps(l, f, dir))
		found = place_random(l, file, dir, &at, &len);
	else
		found = place_onward(l, f, dir, &at, &len);
	if (!found)
		return false;
	f->start[dir] = at;
	f->next[dir] = at + len;
	f->touched = (uint8_t)(f->touched | 1u << dir);
	f->used += len;
	p->offset = f->begin + at;
	p->len = len;
	p->file = file;
	p->dir = (uint8_t)dir;
	return true;
}
