/* isolate=1: which CPUs the workers get for themselves.
 *
 * A worker that names its CPUs (cpus_allowed, cpumask) has those; any other gets one near its
 * device: rather one the kernel keeps the scheduler away from, of the fast kind, that nobody uses
 * now, and not of the first core, where a kernel does what has no place of its own. Siblings of
 * the chosen ones are kept idle as far as they go. At least one CPU is left to the machine. */
#include "plan/isolate.h"
#include "plan/place_cpus.h"
#include "plan/say.h"
#include "host/busy.h"
#include "host/cpu.h"
#include "host/isolation.h"
#include "host/smt.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BUSY_LOOK_NS 300000000u
/* CPUs are compared by how busy they are in steps of so much: below it is the noise of any machine,
 * and a task that works a tenth of the time is what isolation is for. */
#define BUSY_STEP_PERCENT 3.0
#define BUSY_BITS	  6

struct cpu_slot {
	unsigned cpu, core; /* core: the lowest of its CPUs that is online */
	bool usable;	    /* this process may run there */
	bool kept;	    /* isolated by the kernel */
	bool slow;
	unsigned busy;	  /* steps of BUSY_STEP_PERCENT */
	bool taken, idle; /* for the workers; kept idle for them */
	unsigned used;	  /* workers of the stage on it */
};

struct cpu_slots {
	struct cpu_slot *v; /* the CPUs that are online, ascending */
	unsigned n, taken;
};

static struct cpu_slot *isolate_slot_of(const struct cpu_slots *s, unsigned cpu)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->v[i].cpu == cpu)
			return &s->v[i];
	return NULL;
}

static bool isolate_asks(const struct plan_job *pj)
{
	return pj->o->isolate && !(pj->caps & ENGINE_VIRTUAL);
}

/* Given by number, not by node: those and no others. */
static bool isolate_named(const struct plan_job *pj)
{
	return pj->o->cpus_allowed.n || pj->o->cpumask;
}

/* Busy kernel threads of the engine need CPUs as well. */
static unsigned isolate_wants(const struct plan_job *pj)
{
	return 1 + pj->traits.extra_cpus;
}

/* Below another root tests make machines of any shape; this process may run on all of them. A
 * process that was confined by nobody may also use the CPUs that its mask lacks because the kernel
 * was booted with isolcpus. */
static int isolate_may_use(struct builder *b, const struct cpuset *online,
			   const struct isolation *i, struct cpu_slots *s)
{
	struct cpuset mask = *online, both = {NULL, 0};
	int ret = b->host.root[0] ? 0 : cpu_allowed(b->arena, &mask);
	if (!ret)
		ret = cpuset_both(online, &i->isolated, b->arena, &both);
	if (ret)
		return ret;
	bool confined = mask.n < online->n - both.n;
	for (unsigned k = 0; k < s->n; k++)
		s->v[k].usable = cpuset_has(&mask, s->v[k].cpu) || (s->v[k].kept && !confined);
	return 0;
}

/* The CPUs of this machine but for those that somebody else has taken with a partition. */
static int isolate_whole(struct builder *b, struct cpuset *out)
{
	char text[4096];
	struct cpuset online, open;
	int ret = cpu_online(&b->host, b->arena, &online);
	*out = online;
	if (ret ||
	    host_read_text(&b->host, text, sizeof(text), "/sys/fs/cgroup/cpuset.cpus.effective") ||
	    cpuset_parse(text, b->arena, &open) || !open.n)
		return ret;
	return cpuset_both(&online, &open, b->arena, out);
}

