#include "workload/size.h"
#include "base/check.h"

#include <assert.h>
#include <errno.h>

static uint64_t size_gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t t = a % b;
		a = b;
		b = t;
	}
	return a;
}

static void size_sort_by(struct size_share *v, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		struct size_share s = v[i];
		unsigned k = i;
		for (; k && v[k - 1].size > s.size; k--)
			v[k] = v[k - 1];
		v[k] = s;
	}
}

static int size_split_init(struct sizes *s, const struct opt_split *split, struct arena *arena)
{
	struct size_share *v = arena_new(arena, struct size_share, split->n);
	double sum = 0, upto = 0;
	uint64_t below = 0;

	assert(split->n);
	if (!v)
		return -ENOMEM;
	for (unsigned i = 0; i < split->n; i++)
		sum += split->v[i].percent;
	if (!(sum > 0))
		return -EINVAL;
	for (unsigned i = 0; i < split->n; i++) {
		upto += split->v[i].percent;
		double edge = upto / sum;
		v[i].size = (uint32_t)split->v[i].size;
		v[i].wanted = split->v[i].percent > 0;
		/* Shares, not edges: the order of the table changes below. */
		uint64_t end = edge >= 1 ? UINT64_MAX : (uint64_t)(edge * 0x1p64);
		v[i].below = end - below;
		below = end;
	}
	size_sort_by(v, split->n);
	below = 0;
	for (unsigned i = 0; i < split->n; i++)
		below = v[i].below += below;
	s->kind = SIZES_SPLIT;
	s->v = v;
	s->n = split->n;
	s->lo = v[0].size;
	s->hi = v[split->n - 1].size;
	return 0;
}

int sizes_init(struct sizes *s, const struct job_opts *o, unsigned dir, struct arena *arena)
{
	assert(dir < DIRS && arena);
	s->kind = SIZES_ONE;
	s->lo = s->hi = o->bs[dir];
	if (o->bssplit[dir].n) {
		int ret = size_split_init(s, &o->bssplit[dir], arena);
		if (ret)
			return ret;
	} else if (o->bsrange[dir].hi) {
		s->kind = o->bs_unaligned ? SIZES_ANY : SIZES_RANGE;
		s->lo = o->bsrange[dir].lo;
		s->hi = o->bsrange[dir].hi;
	}
	if (s->lo == 0 || s->lo > s->hi || s->hi > UINT32_MAX)
		return -EINVAL;
	if (s->lo == s->hi)
		s->kind = SIZES_ONE;
	s->count = s->hi / s->lo + (s->hi % s->lo != 0);
	return 0;
}

static uint32_t size_split_draw(const struct sizes *s, struct rng *r)
{
	uint64_t x = rng_next(r);

	for (unsigned i = 0; i < s->n; i++)
		if (x < s->v[i].below)
			return s->v[i].size;
	/* The last edge is 2^64 - 1. */
	for (unsigned i = s->n; i--;)
		if (s->v[i].wanted)
			return s->v[i].size;
	return s->v[0].size;
}

uint32_t sizes_draw(const struct sizes *s, struct rng *r)
{
	hot_assert(s->lo && s->lo <= s->hi);
	switch (s->kind) {
	case SIZES_RANGE: {
		uint64_t size = (rng_below(r, s->count) + 1) * s->lo;
		return (uint32_t)(size < s->hi ? size : s->hi);
	}
	case SIZES_ANY:
		return (uint32_t)(s->lo + rng_below(r, s->hi - s->lo + 1));
	case SIZES_SPLIT:
		return size_split_draw(s, r);
	default:
		return (uint32_t)s->lo;
	}
}

static uint32_t size_split_fit(const struct sizes *s, uint64_t max)
{
	uint32_t any = 0;

	for (unsigned i = s->n; i--;) {
		if (s->v[i].size > max)
			continue;
		if (s->v[i].wanted)
			return s->v[i].size;
		if (!any)
			any = s->v[i].size;
	}
	return any;
}

uint32_t sizes_fit(const struct sizes *s, uint64_t max)
{
	hot_assert(s->lo && s->lo <= s->hi);
	if (max < s->lo)
		return 0;
	if (s->kind == SIZES_SPLIT)
		return size_split_fit(s, max);
	if (max >= s->hi)
		return (uint32_t)s->hi;
	return (uint32_t)(s->kind == SIZES_ANY ? max : max / s->lo * s->lo);
}

uint32_t sizes_draw_fit(const struct sizes *s, struct rng *r, uint64_t max)
{
	if (s->kind == SIZES_ONE)
		return s->lo <= max ? (uint32_t)s->lo : 0;
	/* Redrawing keeps the shares of the sizes that fit; a handful of times is enough to be
	 * near that, and always ends. */
	for (unsigned i = 0; i < 16; i++) {
		uint32_t size = sizes_draw(s, r);
		if (size <= max)
			return size;
	}
	return sizes_fit(s, max);
}

uint64_t sizes_unit(const struct sizes *s)
{
	uint64_t unit = s->lo;

	if (s->kind == SIZES_RANGE)
		return size_gcd(s->lo, s->hi);
	for (unsigned i = 0; i < s->n; i++)
		unit = size_gcd(unit, s->v[i].size);
	return unit;
}
