/* The table of checks, and how they are run. */
#include "doctor/check.h"
#include "base/finding.h"
#include "host/isolation.h"
#include "host/smt.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum scope { OF_MACHINE, OF_TOP, OF_LEAF, OF_JOB };

static const struct row {
	const char *code;
	enum scope scope;
	void (*run)(struct check *c);
} rows[] = {
	{"kernel", OF_MACHINE, check_kernel},
	{"governor", OF_MACHINE, check_governor},
	{"energy-preference", OF_MACHINE, check_preference},
	{"frequency-limit", OF_MACHINE, check_frequency},
	{"turbo", OF_MACHINE, check_turbo},
	{"idle-states", OF_MACHINE, check_idle},
	{"smt", OF_MACHINE, check_smt},
	{"cpu-kinds", OF_MACHINE, check_kinds},
	{"cpu-isolation", OF_MACHINE, check_isolation},
	{"cpu-limit", OF_MACHINE, check_cpu_limit},
	{"cpu-set", OF_MACHINE, check_cpuset},
	{"huge-pages", OF_MACHINE, check_huge_pages},
	{"memory-free", OF_MACHINE, check_memory_free},
	{"memory-pressure", OF_MACHINE, check_memory_pressure},
	{"io-pressure", OF_MACHINE, check_io_pressure},
	{"numa-balancing", OF_MACHINE, check_balancing},
	{"virtual-machine", OF_MACHINE, check_vm},
	{"steal", OF_MACHINE, check_steal},
	{"mitigations", OF_MACHINE, check_mitigations},
	{"clock-source", OF_MACHINE, check_clock},
	{"busy-cpus", OF_MACHINE, check_busy_cpus},
	{"device-stack", OF_TOP, check_stack},
	{"alignment", OF_TOP, check_alignment},
	{"file-system", OF_TOP, check_file_system},
	{"device-in-use", OF_TOP, check_in_use},
	{"free-space", OF_TOP, check_free_space},
	{"read-ahead", OF_TOP, check_read_ahead},
	{"io-limit", OF_TOP, check_io_limit},
	{"numa-node", OF_LEAF, check_node},
	{"interrupts", OF_LEAF, check_interrupts},
	{"irqbalance", OF_LEAF, check_irqbalance},
	{"poll-queues", OF_LEAF, check_poll_queues},
	{"scheduler", OF_LEAF, check_scheduler},
	{"nomerges", OF_LEAF, check_nomerges},
	{"rq-affinity", OF_LEAF, check_rq_affinity},
	{"write-throttling", OF_LEAF, check_write_throttling},
	{"write-cache", OF_LEAF, check_write_cache},
	{"device-depth", OF_LEAF, check_device_depth},
	{"power-saving", OF_LEAF, check_power_saving},
	{"temperature", OF_LEAF, check_temperature},
	{"throttling", OF_LEAF, check_throttling},
	{"wear", OF_LEAF, check_wear},
	{"pcie-link", OF_LEAF, check_link},
	{"busy-device", OF_LEAF, check_busy_device},
	{"engine", OF_JOB, check_engine},
	{"depth-unreached", OF_JOB, check_depth},
	{"page-cache", OF_JOB, check_page_cache},
	{"unwritten", OF_JOB, check_unwritten},
	{"small-span", OF_JOB, check_span},
	{"too-short", OF_JOB, check_length},
	{"ramp", OF_JOB, check_ramp},
	{"few-samples", OF_JOB, check_samples},
	{"mixed-sizes", OF_JOB, check_sizes},
	{"oversubscribed", OF_JOB, check_workers},
};

#define ROWS (sizeof(rows) / sizeof(*rows))

const char *doctor_code(unsigned i)
{
	return i < ROWS ? rows[i].code : NULL;
}

const char *doctor_state_word(enum doctor_state s)
{
	static const char *const words[] = {"ok", "unknown", "note", "warn", "bad"};
	return words[s];
}

void check_say(struct check *c, enum doctor_state s, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	/* Remedies are added after the answer they belong to, and stay with it. */
	if (c->f->evidence && s <= c->f->state)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	c->f->state = s;
	c->f->evidence = arena_strdup(c->a, text);
	if (!c->f->evidence)
		c->d->ret = -ENOMEM;
}

void check_mend(struct check *c, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	c->f->remedy = c->f->remedy ? arena_printf(c->a, "%s\n%s", c->f->remedy, text)
				    : arena_strdup(c->a, text);
	if (!c->f->remedy)
		c->d->ret = -ENOMEM;
}