static int isolate_look(struct builder *b, struct cpu_slots *s)
{
	struct cpuset online, fast = {NULL, 0}, slow = {NULL, 0}, core;
	struct isolation i = {0};
	int ret = isolate_whole(b, &online);
	if (!ret)
		ret = isolation_read(&b->host, b->arena, &i);
	if (!ret && smt_kinds(&b->host, b->arena, &fast, &slow) == -ENOMEM)
		ret = -ENOMEM;
	if (ret)
		return ret;
	s->v = build_alloc(b, online.n * sizeof(*s->v));
	if (!s->v)
		return -ENOMEM;
	memset(s->v, 0, online.n * sizeof(*s->v));
	s->n = online.n;
	for (unsigned k = 0; k < s->n; k++) {
		struct cpu_slot *one = &s->v[k];
		one->cpu = one->core = online.cpu[k];
		one->kept = cpuset_has(&i.isolated, one->cpu);
		one->slow = cpuset_has(&slow, one->cpu);
		if (!smt_siblings(&b->host, one->cpu, b->arena, &core))
			for (unsigned c = core.n; c-- > 0;)
				if (cpuset_has(&online, core.cpu[c]))
					one->core = core.cpu[c];
	}
	return isolate_may_use(b, &online, &i, s);
}

/* Only where there is a choice, and only this machine can be watched. */
static void isolate_look_who_works(struct builder *b, struct cpu_slots *s)
{
	const struct timespec t = {0, BUSY_LOOK_NS};
	struct busy_look *first;
	struct busy now;
	if (b->host.root[0] || s->n < 2 || busy_start(&b->host, b->arena, &first))
		return;
	nanosleep(&t, NULL);
	if (busy_end(&b->host, b->arena, first, BUSY_LOOK_NS, &now))
		return;
	for (unsigned i = 0; i < now.cpus; i++) {
		struct cpu_slot *one = isolate_slot_of(s, now.cpu[i].cpu);
		if (one)
			one->busy = (unsigned)(now.cpu[i].busy / BUSY_STEP_PERCENT);
	}
}

/* A worker of the stage is on another CPU of that core. */
static bool isolate_core_used(const struct cpu_slots *s, const struct cpu_slot *one)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->v[i].core == one->core && &s->v[i] != one && s->v[i].used)
			return true;
	return false;
}

/* The smaller, the better a place for one more worker. */
static uint64_t isolate_cost(const struct cpu_slots *s, const struct cpu_slot *one)
{
	uint64_t c = one->used;
	c = c << 1 | isolate_core_used(s, one);
	c = c << 1 | one->slow;
	c = c << 1 | !one->kept;
	c = c << BUSY_BITS | one->busy;
	c = c << 1 | (one->core == s->v[0].core);
	c = c << 1 | !one->taken;
	return c << 16 | one->cpu;
}

/* among n 0: all. */
static struct cpu_slot *isolate_best(const struct cpu_slots *s, const struct cpuset *among,
				     const struct cpuset *but)
{
	struct cpu_slot *found = NULL;
	for (unsigned i = 0; i < s->n; i++) {
		struct cpu_slot *one = &s->v[i];
		if (!one->usable || (among->n && !cpuset_has(among, one->cpu)) ||
		    cpuset_has(but, one->cpu) || (!one->taken && s->taken + 1 >= s->n))
			continue;
		if (!found || isolate_cost(s, one) < isolate_cost(s, found))
			found = one;
	}
	return found;
}

static void isolate_take(struct cpu_slots *s, struct cpu_slot *one)
{
	assert(one >= s->v && one < s->v + s->n);
	s->taken += !one->taken;
	one->taken = true;
}

