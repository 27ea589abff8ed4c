/* Checks that look at several jobs: what merged entries must agree on, sequential clones over one
 * range, and the mix of simulated and real engines. */
#include "plan/cross.h"
#include "plan/say.h"
#include "base/units.h"
#include <assert.h>
#include <string.h>

static struct draft cross_draft_of(struct builder *b, const struct plan_job *pj)
{
	return (struct draft){.b = b,
			      .job = pj->job,
			      .o = (struct job_opts *)pj->o,
			      .number = pj->number - pj->clone,
			      .clones = pj->clones};
}

static bool cross_same_floats(const struct opt_floats *a, const struct opt_floats *b)
{
	return a->n == b->n && !memcmp(a->v, b->v, a->n * sizeof(a->v[0]));
}

static void cross_entry_agrees(struct builder *b, const struct plan_job *first,
			       const struct plan_job *pj)
{
	const struct job_opts *x = first->o, *y = pj->o;
	struct draft d = cross_draft_of(b, pj);
	if (x->clat_percentiles != y->clat_percentiles ||
	    x->lat_percentiles != y->lat_percentiles ||
	    x->slat_percentiles != y->slat_percentiles ||
	    !cross_same_floats(&x->percentile_list, &y->percentile_list))
		draft_error(&d, ERR_USAGE, "percentiles-differ",
			    job_given(pj->job, OPT_percentile_list) ? OPT_percentile_list
								    : OPT_group_reporting,
			    "use the same percentile options in the whole group, or add new_group",
			    "%s and %s are reported together but have different percentile options",
			    first->name, pj->name);
	if (x->unified_rw_reporting != y->unified_rw_reporting)
		draft_error(&d, ERR_USAGE, "unified-differ", OPT_unified_rw_reporting,
			    "use the same value in the whole group, or add new_group",
			    "%s and %s are reported together but differ in unified_rw_reporting",
			    first->name, pj->name);
	if (x->ramp_size != y->ramp_size)
		draft_error(&d, ERR_USAGE, "ramp-differ", OPT_ramp_size,
			    "use the same value in the whole group, or add new_group",
			    "%s and %s are reported together but differ in ramp_size", first->name,
			    pj->name);
}

/* ramp_size is that of the whole entry when it merges workers (12.2): each has its share. */
static void cross_entry_ramp(struct builder *b, const struct plan_entry *e)
{
	for (unsigned k = 0; k < e->n; k++) {
		struct plan_job *pj = &b->plan->jobs[e->members[k]];
		pj->ramp_bytes = (pj->ramp_bytes + e->n - 1) / e->n;
	}
}

static void cross_check_entries(struct builder *b)
{
	for (unsigned i = 0; i < b->plan->entries_n; i++) {
		const struct plan_entry *e = &b->plan->entries[i];
		const struct plan_job *first = &b->plan->jobs[e->members[0]];
		for (unsigned k = 1; k < e->n; k++)
			if (b->plan->jobs[e->members[k]].clone == 0)
				cross_entry_agrees(b, first, &b->plan->jobs[e->members[k]]);
		cross_entry_ramp(b, e);
	}
}

static bool cross_same_places(const struct plan_job *x, const struct plan_job *y)
{
	if (x->files_n != y->files_n)
		return false;
	for (unsigned i = 0; i < x->files_n; i++)
		if (x->files[i].target != y->files[i].target ||
		    x->files[i].begin != y->files[i].begin)
			return false;
	return x->files_n > 0;
}

static void cross_check_same_range(struct builder *b)
{
	for (unsigned i = 1; i < b->plan->jobs_n; i++) {
		const struct plan_job *x = &b->plan->jobs[i - 1], *y = &b->plan->jobs[i];
		char part[32];
		if (y->clone != 1 || y->o->rw.bits & RW_RANDOM || !cross_same_places(x, y) ||
		    (y->caps & ENGINE_NO_FILES && !b->po->simulate))
			continue;
		struct draft d = cross_draft_of(b, y);
		uint64_t len = x->region / x->files_n / x->clones;
		len -= len % x->max_len;
		units_print_size(len ? len : x->max_len, part, sizeof(part));
		char *remedy =
			arena_printf(b->arena,
				     "add offset_increment=%s and size=%s so that each clone has "
				     "its own range, or use random offsets (rw=rand...)",
				     part, part);
		draft_warn(&d, "same-range", OPT_numjobs, remedy ? remedy : "",
			   "all %u sequential clones cover the same range: all but the first are "
			   "served from caches",
			   y->clones);
	}
}

static void cross_check_clock(struct builder *b)
{
	const struct plan_job *real = NULL, *sim = NULL;
	for (unsigned i = 0; i < b->plan->jobs_n; i++) {
		const struct plan_job *pj = &b->plan->jobs[i];
		if (!pj->engine)
			continue;
		if (pj->engine->caps & ENGINE_VIRTUAL)
			sim = pj;
		else
			real = pj;
	}
	b->plan->virtual_clock = sim && !real;
	if (!sim || !real)
		return;
	struct draft d = cross_draft_of(b, sim);
	draft_error(&d, ERR_USAGE, "sim-mix", OPT_ioengine,
		    "use ioengine=sim in all jobs, or explain --simulate",
		    "ioengine=%s runs on a virtual clock and cannot be mixed with ioengine=%s",
		    sim->engine->name, real->engine->name);
}

void cross_check(struct builder *b)
{
	assert(b->plan && !b->no_memory);
	cross_check_entries(b);
	cross_check_same_range(b);
	cross_check_clock(b);
}
