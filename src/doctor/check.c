/* How a check answers, and which CPUs it may name. */
#include "doctor/check.h"
#include "host/isolation.h"
#include "host/smt.h"
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void check_say(struct check *c, enum finding_severity s, const char *fmt, ...)
{
	assert(fmt);
	char text[512];
	va_list ap;
	/* Remedies are added after the answer they belong to, and stay with it. */
	if (c->f->f.evidence[0] && s <= c->f->f.severity)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	c->f->f.severity = s;
	const char *copy = arena_strdup(c->a, text);
	if (copy)
		c->f->f.evidence = copy;
	else
		c->d->ret = -ENOMEM;
}

void check_fix(struct check *c, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	const char *all = c->f->f.remedy[0] ? arena_printf(c->a, "%s\n%s", c->f->f.remedy, text)
					    : arena_strdup(c->a, text);
	if (all)
		c->f->f.remedy = all;
	else
		c->d->ret = -ENOMEM;
}

void check_setting(struct check *c, const char *want, const char *fmt, ...)
{
	char path[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (c->f->settings == c->settings_room) {
		unsigned room = c->settings_room ? c->settings_room * 2 : 8;
		struct doctor_setting *v = arena_new(c->a, struct doctor_setting, room);
		if (v && c->f->settings)
			memcpy(v, c->f->attribute, c->f->settings * sizeof(*v));
		if (!v) {
			c->d->ret = -ENOMEM;
			return;
		}
		c->f->attribute = v;
		c->settings_room = room;
	}
	struct doctor_setting *k = (struct doctor_setting *)&c->f->attribute[c->f->settings++];
	k->path = arena_strdup(c->a, path);
	k->want = arena_strdup(c->a, want);
	if (!k->path || !k->want)
		c->d->ret = -ENOMEM;
}

const char *check_cpus(struct check *c, const struct cpuset *l)
{
	char text[CHECK_LIST];
	cpuset_print(l, text, sizeof(text));
	const char *copy = arena_strdup(c->a, text);
	return copy ? copy : "";
}

struct cpuset check_without(struct check *c, const struct cpuset *x, const struct cpuset *y)
{
	struct cpuset rest = {.cpu = arena_new(c->a, unsigned, x->n + 1)};
	for (unsigned i = 0; rest.cpu && i < x->n; i++)
		if (!cpuset_has(y, x->cpu[i]))
			rest.cpu[rest.n++] = x->cpu[i];
	return rest;
}

static struct cpuset check_idle_cpus(struct check *c, const struct cpuset *l)
{
	struct cpuset idle = {.cpu = arena_new(c->a, unsigned, l->n + 1)};
	for (unsigned i = 0; idle.cpu && i < l->n; i++) {
		bool busy = false;
		for (unsigned k = 0; k < c->d->busy.cpus && !busy; k++)
			busy = c->d->busy.cpu[k].cpu == l->cpu[i] && c->d->busy.cpu[k].busy >= 20;
		if (!busy)
			idle.cpu[idle.n++] = l->cpu[i];
	}
	return idle.n ? idle : *l;
}

struct cpuset check_local_cpus(struct check *c, const struct blockdev *dev)
{
	struct cpuset near, both = {0}, fast, slow, some, one;
	struct isolation i;
	if (dev->node < 0 || cpu_of_node(c->h, (unsigned)dev->node, c->a, &near) ||
	    cpuset_both(&near, &c->d->usable, c->a, &both))
		return both;
	if (smt_kinds(c->h, c->a, &fast, &slow) == 1 && !cpuset_both(&both, &fast, c->a, &some) &&
	    some.n)
		both = some;
	both = check_idle_cpus(c, &both);
	/* The scheduler spreads no workers over isolated CPUs: all would pile up on the first. */
	if (!isolation_read(c->h, c->a, &i) && i.isolated.n) {
		some = check_without(c, &both, &i.isolated);
		both = some.n ? some : both;
	}
	return smt_one_per_core(c->h, &both, c->a, &one) ? both : one;
}
