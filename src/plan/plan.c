/* plan_make: the order of planning. */
#include "plan/build.h"
#include "plan/rules.h"
#include "plan/memory.h"
#include "plan/cross.h"
#include "plan/expand.h"
#include "plan/isolate.h"
#include "plan/place_cpus.h"
#include "plan/engines.h"
#include "plan/say.h"
#include <assert.h>
#include <errno.h>
#include <unistd.h>

static void plan_one(struct builder *b, const struct job *job)
{
	struct draft d = {.b = b, .job = job, .number = b->plan->jobs_n};
	d.o = build_alloc(b, sizeof(*d.o));
	if (!d.o)
		return;
	*d.o = job->o;
	d.clones = (unsigned)(d.o->numjobs ? d.o->numjobs : 1);
	engines_init(&d);
	rules_apply(&d);
	place_init(&d);
	/* Without an engine there is no telling what the files mean. */
	if (d.engine)
		expand_draft(&d);
}

static void plan_exitall(struct builder *b)
{
	for (unsigned i = 0; i < b->list->n; i++)
		b->plan->exitall |= b->list->jobs[i].o.exitall;
}

static uint64_t plan_ram_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

/* What the run builds upon. */
static void plan_assert_job(const struct plan *p, unsigned i)
{
	const struct plan_job *pj = &p->jobs[i];

	assert(pj->number == i && pj->clone < pj->clones);
	assert(pj->entry < p->entries_n && pj->group < p->groups_n && pj->stage < p->stages_n);
	assert(pj->depth && pj->batch && pj->batch <= pj->depth);
	assert(pj->batch_part && pj->batch_part <= pj->batch);
	assert(pj->reap_max && pj->reap_min <= pj->reap_max && pj->reap_max <= pj->depth);
	assert(pj->depth_low <= pj->depth && pj->max_len);
	assert(pj->reads || pj->writes || pj->trims);
	assert(pj->wait_n <= 0 || (unsigned)(pj->wait_first + pj->wait_n) <= i);
	for (unsigned k = 0; k < pj->files_n; k++) {
		assert(pj->files[k].target < p->targets_n);
		assert(pj->files[k].begin <= pj->files[k].end);
	}
}

static void plan_assert_sound(const struct plan *p)
{
	unsigned members = 0;

	for (unsigned i = 0; i < p->jobs_n; i++)
		plan_assert_job(p, i);
	for (unsigned e = 0; e < p->entries_n; e++)
		members += p->entries[e].n;
	assert(members == p->jobs_n);
	(void)members;
}

int plan_make(const struct job_list *list, const struct plan_options *po, struct arena *arena,
	      struct plan **out, struct diag *diag)
{
	size_t before = diag->errors;
	struct builder b = {.list = list,
			    .po = po,
			    .arena = arena,
			    .diag = diag,
			    .host = {.root = po->sysroot ? po->sysroot : ""},
			    .ram = plan_ram_bytes()};

	assert(list && po && arena && out && diag);
	b.plan = build_alloc(&b, sizeof(*b.plan));
	if (!b.plan)
		return -ENOMEM;
	b.plan->list = list;
	for (unsigned i = 0; i < list->n && !b.no_memory; i++)
		plan_one(&b, &list->jobs[i]);
	if (!b.no_memory && diag->errors == before) {
		expand_entries(&b);
		if (!b.no_memory)
			cross_check(&b);
		if (!b.no_memory && diag->errors == before)
			isolate_plan(&b);
		if (!b.no_memory && diag->errors == before)
			memory_check(&b);
	}
	if (b.no_memory) {
		diag_add(diag, DIAG_ERROR, ERR_SETUP, "memory", NULL, -1,
			 "plan fewer jobs or files at once",
			 "out of memory while planning the run");
		return -ENOMEM;
	}
	if (diag->errors != before)
		return -EINVAL;
	plan_exitall(&b);
	plan_assert_sound(b.plan);
	*out = b.plan;
	return 0;
}