/* Its CPUs are chosen; n 0: it goes without. */
static void isolate_give(struct builder *b, struct cpu_slots *s, struct plan_job *pj)
{
	assert(!pj->isolate);
	static const struct cpuset none = {NULL, 0};
	struct cpuset near = pj->cpus, got = {build_alloc(b, 2 * sizeof(unsigned)), 0};
	int node = near.n ? -1 : place_node(b, pj->o);
	if (!got.cpu || (node >= 0 && cpu_of_node(&b->host, (unsigned)node, b->arena, &near)))
		node = -1;
	while (got.cpu && got.n < isolate_wants(pj)) {
		struct cpu_slot *one = isolate_best(s, &near, &got);
		if (!one && node >= 0)
			one = isolate_best(s, &none, &got);
		if (!one)
			break;
		isolate_take(s, one);
		got.cpu[got.n++] = one->cpu;
	}
	if (got.n == 2 && got.cpu[0] > got.cpu[1]) {
		unsigned high = got.cpu[0];
		got.cpu[0] = got.cpu[1];
		got.cpu[1] = high;
	}
	for (unsigned i = 0; i < got.n; i++)
		isolate_slot_of(s, got.cpu[i])->used++;
	pj->isolate = got.n > 0;
	if (got.n)
		pj->cpus = got;
}

/* What the user named, but for the one CPU that is left to the machine when it is all of them. */
static void isolate_take_named(struct builder *b, struct cpu_slots *s)
{
	for (unsigned i = 0; i < b->plan->jobs_n; i++) {
		const struct plan_job *pj = &b->plan->jobs[i];
		for (unsigned k = 0; isolate_asks(pj) && isolate_named(pj) && k < pj->cpus.n; k++) {
			struct cpu_slot *one = isolate_slot_of(s, pj->cpus.cpu[k]);
			if (one)
				isolate_take(s, one);
		}
	}
	if (s->n && s->taken == s->n) {
		s->v[0].taken = false;
		s->taken--;
	}
}

static struct cpuset isolate_listed(struct builder *b, const struct cpu_slots *s,
				    bool (*in)(const struct cpu_slot *))
{
	struct cpuset l = {build_alloc(b, s->n * sizeof(unsigned)), 0};
	for (unsigned i = 0; l.cpu && i < s->n; i++)
		if (in(&s->v[i]))
			l.cpu[l.n++] = s->v[i].cpu;
	return l;
}

static bool isolate_is_taken(const struct cpu_slot *one)
{
	return one->taken || one->idle;
}

static bool isolate_is_idle(const struct cpu_slot *one)
{
	return one->idle;
}

static bool isolate_is_left(const struct cpu_slot *one)
{
	return !one->taken && !one->idle;
}

/* Of the CPUs of a worker those that are isolated. A worker that did not ask and may run nowhere
 * else is in it with the others. */
static void isolate_confine(struct builder *b, struct plan_job *pj, const struct cpuset *cpus,
			    const struct cpuset *rest)
{
	struct cpuset in, out;
	if (!pj->cpus.n || cpuset_both(&pj->cpus, cpus, b->arena, &in) ||
	    cpuset_both(&pj->cpus, rest, b->arena, &out))
		return;
	if (isolate_asks(pj)) {
		pj->isolate = in.n > 0;
		pj->cpus = in.n ? in : pj->cpus;
	} else if (out.n) {
		pj->cpus = out;
	} else {
		pj->isolate = in.n > 0;
	}
}

/* Nobody else of its stage may need the CPUs of a worker that keeps them while it works. */
static bool isolate_alone(const struct plan *p, const struct plan_job *pj)
{
	unsigned others = 1;
	for (unsigned i = 0; i < p->jobs_n; i++) {
		const struct plan_job *x = &p->jobs[i];
		bool meets = false;
		if (x == pj || !x->isolate || x->stage != pj->stage)
			continue;
		for (unsigned k = 0; k < x->cpus.n && !meets; k++)
			meets = cpuset_has(&pj->cpus, x->cpus.cpu[k]);
		others += meets;
	}
	return others <= pj->cpus.n;
}

