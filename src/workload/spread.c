/* Random offsets that are not uniform (compatibility 6.10), and the map for coverage with sizes
 * that vary (6.7). */
#include "workload/spread.h"
#include "base/check.h"

#include <errno.h>

static int spread_dists_init(struct workload *l, const struct plan_job *pj, struct arena *arena,
			     struct err *err)
{
	const struct opt_dist *o = &pj->o->random_distribution;
	enum dist_kind kind = o->kind == OPT_DIST_ZIPF	   ? DIST_ZIPF
			      : o->kind == OPT_DIST_PARETO ? DIST_PARETO
							   : DIST_NORMAL;

	l->dists = arena_new(arena, struct dist, l->files_n);
	if (!l->dists)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for the random distribution");
	for (unsigned i = 0; i < l->files_n; i++) {
		uint64_t n = l->files[i].bytes / l->smallest;
		if (n && dist_init(&l->dists[i], kind, n, o->param, o->center,
				   rng_next(&l->offset_rng)) < 0)
			return err_set(err, ERR_USAGE, EINVAL,
				       "the parameter of random_distribution is out of range");
	}
	return 0;
}

static int spread_zones_init(struct workload *l, const struct plan_job *pj, struct arena *arena,
			     struct err *err)
{
	const struct opt_dist *o = &pj->o->random_distribution;

	l->zones_absolute = o->kind == OPT_DIST_ZONED_ABS;
	for (unsigned d = 0; d < DIRS; d++) {
		unsigned n = o->zones[d].n;
		double access = 0, percent = 0, sum = 0;
		uint64_t bytes = 0;
		if (!n)
			continue;
		l->zones[d].v = arena_new(arena, struct zone, n);
		l->zones[d].n = n;
		if (!l->zones[d].v)
			return err_set(err, ERR_SETUP, ENOMEM, "no memory for the zones");
		for (unsigned i = 0; i < n; i++)
			sum += o->zones[d].v[i].access;
		for (unsigned i = 0; i < n; i++) {
			const struct opt_zone_share *from = &o->zones[d].v[i];
			struct zone *z = &l->zones[d].v[i];
			access += from->access;
			z->below = access >= sum ? UINT64_MAX : (uint64_t)(access / sum * 0x1p64);
			z->from = percent / 100;
			z->to = (percent += from->percent) / 100;
			z->from_bytes = bytes;
			z->to_bytes = bytes += from->bytes;
			for (unsigned k = 0; l->zones_absolute && k < l->files_n; k++)
				if (from->access > 0 &&
				    l->files[k].bytes < z->from_bytes + l->smallest)
					return err_set(err, ERR_USAGE, EINVAL,
						       "zone %u of zoned_abs begins beyond the "
						       "region of %s",
						       i + 1,
						       pj->files[k].path ? pj->files[k].path
									 : "a file");
		}
	}
	return 0;
}

static int spread_sequence_init(struct workload *l, const struct plan_job *pj, struct err *err)
{
	const struct opt_dist *o = &pj->o->random_distribution;

	l->sequence = o->sequence;
	l->sequence_n = o->sequence_n;
	if (!o->sequence_n)
		return err_set(err, ERR_USAGE, EINVAL,
			       "random_distribution=sequence has no block indexes");
	for (unsigned i = 0; i < o->sequence_n; i++)
		for (unsigned k = 0; k < l->files_n; k++)
			if (o->sequence[i] >= l->files[k].bytes / l->smallest)
				return err_set(err, ERR_USAGE, EINVAL,
					       "block %llu of random_distribution=sequence is "
					       "beyond the region of %s",
					       (unsigned long long)o->sequence[i],
					       pj->files[k].path ? pj->files[k].path : "a file");
	return 0;
}

static int spread_maps_init(struct workload *l, const struct plan_job *pj, struct arena *arena,
			    struct err *err)
{
	l->maps = arena_new(arena, struct bitmap, l->files_n);
	if (!l->maps)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for the random map");
	l->maps_n = l->files_n;
	for (unsigned i = 0; i < l->files_n; i++) {
		if (!l->files[i].blocks || bitmap_init(&l->maps[i], l->files[i].blocks) == 0)
			continue;
		if (!pj->o->softrandommap)
			return err_set(err, ERR_SETUP, ENOMEM,
				       "no memory for the random map of %llu blocks; "
				       "softrandommap=1 does without",
				       (unsigned long long)l->files[i].blocks);
		for (unsigned k = 0; k < i; k++)
			bitmap_release(&l->maps[k]);
		l->maps = NULL;
		l->maps_n = 0;
		l->draw = DRAW_FREE;
		return 0;
	}
	return 0;
}

int spread_init(struct workload *l, const struct plan_job *pj, struct arena *arena, struct err *err)
{
	switch (l->draw) {
	case DRAW_PERMUTE:
		l->perms = arena_new(arena, struct permute, l->files_n);
		return l->perms ? 0
				: err_set(err, ERR_SETUP, ENOMEM, "no memory for the permutations");
	case DRAW_MAP:
		return spread_maps_init(l, pj, arena, err);
	case DRAW_DIST:
		return spread_dists_init(l, pj, arena, err);
	case DRAW_ZONED:
		return spread_zones_init(l, pj, arena, err);
	case DRAW_SEQUENCE:
		return spread_sequence_init(l, pj, err);
	default:
		return 0;
	}
}

