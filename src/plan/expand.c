/* From a draft to workers: clones in order, groups, stages, wait_for (compatibility 5.2, 12.3
 * to 12.10), and report entries. */
#include "plan/expand.h"
#include "plan/targets.h"
#include "plan/limits.h"
#include "plan/sizes.h"
#include "plan/files_list.h"
#include "plan/seeds.h"
#include "plan/engines.h"
#include "plan/say.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* stonewall and new_group count for the first clone only; before any job they mean nothing. */
static void expand_place_in_order(struct draft *d)
{
	struct builder *b = d->b;
	bool wall = d->job->o.stonewall || d->job->first_of_file;

	if (b->plan->jobs_n) {
		b->stage += wall;
		if ((wall || d->job->o.new_group) && b->group_jobs) {
			b->group++;
			b->group_jobs = 0;
		}
	}
	b->group_jobs++;
}

static const char *expand_name_of(const struct job *j)
{
	return j->o.name ? j->o.name : j->section;
}

static bool expand_is_called(const struct job *j, const char *name, bool by_section)
{
	return !strcmp(by_section ? j->section : expand_name_of(j), name);
}

/* An earlier job that failed in planning has no workers, but it is there. */
static bool expand_defined_before(const struct draft *d, const char *name)
{
	for (const struct job *j = d->b->list->jobs; j < d->job; j++)
		if (expand_is_called(j, name, false) || expand_is_called(j, name, true))
			return true;
	return false;
}

/* The workers of the one earlier job with that reported name or, failing that, section name. */
static void expand_find_waited(struct draft *d, int *first, int *n)
{
	const char *name = d->o->wait_for;
	const struct plan *p = d->b->plan;
	bool by_section = true;
	unsigned jobs = 0;

	*first = *n = 0;
	if (!name)
		return;
	for (unsigned i = 0; i < p->jobs_n; i++)
		if (expand_is_called(p->jobs[i].job, name, false))
			by_section = false;
	for (unsigned i = 0; i < p->jobs_n; i++) {
		if (!expand_is_called(p->jobs[i].job, name, by_section))
			continue;
		if (!*n)
			*first = (int)i;
		++*n;
		jobs += p->jobs[i].clone == 0;
	}
	if (jobs > 1)
		draft_error(d, ERR_USAGE, "wait-for", OPT_wait_for, "give the jobs different names",
			    "wait_for=%s: %u jobs have that name", name, jobs);
	else if (!jobs && !expand_defined_before(d, name))
		draft_error(d, ERR_USAGE, "wait-for", OPT_wait_for,
			    "name a job that is defined before this one",
			    "wait_for=%s: no earlier job has that name", name);
}

static struct plan_job *expand_add_job(struct builder *b)
{
	struct plan_job *v =
		build_grow(b, b->plan->jobs, b->plan->jobs_n, &b->jobs_room, sizeof(*v));
	if (!v)
		return NULL;
	b->plan->jobs = v;
	v += b->plan->jobs_n++;
	memset(v, 0, sizeof(*v));
	return v;
}

static void expand_place_cpus(const struct draft *d, struct plan_job *pj)
{
	assert(pj->number < d->b->plan->jobs_n);
	pj->cpus = d->cpus;
	if (d->o->cpus_allowed_policy == CPUS_SPLIT && d->cpus.n) {
		pj->cpus.cpu = &d->cpus.cpu[pj->number % d->cpus.n];
		pj->cpus.n = 1;
	}
}

static uint64_t expand_buffers_of(const struct draft *d)
{
	uint64_t one = (d->max_block + 4095) / 4096 * 4096;
	return one * d->depth + d->o->iomem_align;
}

