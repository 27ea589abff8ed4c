/* The table of checks, and how they are run. */
#include "doctor/check.h"
#include "doctor/scope.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* In the order of the report: the machine, devices as they are used, disks below them, jobs. */
static const struct check_row *const doctor_tables[] = {
	check_cpu_rows, check_system_rows, check_top_rows,
	check_irq_rows, check_leaf_rows,   check_job_rows,
};

#define TABLES (sizeof(doctor_tables) / sizeof(*doctor_tables))

static unsigned doctor_rows(void)
{
	unsigned n = 0;
	for (size_t t = 0; t < TABLES; t++)
		for (const struct check_row *row = doctor_tables[t]; row->code; row++)
			n++;
	return n;
}

const char *doctor_code(unsigned i)
{
	for (size_t t = 0; t < TABLES; t++)
		for (const struct check_row *row = doctor_tables[t]; row->code; row++)
			if (!i--)
				return row->code;
	return NULL;
}

static void doctor_look_at_disks(struct doctor *d)
{
	for (unsigned i = 0; i < d->leaves; i++)
		d->leaf[i].counted = !diskstats_read(d->h, d->leaf[i].dev.name, &d->leaf[i].before);
}

int doctor_begin(const struct doctor_input *in, struct arena *arena, struct doctor **out)
{
	assert(in && arena && out);
	struct doctor *d = arena_new(arena, struct doctor, 1);
	struct busy_look *look;
	if (!d)
		return -ENOMEM;
	d->in = *in;
	d->h = in->host;
	d->a = arena;
	d->kernel_known = !kernel_read(d->h, &d->kernel);
	virt_read(d->h, &d->virt);
	int ret = mounts_read(d->h, d->a, &d->mounts);
	d->mounts_known = !ret;
	if (ret == -ENOMEM)
		return ret;
	ret = scope_find(d);
	if (ret)
		return ret;
	if (in->measure && !busy_start(d->h, d->a, &look)) {
		d->look = look;
		doctor_look_at_disks(d);
	}
	*out = d;
	return 0;
}

static void doctor_measure(struct doctor *d, uint64_t span_ns)
{
	d->busy_known = d->look && !busy_end(d->h, d->a, d->look, span_ns, &d->busy);
	for (unsigned i = 0; d->busy_known && i < d->leaves; i++) {
		struct check_leaf *l = &d->leaf[i];
		struct disk_counters now;
		l->counted = l->counted && !diskstats_read(d->h, l->dev.name, &now);
		if (l->counted)
			l->diff = diskstats_since(&l->before, &now);
	}
}

static void doctor_run_one(struct doctor *d, const struct check_row *row, struct check c,
			   const char *subject, struct doctor_report *r)
{
	struct doctor_finding *f = &r->v[r->n++];
	*f = (struct doctor_finding){.f = finding_of(row->code, subject)};
	f->f.severity = FINDING_UNKNOWN;
	c.d = d;
	c.h = d->h;
	c.a = d->a;
	c.f = f;
	row->run(&c);
	if (!f->f.evidence[0])
		f->f.evidence = "cannot be read here";
	if (!f->f.remedy[0] || f->f.severity <= FINDING_UNKNOWN) {
		f->f.remedy = "";
		f->settings = 0;
	}
	r->count[f->f.severity]++;
}

/* A job file's section stands for its clones. */
static bool doctor_is_first(const struct plan *p, unsigned i)
{
	return p->jobs[i].clone == 0;
}

static bool doctor_is_asked(const struct doctor *d, const char *code)
{
	const char *const *c = d->in.codes;
	while (c && *c && strcmp(*c, code) != 0)
		c++;
	return !c || *c;
}