static void isolate_say(struct builder *b, const struct plan_job *pj, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void isolate_say(struct builder *b, const struct plan_job *pj, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_add(b->diag, DIAG_WARNING, ERR_NONE, "isolate-cpus", &pj->job->at, (int)pj->number,
		 "use fewer workers, or other CPUs in cpus_allowed", "%s: %s", pj->name, text);
}

static void isolate_keep_siblings_idle(struct cpu_slots *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		bool beside = false;
		for (unsigned k = 0; k < s->n && !beside; k++)
			beside = s->v[k].taken && s->v[k].core == s->v[i].core;
		if (!beside || s->v[i].taken || s->taken + 1 >= s->n)
			continue;
		s->v[i].idle = true;
		s->taken++;
	}
}

static void isolate_choose(struct builder *b, struct cpu_slots *s)
{
	struct plan *p = b->plan;
	bool looked = false;
	isolate_take_named(b, s);
	for (unsigned w = 0; w < p->stages_n; w++) {
		for (unsigned i = 0; i < s->n; i++)
			s->v[i].used = 0;
		for (unsigned i = 0; i < p->jobs_n; i++) {
			struct plan_job *pj = &p->jobs[i];
			if (pj->stage != w || !isolate_asks(pj))
				continue;
			for (unsigned k = 0; isolate_named(pj) && k < pj->cpus.n; k++) {
				struct cpu_slot *one = isolate_slot_of(s, pj->cpus.cpu[k]);
				if (one)
					one->used += pj->cpus.n == 1;
			}
			if (isolate_named(pj))
				continue;
			if (!looked)
				isolate_look_who_works(b, s);
			looked = true;
			isolate_give(b, s, pj);
		}
	}
	isolate_keep_siblings_idle(s);
}

/* Words for what did not come as wished, once a job: of its n workers. */
static void isolate_tell(struct builder *b, const struct plan_isolation *iso,
			 const struct plan_job *pj, unsigned n)
{
	unsigned without = 0, shared = 0, cpus = iso->cpus.n - iso->idle.n;
	for (unsigned w = 0; w < n; w++) {
		without += !pj[w].isolate;
		shared += pj[w].isolate && !pj[w].own_cpus;
	}
	if (!isolate_asks(pj)) {
		if (without < n)
			isolate_say(b, pj,
				    "its CPUs overlap with those of isolated jobs: it competes "
				    "with their workers");
		return;
	}
	if (without)
		isolate_say(b, pj,
			    "%u of %u workers are not isolated: at least one CPU is left for other "
			    "tasks",
			    without, n);
	if (shared)
		isolate_say(b, pj, "%u of %u workers share CPUs: only %u can be isolated", shared,
			    n, cpus);
}

static void isolate_tell_all(struct builder *b, const struct plan_isolation *iso)
{
	const struct plan *p = b->plan;
	for (unsigned i = 0, n; i < p->jobs_n; i += n) {
		for (n = 1; i + n < p->jobs_n && p->jobs[i + n].job == p->jobs[i].job;)
			n++;
		isolate_tell(b, iso, &p->jobs[i], n);
	}
}

void isolate_plan(struct builder *b)
{
	struct plan *p = b->plan;
	struct cpu_slots s = {NULL, 0, 0};
	bool any = false;
	for (unsigned i = 0; i < p->jobs_n; i++)
		any |= isolate_asks(&p->jobs[i]);
	if (!any)
		return;
	struct plan_isolation *iso = build_alloc(b, sizeof(*iso));
	if (!iso || isolate_look(b, &s)) {
		b->no_memory = true;
		return;
	}
	isolate_choose(b, &s);
	iso->cpus = isolate_listed(b, &s, isolate_is_taken);
	iso->idle = isolate_listed(b, &s, isolate_is_idle);
	iso->rest = isolate_listed(b, &s, isolate_is_left);
	for (unsigned i = 0; i < p->jobs_n; i++)
		isolate_confine(b, &p->jobs[i], &iso->cpus, &iso->rest);
	for (unsigned i = 0; i < p->jobs_n; i++)
		p->jobs[i].own_cpus = p->jobs[i].isolate && isolate_alone(p, &p->jobs[i]);
	p->isolation = iso;
	isolate_tell_all(b, iso);
}
