/* The table of checks, and how they are run. */
#include "judge/check.h"
#include "host/isolation.h"
#include "host/smt.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum scope { OF_MACHINE, OF_TOP, OF_LEAF, OF_JOB };

/* clang-format off */
static const struct row {
	const char *code, *title;
	enum scope scope;
	void (*run)(struct check *c);
	const char *why;
} rows[] = {
	{"kernel", "Kernel", OF_MACHINE, check_kernel,
	 "results of different kernels differ by 5 to 30 % at small blocks"},
	{"governor", "CPU governor", OF_MACHINE, check_governor,
	 "the clock climbs after each wait: 5 to 50 us more latency at depth 1, up to half the IOPS of a CPU-bound job"},
	{"energy-preference", "Energy preference", OF_MACHINE, check_preference,
	 "the processor saves power and climbs late: some us at depth 1, 5 to 20 % of the IOPS"},
	{"frequency-limit", "Frequency limit", OF_MACHINE, check_frequency,
	 "CPU time an I/O grows as the clock falls: half the clock is nearly half the IOPS a core"},
	{"turbo", "Turbo", OF_MACHINE, check_turbo,
	 "the clock follows heat and neighbours: runs differ by 2 to 10 % where the CPU is the limit"},
	{"idle-states", "Idle states", OF_MACHINE, check_idle,
	 "a CPU that sleeps between I/Os wakes up late: its exit latency is added to I/Os at low depth and low rates"},
	{"smt", "SMT siblings", OF_MACHINE, check_smt,
	 "two threads on a core get about 60 % of it each: latency and IOPS vary by 10 to 40 %"},
	{"cpu-kinds", "Kinds of cores", OF_MACHINE, check_kinds,
	 "slow cores take 1.5 to 2 times the CPU time an I/O, and where a worker lands is chance"},
	{"cpu-isolation", "CPU isolation", OF_MACHINE, check_isolation,
	 "other programs and the tick interrupt the worker: tails above p99.9 of 10 us to 4 ms"},
	{"cpu-limit", "CPU limit", OF_MACHINE, check_cpu_limit,
	 "workers are stopped for the rest of each period, commonly 100 ms: the tail is that long"},
	{"cpu-set", "CPU set", OF_MACHINE, check_cpuset,
	 "workers cannot be placed where the job wants them"},
	{"huge-pages", "Huge pages", OF_MACHINE, check_huge_pages,
	 "compaction stalls page faults for up to some ms, mostly at the start"},
	{"memory-free", "Memory available", OF_MACHINE, check_memory_free,
	 "reclaim takes CPU time and writes to disks; without memory the run is killed"},
	{"memory-pressure", "Memory pressure", OF_MACHINE, check_memory_pressure,
	 "reclaim and swapping stall workers for ms and put foreign I/O on disks"},
	{"io-pressure", "I/O pressure", OF_MACHINE, check_io_pressure,
	 "somebody else keeps disks busy: queueing adds to every latency"},
	{"numa-balancing", "NUMA balancing", OF_MACHINE, check_balancing,
	 "the kernel unmaps pages to see who uses them: faults of 1 to 100 us in workers"},
	{"virtual-machine", "Virtual machine", OF_MACHINE, check_vm,
	 "exits to the hypervisor cost 1 to 20 us an I/O, and the disk may be a file or a network"},
	{"steal", "Steal time", OF_MACHINE, check_steal,
	 "the host runs somebody else instead of us: stalls of 1 to 100 ms"},
	{"mitigations", "CPU mitigations", OF_MACHINE, check_mitigations,
	 "0.1 to 1 us more for each system call and interrupt: 2 to 15 % of the IOPS at small blocks"},
	{"clock-source", "Clock source", OF_MACHINE, check_clock,
	 "reading a slow clock takes 0.5 to 5 us, several times an I/O"},
	{"busy-cpus", "CPUs in use now", OF_MACHINE, check_busy_cpus,
	 "a worker waits for its CPU up to some ms each time: the tail, and the mean with it"},

	{"device-stack", "Device stack", OF_TOP, check_stack,
	 "every layer costs: dm and LVM 1 us, dm-crypt 5 to 30 us an I/O, parity RAID up to 4 I/Os a write"},
	{"alignment", "Alignment", OF_TOP, check_alignment,
	 "a block that straddles two physical ones costs two I/Os, a write also a read: up to half the speed"},
	{"file-system", "File system", OF_TOP, check_file_system,
	 "a file system adds 1 to 10 us and, when writing, metadata and journal I/Os of its own"},
	{"device-in-use", "Device in use", OF_TOP, check_in_use,
	 "I/O of others is in the numbers, and write jobs are refused"},
	{"free-space", "Free space", OF_TOP, check_free_space,
	 "a full file system scatters files, and a full SSD moves data while it writes: 2 to 10 times slower writes"},
	{"read-ahead", "Read-ahead", OF_TOP, check_read_ahead,
	 "buffered reads fetch more than was asked for (random) or too little at a time (sequential): a factor of 2 to 10"},
	{"io-limit", "I/O limit", OF_TOP, check_io_limit,
	 "the control group, not the device, sets the speed"},

	{"numa-node", "NUMA node", OF_LEAF, check_node,
	 "each I/O crosses to the other socket: 0.5 to 2 us more latency, 10 to 30 % fewer IOPS at the limit"},
	{"interrupts", "Interrupts", OF_LEAF, check_interrupts,
	 "an interrupt on another CPU adds 1 to 5 us; all on one CPU stop at some 300 to 500 thousand a second"},
	{"irqbalance", "irqbalance", OF_LEAF, check_irqbalance,
	 "vectors that wander change latency by some us in the middle of a run"},
	{"poll-queues", "Poll queues", OF_LEAF, check_poll_queues,
	 "without them hipri does nothing: interrupts and wake-ups add 2 to 10 us an I/O, or I/Os fail"},
	{"scheduler", "I/O scheduler", OF_LEAF, check_scheduler,
	 "0.5 to 5 us and a lock an I/O: 5 to 60 % fewer IOPS of a fast drive"},
	{"nomerges", "Merging", OF_LEAF, check_nomerges,
	 "looking for neighbours to merge costs some tenths of a us an I/O"},
	{"rq-affinity", "Completion CPU", OF_LEAF, check_rq_affinity,
	 "cache lines travel between CPUs: 0.2 to 1 us an I/O"},
	{"write-throttling", "Write-back throttling", OF_LEAF, check_write_throttling,
	 "buffered writes are slowed on purpose while reads are late: half the write speed and less"},
	{"write-cache", "Write cache", OF_LEAF, check_write_cache,
	 "latency is that of the drive's memory until it is full; a flush costs 0.5 to 20 ms"},
	{"device-depth", "Queue of the device", OF_LEAF, check_device_depth,
	 "what does not fit waits in the kernel: latency grows, IOPS do not"},
	{"power-saving", "Power saving", OF_LEAF, check_power_saving,
	 "a drive that dozed off takes 50 us to 100 ms for its next I/O"},
	{"temperature", "Temperature", OF_LEAF, check_temperature,
	 "hot drives slow themselves down to a half or a tenth"},
	{"throttling", "Thermal throttling", OF_LEAF, check_throttling,
	 "hot drives slow themselves down to a half or a tenth"},
	{"wear", "Wear", OF_LEAF, check_wear,
	 "worn flash retries reads and erases slowly; its numbers are not those of a new drive"},
	{"pcie-link", "PCIe link", OF_LEAF, check_link,
	 "the link caps the bandwidth and adds to the latency of large blocks"},
	{"busy-device", "Device in use now", OF_LEAF, check_busy_device,
	 "I/O of others is queued before ours and is counted by nobody"},

	{"engine", "Engine and kernel", OF_JOB, check_engine,
	 "what the kernel does not have is refused or quietly left out"},
	{"depth-unreached", "Queue depth", OF_JOB, check_depth,
	 "the numbers are those of a smaller depth than asked for"},
	{"page-cache", "Page cache", OF_JOB, check_page_cache,
	 "reads from memory are 10 to 1000 times faster than the device"},
	{"unwritten", "Holes", OF_JOB, check_unwritten,
	 "reads of what was never written do not touch the medium: speeds up to that of memory"},
	{"small-span", "Span", OF_JOB, check_span,
	 "a small span stays in the drive's memory or its map: up to twice as fast as the whole"},
	{"too-short", "Run time", OF_JOB, check_length,
	 "short runs measure caches, and runs differ by 10 % and more"},
	{"ramp", "Ramp", OF_JOB, check_ramp,
	 "the first seconds are slower or faster than what follows: some per cent of the mean, more of the tail"},
	{"few-samples", "Percentiles", OF_JOB, check_samples,
	 "a percentile with less than ten samples beyond it is chance"},
	{"mixed-sizes", "Block sizes", OF_JOB, check_sizes,
	 "the latencies of small and large blocks share one distribution: its percentiles are of neither"},
	{"oversubscribed", "Workers and CPUs", OF_JOB, check_workers,
	 "workers wait for each other's CPU: 1 to 10 ms in the tail, and polling ones halve each other"},
};
/* clang-format on */