void check_turn(struct check *c, const char *want, const char *fmt, ...)
{
	char path[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (c->f->knobs == c->knobs_room) {
		unsigned room = c->knobs_room ? c->knobs_room * 2 : 8;
		struct doctor_knob *v = arena_new(c->a, struct doctor_knob, room);
		if (v && c->f->knobs)
			memcpy(v, c->f->knob, c->f->knobs * sizeof(*v));
		if (!v) {
			c->d->ret = -ENOMEM;
			return;
		}
		c->f->knob = v;
		c->knobs_room = room;
	}
	struct doctor_knob *k = (struct doctor_knob *)&c->f->knob[c->f->knobs++];
	k->path = arena_strdup(c->a, path);
	k->want = arena_strdup(c->a, want);
	if (!k->path || !k->want)
		c->d->ret = -ENOMEM;
}

const char *check_cpus(struct check *c, const struct opt_cpus *l)
{
	char text[CHECK_LIST];
	cpu_list_print(l, text, sizeof(text));
	const char *copy = arena_strdup(c->a, text);
	return copy ? copy : "";
}

struct opt_cpus check_without(struct check *c, const struct opt_cpus *x, const struct opt_cpus *y)
{
	struct opt_cpus rest = {.cpu = arena_new(c->a, unsigned, x->n + 1)};
	for (unsigned i = 0; rest.cpu && i < x->n; i++)
		if (!cpu_list_has(y, x->cpu[i]))
			rest.cpu[rest.n++] = x->cpu[i];
	return rest;
}

static struct opt_cpus without_busy(struct check *c, const struct opt_cpus *l)
{
	struct opt_cpus idle = {.cpu = arena_new(c->a, unsigned, l->n + 1)};
	for (unsigned i = 0; idle.cpu && i < l->n; i++) {
		bool busy = false;
		for (unsigned k = 0; k < c->d->busy.cpus && !busy; k++)
			busy = c->d->busy.cpu[k].cpu == l->cpu[i] && c->d->busy.cpu[k].busy >= 20;
		if (!busy)
			idle.cpu[idle.n++] = l->cpu[i];
	}
	return idle.n ? idle : *l;
}

struct opt_cpus check_local_cpus(struct check *c, const struct blockdev *dev)
{
	struct opt_cpus near, both = {0}, fast, slow, some, one;
	struct isolation i;
	if (dev->node < 0 || cpu_of_node(c->h, (unsigned)dev->node, c->a, &near) ||
	    cpu_list_both(&near, &c->d->usable, c->a, &both))
		return both;
	if (smt_kinds(c->h, c->a, &fast, &slow) == 1 && !cpu_list_both(&both, &fast, c->a, &some) &&
	    some.n)
		both = some;
	both = without_busy(c, &both);
	/* The scheduler spreads no workers over isolated CPUs: all would pile up on the first. */
	if (!isolation_read(c->h, c->a, &i) && i.isolated.n) {
		some = check_without(c, &both, &i.isolated);
		both = some.n ? some : both;
	}
	return smt_one_per_core(c->h, &both, c->a, &one) ? both : one;
}

static void look_at_disks(struct doctor *d)
{
	for (unsigned i = 0; i < d->leaves; i++)
		d->leaf[i].counted = !diskstats_read(d->h, d->leaf[i].dev.name, &d->leaf[i].before);
}

int doctor_begin(const struct doctor_input *in, struct arena *arena, struct doctor **out)
{
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
		look_at_disks(d);
	}
	*out = d;
	return 0;
}

static void measure(struct doctor *d, uint64_t span_ns)
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

static void describe(struct doctor_finding *f)
{
	const struct finding_row *row = finding_row(f->code);
	f->title = row ? row->title : f->code;
	f->why = row ? row->effect : "";
}

static void run_one(struct doctor *d, const struct row *row, struct check c, const char *subject,
		    struct doctor_report *r)
{
	struct doctor_finding *f = &r->v[r->n++];
	*f = (struct doctor_finding){.code = row->code, .subject = subject};
	describe(f);
	f->state = DOCTOR_UNKNOWN;
	c.d = d;
	c.h = d->h;
	c.a = d->a;
	c.f = f;
	row->run(&c);
	if (!f->evidence)
		f->evidence = "cannot be read here";
	if (!f->remedy || f->state <= DOCTOR_UNKNOWN) {
		f->remedy = "";
		f->knobs = 0;
	}
	r->count[f->state]++;
}

