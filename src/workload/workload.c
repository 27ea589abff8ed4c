/* Setting up, loops, the end of the ramp. */
#include "workload/amounts.h"
#include "workload/fast.h"
#include "workload/files.h"
#include "workload/gen.h"
#include "workload/spread.h"
#include "base/check.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Which directions are placed, and which of the size triples they use. */
static int workload_blocks_init(struct workload *l, const struct plan_job *pj, struct arena *arena,
				struct err *err)
{
	const struct job_opts *o = pj->o;
	unsigned bits = o->rw.bits;
	bool used[DIRS] = {bits & RW_READ, bits & RW_WRITE, bits & RW_TRIM};

	l->pair = bits & RW_TRIMWRITE;
	if (l->pair)
		used[DIR_WRITE] = false;
	l->mixed = used[DIR_READ] && used[DIR_WRITE];
	l->dir = used[DIR_READ] ? DIR_READ : used[DIR_TRIM] ? DIR_TRIM : DIR_WRITE;
	if (l->seq_rand) {
		used[DIR_READ] = !l->random || l->burst || l->partly[DIR_READ] ||
				 l->partly[DIR_WRITE] || l->partly[DIR_TRIM];
		used[DIR_WRITE] = l->random;
		used[DIR_TRIM] = false;
	}
	l->fixed = true;
	l->smallest = UINT64_MAX;
	l->unit = 0;
	for (unsigned d = 0; d < DIRS; d++) {
		struct sizes *s = &l->sizes[d];
		if (!used[d])
			continue;
		int ret = sizes_init(s, o, d, arena);
		if (ret)
			return err_set(err, ERR_USAGE, -ret, "block sizes that cannot be used");
		if (s->kind != SIZES_ONE || (l->unit && s->lo != l->smallest))
			l->fixed = false;
		if (s->lo < l->smallest)
			l->smallest = s->lo;
		uint64_t a = sizes_unit(s), b = l->unit;
		while (b) {
			uint64_t t = a % b;
			a = b;
			b = t;
		}
		l->unit = a;
		l->align[d] = o->ba[d] ? o->ba[d] : s->lo;
	}
	if (!l->unit)
		return err_set(err, ERR_USAGE, EINVAL, "a job without a direction");
	l->block = (uint32_t)l->smallest;
	return 0;
}

static void workload_order_init(struct workload *l, const struct plan_job *pj)
{
	const struct job_opts *o = pj->o;

	l->random = o->rw.bits & RW_RANDOM;
	l->seq_rand = o->bs_is_seq_rand;
	l->identical = o->rw_sequencer == SEQUENCER_IDENTICAL;
	if (o->rw.has_modifier && !l->random)
		l->hole = o->rw.modifier;
	if (o->rw.has_modifier && l->random && o->rw.modifier > 0)
		l->burst = (uint64_t)o->rw.modifier;
	for (unsigned d = 0; l->random && d < DIRS; d++) {
		double p = o->percentage_random[d];
		if (!(o->rw.bits & 1u << d))
			continue;
		l->partly[d] = p < 100;
		l->random_below[d] = l->partly[d] ? (uint64_t)(p / 100 * 0x1p64) : UINT64_MAX;
	}
}

/* Every block once a pass, unless the job or the kind of its offsets says otherwise
 * (compatibility 6.7, 6.8). */
static void workload_draw_init(struct workload *l, const struct plan_job *pj)
{
	const struct job_opts *o = pj->o;
	bool cover = !o->norandommap;

	switch (o->random_distribution.kind) {
	case OPT_DIST_RANDOM:
		break;
	case OPT_DIST_ZONED:
	case OPT_DIST_ZONED_ABS:
		l->draw = DRAW_ZONED;
		return;
	case OPT_DIST_SEQUENCE:
		l->draw = DRAW_SEQUENCE;
		return;
	default:
		l->draw = DRAW_DIST;
		return;
	}
	if (o->random_generator == GENERATOR_LFSR && l->fixed)
		cover = true;
	for (unsigned d = 0; d < DIRS; d++)
		if (l->sizes[d].lo && l->align[d] != l->sizes[d].lo)
			cover = false;
	cover |= pj->cover;
	l->draw = !cover ? DRAW_FREE : l->fixed ? DRAW_PERMUTE : DRAW_MAP;
}

static void workload_seeds_init(struct workload *l, const struct plan_job *pj)
{
	rng_seed(&l->offset_rng, pj->seed[SEED_OFFSET]);
	rng_seed(&l->part_rng, pj->seed[SEED_SEQ_RAND]);
	for (unsigned d = 0; d < DIRS; d++)
		rng_seed(&l->size_rng[d], rng_derive(pj->seed[SEED_SIZE], 0, d));
	mix_init(&l->mix, pj->o->rwmixread, pj->seed[SEED_MIX]);
	pace_init(&l->pace, pj->o, pj->seed[SEED_POISSON]);
}