static void doctor_run_row(struct doctor *d, const struct check_row *row, struct doctor_report *r)
{
	const struct plan *p = d->in.plan;
	if (!doctor_is_asked(d, row->code))
		return;
	switch (finding_row(row->code)->subject) {
	case FINDING_MACHINE:
		doctor_run_one(d, row, (struct check){0}, "", r);
		break;
	case FINDING_DEVICE:
		for (unsigned i = 0; i < d->tops; i++)
			doctor_run_one(d, row, (struct check){.top = &d->top[i]},
				       d->top[i].path ? d->top[i].path : d->top[i].dev.name, r);
		break;
	case FINDING_DISK:
		for (unsigned i = 0; i < d->leaves; i++)
			doctor_run_one(d, row, (struct check){.leaf = &d->leaf[i]},
				       d->leaf[i].dev.name, r);
		break;
	case FINDING_JOB:
		for (unsigned i = 0; p && i < p->jobs_n; i++)
			if (doctor_is_first(p, i))
				doctor_run_one(d, row, (struct check){.job = &p->jobs[i]},
					       p->jobs[i].name, r);
		break;
	}
}

/* A file whose disk is unknown: say so once, in the place of the checks of devices. */
static void doctor_say_lost(struct doctor *d, struct doctor_report *r)
{
	for (unsigned i = 0; i < d->losts; i++) {
		const struct mount *m = scope_mount(d, d->lost[i]);
		struct doctor_finding *f = &r->v[r->n++];
		bool memory = m && (!strcmp(m->fstype, "tmpfs") || !strcmp(m->fstype, "ramfs"));
		const char *text =
			m ? arena_printf(d->a, "%s on %s has no disk", m->fstype, m->point) : NULL;
		f->f = finding_of("device", d->lost[i]);
		f->f.severity = memory ? FINDING_BAD : FINDING_UNKNOWN;
		f->f.evidence = text ? text : "the disk of this file cannot be found";
		f->f.remedy = memory ? "a file on a file system of a disk" : "";
		r->count[f->f.severity]++;
	}
}

/* For whatever job comes, the CPUs of the devices' nodes count; all of them when one is unknown. */
static int doctor_find_near(struct doctor *d)
{
	int ret = 0;
	for (unsigned i = 0; i < d->leaves && !ret; i++) {
		struct cpuset near, both;
		int node = d->leaf[i].dev.node;
		if (node < 0 || cpu_of_node(d->h, (unsigned)node, d->a, &near) ||
		    cpuset_both(&near, &d->usable, d->a, &both) || !both.n) {
			d->advised = d->usable;
			return 0;
		}
		ret = scope_join(d, &d->advised, &both);
	}
	return ret;
}

/* A job that is to move to the CPUs near its device wants those in order. */
static int doctor_find_advised(struct doctor *d)
{
	struct check c = {.d = d, .h = d->h, .a = d->a};
	if (d->in.any_job && !d->in.plan && d->leaves)
		return doctor_find_near(d);
	int ret = scope_join(d, &d->advised, &d->cpus);
	for (unsigned i = 0; d->pinned && i < d->leaves && !ret; i++) {
		struct cpuset near = check_local_cpus(&c, &d->leaf[i].dev);
		ret = scope_join(d, &d->advised, &near);
	}
	return ret;
}

int doctor_end(struct doctor *d, uint64_t span_ns, struct doctor_report *out)
{
	assert(d && out);
	struct doctor_report r = {0};
	const struct plan *p = d->in.plan;
	size_t most =
		doctor_rows() * (1 + (size_t)d->tops + d->leaves + (p ? p->jobs_n : 0)) + d->losts;
	r.v = arena_new(d->a, struct doctor_finding, most);
	if (!r.v)
		return -ENOMEM;
	doctor_measure(d, span_ns);
	if (doctor_find_advised(d))
		return -ENOMEM;
	for (size_t t = 0; t < TABLES; t++) {
		if (doctor_tables[t] == check_top_rows)
			doctor_say_lost(d, &r);
		for (const struct check_row *row = doctor_tables[t]; row->code; row++)
			doctor_run_row(d, row, &r);
	}
	if (d->ret)
		return d->ret;
	*out = r;
	return 0;
}