/* A block of size *len at block index i, moved down where a larger one would leave the region. */
static void spread_at_block(const struct workload *l, const struct workload_file *f, uint64_t i,
			    uint64_t *at, uint32_t len)
{
	*at = i * l->smallest;
	if (*at + len > f->bytes)
		*at = (f->bytes - len) / l->smallest * l->smallest;
}

/* Uniform in a drawn zone; a block lies in its zone as a whole unless the zone is smaller than
 * that. */
static void spread_zone_draw(struct workload *l, const struct workload_file *f,
			     const struct zones *zones, uint64_t align, uint64_t *at, uint32_t len)
{
	uint64_t x = rng_next(&l->offset_rng), from, to;
	const struct zone *z = zones->v;

	while (x >= z->below && z < zones->v + zones->n - 1)
		z++;
	if (l->zones_absolute) {
		from = z->from_bytes;
		to = z->to_bytes < f->bytes ? z->to_bytes : f->bytes;
	} else {
		from = (uint64_t)((double)f->bytes * z->from);
		to = z->to >= 1 ? f->bytes : (uint64_t)((double)f->bytes * z->to);
	}
	uint64_t first = (from + align - 1) / align;
	uint64_t places = to >= first * align + len ? (to - first * align - len) / align + 1 : 0;
	*at = places ? (first + rng_below(&l->offset_rng, places)) * align : from / align * align;
	if (*at + len > f->bytes)
		*at = (f->bytes - len) / align * align;
}

bool spread_draw(struct workload *l, uint16_t file, unsigned table, uint64_t *at, uint32_t *len)
{
	struct workload_file *f = &l->files[file];

	hot_assert(file < l->files_n && table < DIRS);
	*len = sizes_draw_fit(&l->sizes[table], &l->size_rng[table], f->bytes);
	if (!*len)
		return false;
	if (l->draw == DRAW_DIST) {
		spread_at_block(l, f, dist_draw(&l->dists[file], &l->offset_rng), at, *len);
	} else if (l->draw == DRAW_SEQUENCE) {
		spread_at_block(l, f, l->sequence[l->sequence_at++], at, *len);
		if (l->sequence_at == l->sequence_n)
			l->sequence_at = 0;
	} else {
		const struct zones *z = l->zones[table].n ? &l->zones[table] : &l->zones[DIR_READ];
		spread_zone_draw(l, f, z, l->align[table], at, *len);
	}
	return true;
}

/* How many of the `len` bits from i on are free, up to the first that is set. */
static uint64_t spread_free_run(const struct bitmap *b, uint64_t i, uint64_t len)
{
	uint64_t end = b->n - i < len ? b->n : i + len, k = i;

	while (k < end) {
		uint64_t word = b->level[0][k / 64] >> (k % 64);
		if (word) {
			k += (uint64_t)__builtin_ctzll(word);
			break;
		}
		k += 64 - k % 64;
	}
	return (k < end ? k : end) - i;
}

/* A free unit. Draws first, so that no address is preferred; when the map is nearly full, the next
 * one upward. */
static uint64_t spread_free_unit(struct workload *l, const struct bitmap *b)
{
	uint64_t i = 0;

	for (unsigned k = 0; k < 16; k++) {
		i = rng_below(&l->offset_rng, b->n);
		if (!bitmap_test(b, i))
			return i;
	}
	return bitmap_next_free(b, i);
}

bool spread_draw_map(struct workload *l, uint16_t file, unsigned table, uint64_t *at, uint32_t *len)
{
	struct bitmap *b = &l->maps[file];
	const struct sizes *s = &l->sizes[table];
	uint64_t size = sizes_draw(s, &l->size_rng[table]);

	while (b->set_bits < b->n) {
		uint64_t need = (size + l->unit - 1) / l->unit, best = 0, most = 0;
		/* A place where it fits as a whole keeps the shares of the sizes. */
		for (unsigned k = 0; k < 8 && most < need; k++) {
			uint64_t i = spread_free_unit(l, b), run = spread_free_run(b, i, need);
			if (run > most) {
				most = run;
				best = i;
			}
		}
		uint64_t room = most * l->unit;
		if (room < size)
			size = sizes_fit(s, room);
		if (!size && room >= l->smallest)
			size = room;
		*at = best * l->unit;
		if (size) {
			bitmap_set_run(b, best, (size + l->unit - 1) / l->unit);
			*len = (uint32_t)size;
			return true;
		}
		/* A gap smaller than any block is left out of this pass. */
		bitmap_set_run(b, best, most);
		l->files[file].used += room;
		l->counts.tail_bytes += room;
		size = sizes_draw(s, &l->size_rng[table]);
	}
	return false;
}
