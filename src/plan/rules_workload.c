/* Rules about direction, block sizes and random offsets (compatibility 4.1, 6, 7). */
#include "plan/rules.h"
#include "plan/say.h"
#include "base/units.h"
#include <stdio.h>

static void rules_workload_split_or_range(struct draft *d)
{
	if (draft_given(d, OPT_bssplit) && draft_given(d, OPT_bsrange))
		draft_error(d, ERR_USAGE, "bs-pair", OPT_bssplit, "keep one of them",
			    "bssplit and bsrange exclude each other");
}

static void rules_workload_readonly_run(struct draft *d)
{
	if (d->b->po->readonly && d->o->rw.bits & (RW_WRITE | RW_TRIM))
		draft_error(d, ERR_USAGE, "readonly", OPT_rw, "remove --readonly, or use rw=read",
			    "the job writes, but --readonly is set");
}

static void rules_workload_align_defaults_to_bs(struct draft *d)
{
	for (unsigned dir = 0; dir < DIRS; dir++)
		if (!d->o->ba[dir])
			d->o->ba[dir] = d->lo[dir] ? d->lo[dir] : d->o->bs[dir];
}

/* Compatibility 6.7: blocks that do not begin on multiples of their size cannot be told apart on a
 * map. */
static void rules_workload_align_disables_coverage(struct draft *d)
{
	char a[32], b[32];
	if (!draft_given(d, OPT_ba) || !d->random || d->o->norandommap)
		return;
	for (unsigned dir = 0; dir < DIRS; dir++) {
		if (!d->lo[dir] || d->o->ba[dir] == d->lo[dir])
			continue;
		units_print_size(d->o->ba[dir], a, sizeof(a));
		units_print_size(d->lo[dir], b, sizeof(b));
		draft_warn(d, "align-map", OPT_ba, "add norandommap=1 if this is intended",
			   "ba=%s differs from bs=%s: blocks may be repeated or skipped", a, b);
		draft_reason(d, OPT_ba, "full coverage disabled: ba=%s differs from bs=%s", a, b);
		d->o->norandommap = true;
		return;
	}
}

static void rules_workload_distribution_repeats(struct draft *d)
{
	if (!d->random || d->o->random_distribution.kind == OPT_DIST_RANDOM || d->o->norandommap)
		return;
	d->o->norandommap = true;
	draft_reason(d, OPT_random_distribution,
		     "full coverage disabled: random_distribution revisits blocks");
}

static void rules_workload_lfsr_needs_one_size(struct draft *d)
{
	bool lfsr = d->o->random_generator == GENERATOR_LFSR;
	if (!d->random || !lfsr)
		return;
	if (!d->fixed_size)
		draft_warn(d, "lfsr-sizes", OPT_random_generator, "remove random_generator",
			   "random_generator=lfsr requires a single block size: using the default "
			   "generator");
	else if (d->o->norandommap && d->o->random_distribution.kind == OPT_DIST_RANDOM &&
		 !draft_given(d, OPT_ba))
		draft_reason(d, OPT_norandommap,
			     "full coverage enabled: lfsr never repeats a block");
}

static void rules_workload_coverage(struct draft *d)
{
	bool uniform = d->o->random_distribution.kind == OPT_DIST_RANDOM;
	bool lfsr = d->o->random_generator == GENERATOR_LFSR && d->fixed_size &&
		    !draft_given(d, OPT_ba);
	for (unsigned dir = 0; dir < DIRS; dir++)
		if (d->lo[dir] && d->random && d->o->ba[dir] != d->lo[dir])
			d->fixed_size = false;
	if (!d->random && d->o->rw.has_modifier && d->max_block &&
	    d->o->rw.modifier % (int64_t)d->max_block)
		d->fixed_size = false;
	d->cover = d->random && uniform && (!d->o->norandommap || lfsr);
}

static void rules_workload_seed_overrides_repeat(struct draft *d)
{
	if (!draft_given(d, OPT_randseed) || !d->o->randrepeat)
		return;
	d->o->randrepeat = false;
	draft_reason(d, OPT_randseed, "loops use different offsets: a seed is set");
}

static void rules_workload_trims_need_support(struct draft *d)
{
	if (d->trims && d->asked && !(d->asked_caps & ENGINE_TRIM))
		draft_error(d, ERR_USAGE, "trim-engine", OPT_rw,
			    "use ioengine=psync, pvsync2 or io_uring",
			    "ioengine=%s does not support trim", d->asked->name);
}

static void rules_workload_overlap_needs_depth(struct draft *d)
{
	if (!d->o->serialize_overlap || (d->depth > 1 && (d->writes || d->trims)))
		return;
	d->o->serialize_overlap = false;
	draft_reason(d, OPT_serialize_overlap, "ignored: %s",
		     d->depth > 1 ? "the job only reads" : "I/Os at depth 1 cannot overlap");
}

const rule_fn rules_before[] = {rules_workload_split_or_range, rules_workload_readonly_run, NULL};
const rule_fn rules_workload[] = {rules_workload_align_defaults_to_bs,
				  rules_workload_align_disables_coverage,
				  rules_workload_distribution_repeats,
				  rules_workload_lfsr_needs_one_size,
				  rules_workload_coverage,
				  rules_workload_seed_overrides_repeat,
				  rules_workload_trims_need_support,
				  rules_workload_overlap_needs_depth,
				  NULL};