/* A job file's section stands for its clones. */
static bool is_first(const struct plan *p, unsigned i)
{
	return p->jobs[i].clone == 0;
}

static bool is_asked(const struct doctor *d, const char *code)
{
	const char *const *c = d->in.codes;
	while (c && *c && strcmp(*c, code) != 0)
		c++;
	return !c || *c;
}

static void run_row(struct doctor *d, const struct row *row, struct doctor_report *r)
{
	const struct plan *p = d->in.plan;
	if (!is_asked(d, row->code))
		return;
	switch (row->scope) {
	case OF_MACHINE:
		run_one(d, row, (struct check){0}, "", r);
		break;
	case OF_TOP:
		for (unsigned i = 0; i < d->tops; i++)
			run_one(d, row, (struct check){.top = &d->top[i]},
				d->top[i].path ? d->top[i].path : d->top[i].dev.name, r);
		break;
	case OF_LEAF:
		for (unsigned i = 0; i < d->leaves; i++)
			run_one(d, row, (struct check){.leaf = &d->leaf[i]}, d->leaf[i].dev.name,
				r);
		break;
	case OF_JOB:
		for (unsigned i = 0; p && i < p->jobs_n; i++)
			if (is_first(p, i))
				run_one(d, row, (struct check){.job = &p->jobs[i]}, p->jobs[i].name,
					r);
		break;
	}
}

/* A file whose disk is unknown: say so once, in the place of the checks of devices. */
static void say_lost(struct doctor *d, struct doctor_report *r)
{
	for (unsigned i = 0; i < d->losts; i++) {
		const struct mount *m = scope_mount(d, d->lost[i]);
		struct doctor_finding *f = &r->v[r->n++];
		bool memory = m && (!strcmp(m->fstype, "tmpfs") || !strcmp(m->fstype, "ramfs"));
		const char *text =
			m ? arena_printf(d->a, "%s on %s has no disk", m->fstype, m->point) : NULL;
		*f = (struct doctor_finding){
			.code = "device",
			.subject = d->lost[i],
			.state = memory ? DOCTOR_BAD : DOCTOR_UNKNOWN,
			.evidence = text ? text : "the disk of this file cannot be found",
			.remedy = memory ? "a file on a file system of a disk" : ""};
		describe(f);
		r->count[f->state]++;
	}
}

/* For whatever job comes, the CPUs of the devices' nodes count; all of them when one is unknown. */
static int find_near(struct doctor *d)
{
	int ret = 0;
	for (unsigned i = 0; i < d->leaves && !ret; i++) {
		struct opt_cpus near, both;
		int node = d->leaf[i].dev.node;
		if (node < 0 || cpu_of_node(d->h, (unsigned)node, d->a, &near) ||
		    cpu_list_both(&near, &d->usable, d->a, &both) || !both.n) {
			d->advised = d->usable;
			return 0;
		}
		ret = scope_join(d, &d->advised, &both);
	}
	return ret;
}

/* A job that is to move to the CPUs near its device wants those in order. */
static int find_advised(struct doctor *d)
{
	struct check c = {.d = d, .h = d->h, .a = d->a};
	if (d->in.any_job && !d->in.plan && d->leaves)
		return find_near(d);
	int ret = scope_join(d, &d->advised, &d->cpus);
	for (unsigned i = 0; d->pinned && i < d->leaves && !ret; i++) {
		struct opt_cpus near = check_local_cpus(&c, &d->leaf[i].dev);
		ret = scope_join(d, &d->advised, &near);
	}
	return ret;
}

int doctor_end(struct doctor *d, uint64_t span_ns, struct doctor_report *out)
{
	struct doctor_report r = {0};
	const struct plan *p = d->in.plan;
	size_t most = ROWS * (1 + (size_t)d->tops + d->leaves + (p ? p->jobs_n : 0)) + d->losts;
	r.v = arena_new(d->a, struct doctor_finding, most);
	if (!r.v)
		return -ENOMEM;
	measure(d, span_ns);
	if (find_advised(d))
		return -ENOMEM;
	for (size_t i = 0; i < ROWS; i++) {
		if (i && rows[i].scope == OF_TOP && rows[i - 1].scope == OF_MACHINE)
			say_lost(d, &r);
		run_row(d, &rows[i], &r);
	}
	if (d->ret)
		return d->ret;
	*out = r;
	return 0;
}