#define ROWS (sizeof(rows) / sizeof(*rows))

const char *doctor_code(unsigned i)
{
	return i < ROWS ? rows[i].code : NULL;
}

const char *doctor_why(const char *code)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].code, code))
			return rows[i].why;
	return "";
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

static void run_one(struct doctor *d, const struct row *row, struct check c, const char *subject,
		    struct doctor_report *r)
{
	struct doctor_finding *f = &r->v[r->n++];
	*f = (struct doctor_finding){
		.code = row->code, .title = row->title, .subject = subject, .why = row->why};
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
	static const struct row row = {
		"device", "Device", OF_TOP, NULL,
		"memory, network and other file systems without a disk of ours measure something "
		"else"};
	for (unsigned i = 0; i < d->losts; i++) {
		const struct mount *m = scope_mount(d, d->lost[i]);
		struct doctor_finding *f = &r->v[r->n++];
		bool memory = m && (!strcmp(m->fstype, "tmpfs") || !strcmp(m->fstype, "ramfs"));
		const char *text =
			m ? arena_printf(d->a, "%s on %s has no disk", m->fstype, m->point) : NULL;
		*f = (struct doctor_finding){
			.code = row.code,
			.title = row.title,
			.subject = d->lost[i],
			.state = memory ? DOCTOR_BAD : DOCTOR_UNKNOWN,
			.evidence = text ? text : "the disk of this file cannot be found",
			.why = row.why,
			.remedy = memory ? "a file on a file system of a disk" : ""};
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