static void expand_fill_common(const struct draft *d, struct plan_job *pj)
{
	assert(d->depth && d->batch && d->batch <= d->depth && d->engine);
	pj->job = d->job;
	pj->o = d->o;
	pj->name = expand_name_of(d->job);
	pj->description = d->o->description;
	pj->clones = d->clones;
	pj->group = d->b->group;
	pj->stage = d->b->stage;
	pj->engine = d->engine;
	pj->engine_options = d->engine_options;
	pj->engine_given = d->engine_given;
	pj->caps = d->caps;
	pj->traits = d->traits;
	pj->is_async = !(d->asked_caps & ENGINE_SYNC);
	pj->reads = d->reads;
	pj->writes = d->writes;
	pj->trims = d->trims;
	pj->depth = d->depth;
	pj->batch = d->batch;
	pj->batch_part = d->batch_part;
	pj->reap_min = d->reap_min;
	pj->reap_max = d->reap_max;
	pj->depth_low = d->depth_low;
	pj->max_len = (uint32_t)d->max_block;
	memcpy(pj->min_len, d->lo, sizeof(pj->min_len));
	memcpy(pj->most_len, d->hi, sizeof(pj->most_len));
	pj->cover = d->cover;
	pj->fixed_size = d->fixed_size;
	pj->buffer_bytes = expand_buffers_of(d);
}

/* One clone; false after an error: the other clones would only repeat it. */
static bool expand_clone(struct draft *d, unsigned clone)
{
	assert(clone < d->clones);
	struct plan_job *pj = expand_add_job(d->b);
	if (!pj)
		return false;
	pj->number = d->b->plan->jobs_n - 1;
	pj->clone = clone;
	expand_fill_common(d, pj);
	expand_place_cpus(d, pj);
	seeds_init(d, pj);
	if (!files_name(d, pj) || !sizes_region(d, pj))
		return false;
	sizes_limits(d, pj);
	targets_use(d, pj);
	if (clone == 0)
		engines_check(d, pj);
	return !d->failed;
}

void expand_draft(struct draft *d)
{
	int wait_first, wait_n;
	expand_place_in_order(d);
	expand_find_waited(d, &wait_first, &wait_n);
	d->number = d->b->plan->jobs_n;
	for (unsigned c = 0; c < d->clones; c++)
		if (!expand_clone(d, c))
			break;
	for (unsigned i = d->number; i < d->b->plan->jobs_n; i++) {
		struct plan_job *pj = &d->b->plan->jobs[i];
		pj->wait_first = wait_first;
		pj->wait_n = wait_n;
		pj->reasons = d->reasons;
		pj->reasons_n = d->reasons_n;
	}
}

/* Compatibility 12.8: a job with group_reporting joins the entry before it when that is of the same
 * group, whatever that one set. Jobs with stats=0 are in no one's entry. */
static void expand_assign_entries(struct plan *p)
{
	int last = -1;
	unsigned group = 0;
	for (unsigned i = 0; i < p->jobs_n; i++) {
		struct plan_job *pj = &p->jobs[i];
		bool joins =
			last >= 0 && pj->o->group_reporting && pj->group == group && pj->o->stats;
		pj->entry = joins ? (unsigned)last : p->entries_n++;
		if (!pj->o->stats)
			continue;
		last = (int)pj->entry;
		group = pj->group;
	}
}

void expand_entries(struct builder *b)
{
	struct plan *p = b->plan;
	expand_assign_entries(p);
	p->groups_n = p->jobs_n ? p->jobs[p->jobs_n - 1].group + 1 : 0;
	p->stages_n = p->jobs_n ? p->jobs[p->jobs_n - 1].stage + 1 : 0;
	p->entries = build_alloc(b, p->entries_n * sizeof(*p->entries));
	unsigned *members = build_alloc(b, p->jobs_n * sizeof(*members));
	if (!p->entries || !members)
		return;
	for (unsigned i = 0; i < p->jobs_n; i++)
		p->entries[p->jobs[i].entry].n++;
	for (unsigned e = 0, at = 0; e < p->entries_n; e++) {
		p->entries[e].members = members + at;
		at += p->entries[e].n;
		p->entries[e].n = 0;
	}
	for (unsigned i = 0; i < p->jobs_n; i++) {
		struct plan_entry *e = &p->entries[p->jobs[i].entry];
		if (!e->n) {
			e->first = i;
			e->group = p->jobs[i].group;
		}
		e->members[e->n++] = i;
	}
}