static void workload_syncs_init(struct syncs *s, const struct job_opts *o)
{
	s->every[0] = o->fsync;
	s->every[1] = o->fdatasync;
	if (o->sync_file_range.value)
		s->every[2] =
			o->sync_file_range.arg ? strtoull(o->sync_file_range.arg, NULL, 0) : 1;
	s->on = s->every[0] || s->every[1] || s->every[2];
}

int workload_init(struct workload **out, const struct workload_setup *s, struct arena *arena,
		  struct err *err)
{
	const struct plan_job *pj = s->plan;
	struct workload *l = arena_new(arena, struct workload, 1);
	int ret;

	assert(out && pj && s->slots && s->buffer_stride >= pj->max_len);
	if (!l)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for the workload");
	l->plan = pj;
	l->drawn = -1;
	workload_order_init(l, pj);
	workload_seeds_init(l, pj);
	ret = workload_blocks_init(l, pj, arena, err);
	if (!ret) {
		workload_draw_init(l, pj);
		ret = files_init(l, pj, arena, err);
	}
	if (!ret && l->random)
		ret = spread_init(l, pj, arena, err);
	if (ret)
		return ret;
	think_init(&l->think, pj);
	l->shift = pj->o->rate_ignore_thinktime;
	workload_syncs_init(&l->syncs, pj->o);
	l->slots = s->slots;
	if (pj->o->serialize_overlap)
		l->flights = arena_new(arena, struct flight, s->slots);
	ret = data_init(&l->data, pj, s->buffers, s->buffer_stride, s->slots, arena);
	if (ret || (pj->o->serialize_overlap && !l->flights)) {
		workload_release(l);
		return err_set(err, ERR_SETUP, ENOMEM, "no memory for the workload");
	}
	amounts_init(l, s);
	if (fast_can(l))
		fast_init(l);
	else
		l->fill = gen_fill;
	amounts_begin_pass(l);
	*out = l;
	return 0;
}

void workload_release(struct workload *l)
{
	for (unsigned i = 0; l && i < l->maps_n; i++)
		if (l->maps[i].n)
			bitmap_release(&l->maps[i]);
}

void workload_fill(struct workload *l, uint64_t now, unsigned in_flight, struct io **ios,
		   unsigned want, struct workload_fill *out)
{
	hot_assert(want && ios && out);
	l->fill(l, now, in_flight, ios, want, out);
}

bool workload_wants_completions(const struct workload *l)
{
	return l->flights || (l->think.on && l->think.completions);
}

void workload_completed(struct workload *l, struct io *const *ios, unsigned n, uint64_t now)
{
	hot_assert(ios && n);
	for (unsigned i = 0; i < n; i++) {
		if (ios[i]->op > IO_TRIM)
			continue;
		l->think.count += l->think.completions;
		if (l->flights)
			l->flights[ios[i]->slot].len = 0;
	}
}

void workload_start(struct workload *l, uint64_t now)
{
	pace_start(&l->pace, now);
	think_start(&l->think, now);
}

void workload_measured(struct workload *l, uint64_t now)
{
	amounts_settle(l);
	l->counting = true;
	l->ended = l->usable == 0;
	l->loop_bytes = l->total_ios = l->loop = 0;
	memset(&l->counts, 0, sizeof(l->counts));
	l->holding = l->pair_due = false;
	l->drawn = -1;
	l->mix.ahead = 0;
	l->syncs.writes = 0;
	l->syncs.due = false;
	pace_start(&l->pace, now);
	amounts_begin_pass(l);
}

void workload_swapped(struct workload *l)
{
	files_swapped(l);
}

bool workload_next_loop(struct workload *l, uint64_t now)
{
	assert(l->loop < l->loops);
	if (++l->loop >= l->loops) {
		l->ended = true;
		return false;
	}
	amounts_settle(l);
	l->loop_bytes = 0;
	amounts_begin_pass(l);
	return true;
}

void workload_counts(const struct workload *l, struct workload_counts *out)
{
	assert(l && out);
	*out = l->counts;
	if (!l->mixed)
		out->issued_ios[l->dir] += l->granted - l->stretch;
	out->late_ios = l->pace.late_ios;
	out->behind_ns_max = l->pace.behind_ns_max;
	/* One block size: not counted I/O by I/O. */
	for (unsigned d = 0; l->fixed && d < DIRS; d++)
		out->issued_bytes[d] = l->counts.issued_ios[d] * l->block;
}
