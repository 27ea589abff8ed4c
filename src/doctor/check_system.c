/* Checks of the machine as a whole: limits, memory, virtual machines, what else runs. */
#include "doctor/check.h"
#include "host/cgroup.h"
#include "host/isolation.h"
#include "host/memory.h"
#include <errno.h>
#include <string.h>

static void check_cpu_limit(struct check *c)
{
	struct cgroup g;
	int ret = cgroup_read(c->h, c->a, &g);
	if (ret) {
		if (ret == -ENOENT)
			check_say(c, FINDING_UNKNOWN, "cgroups cannot be read");
		return;
	}
	if (g.cpus <= 0) {
		check_say(c, FINDING_OK, "no limit on cgroup %s", g.path);
		return;
	}
	unsigned need = c->d->workers ? c->d->workers : 1;
	bool caps = g.cpus < need;
	check_say(c, caps ? FINDING_BAD : FINDING_WARN, "%.2f CPUs for all of cgroup %s%s", g.cpus,
		  g.path, caps ? ", less than the workers need" : "");
	check_fix(c,
		  g.version == 2 ? "echo max > /sys/fs/cgroup%s/cpu.max (docker: --cpus, "
				   "kubernetes: resources.limits.cpu)"
				 : "echo -1 > /sys/fs/cgroup/cpu%s/cpu.cfs_quota_us (docker: "
				   "--cpus, kubernetes: resources.limits.cpu)",
		  strcmp(g.path, "/") ? g.path : "");
}

static void check_cpuset(struct check *c)
{
	struct cgroup g;
	struct cpuset online, out;
	int ret = cgroup_read(c->h, c->a, &g);
	if (ret == -ENOENT)
		check_say(c, FINDING_UNKNOWN, "cgroups cannot be read");
	if (ret || cpu_online(c->h, c->a, &online))
		return;
	if (!g.cpuset.n) {
		check_say(c, FINDING_OK, "no CPU set on cgroup %s", g.path);
		return;
	}
	out = check_without(c, &c->d->cpus, &g.cpuset);
	if (out.n && c->d->pinned) {
		check_say(c, FINDING_BAD, "CPU %s are not in the CPU set of the cgroup (%s)",
			  check_cpus(c, &out), check_cpus(c, &g.cpuset));
		check_fix(c, "cpus_allowed=%s", check_cpus(c, &g.cpuset));
	} else if (g.cpuset.n < online.n) {
		check_say(c, FINDING_NOTE, "the cgroup may use CPU %s of %s",
			  check_cpus(c, &g.cpuset), check_cpus(c, &online));
	} else {
		check_say(c, FINDING_OK, "all CPUs");
	}
}

static void check_huge_pages(struct check *c)
{
	struct memory m;
	memory_read(c->h, &m);
	if (!m.huge[0])
		return;
	if (strcmp(m.huge, "always")) {
		check_say(c, FINDING_OK, "%s", m.huge);
		return;
	}
	check_say(c, FINDING_NOTE, "always");
	check_fix(c, "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
}

static void check_memory_pressure(struct check *c)
{
	double some, full;
	if (memory_pressure(c->h, "memory", &some, &full))
		return;
	check_say(c,
		  some >= 10  ? FINDING_BAD
		  : some >= 1 ? FINDING_WARN
			      : FINDING_OK,
		  "tasks waited for memory %.1f %% of the last 10 s", some);
	if (some >= 1)
		check_fix(c, "stop what uses the memory (ps -eo rss,comm --sort=-rss | head)");
}

static void check_memory_free(struct check *c)
{
	struct memory m;
	memory_read(c->h, &m);
	uint64_t needs = c->d->in.plan ? c->d->in.plan->memory_bytes : 0;
	if (!m.total || !m.available)
		return;
	unsigned long long mib = m.available >> 20;
	if (needs > m.available) {
		check_say(c, FINDING_BAD, "the run needs %llu MiB and %llu MiB are available",
			  (unsigned long long)needs >> 20, mib);
		check_fix(c, "fewer jobs, a smaller iodepth or smaller blocks");
	} else if (m.available < m.total / 20) {
		check_say(c, FINDING_WARN, "%llu MiB of %llu MiB are available", mib,
			  (unsigned long long)m.total >> 20);
		check_fix(c, "stop what uses the memory (ps -eo rss,comm --sort=-rss | head)");
	} else {
		check_say(c, FINDING_OK, "%llu MiB of %llu MiB are available", mib,
			  (unsigned long long)m.total >> 20);
	}
}

static void check_balancing(struct check *c)
{
	struct memory m;
	memory_read(c->h, &m);
	unsigned nodes = cpu_nodes(c->h);
	if (m.balancing < 0 && nodes > 1)
		return;
	if (m.balancing == 1 && nodes > 1) {
		check_say(c, FINDING_NOTE, "on, %u nodes", nodes);
		check_fix(c, "sysctl kernel.numa_balancing=0");
	} else if (m.balancing == 1) {
		check_say(c, FINDING_OK, "nothing to balance with one node");
	} else if (m.balancing == 0) {
		check_say(c, FINDING_OK, "off");
	}
}

static void check_vm(struct check *c)
{
	const struct virt *v = &c->d->virt;
	if (v->guest == 0)
		check_say(c, FINDING_OK, "no: real hardware");
	else if (v->guest == 1)
		check_say(c, FINDING_NOTE, "yes%s%s", v->name[0] ? ": " : "", v->name);
}

static void check_steal(struct check *c)
{
	const struct virt *v = &c->d->virt;
	if (v->guest == 0) {
		check_say(c, FINDING_OK, "not a virtual machine");
		return;
	}
	if (!c->d->busy_known) {
		check_say(c, FINDING_UNKNOWN, "not measured");
		return;
	}
	double steal = c->d->busy.steal;
	check_say(c,
		  steal >= 5	 ? FINDING_BAD
		  : steal >= 0.5 ? FINDING_WARN
				 : FINDING_OK,
		  "%.1f %% of the CPU time during the last second", steal);
	if (steal >= 0.5)
		check_fix(c, "a dedicated host or a larger instance; measure at a quieter hour");
}

static void check_mitigations(struct check *c)
{
	struct mitigations m;
	char word[32];
	bool off = !isolation_boot_word(c->h, "mitigations", word, sizeof(word)) &&
		   !strncmp(word, "off", 3);
	if (mitigations_read(c->h, &m)) {
		check_say(c, FINDING_UNKNOWN, "this kernel does not report them");
		return;
	}
	if (off)
		check_say(c, FINDING_NOTE,
			  "off (mitigations=off): faster than a machine in production");
	else if (m.costly[0])
		check_say(c, FINDING_NOTE, "%u active; on each system call: %s", m.active,
			  m.costly);
	else
		check_say(c, FINDING_OK, "%u active, none on each system call", m.active);
}

static void check_clock(struct check *c)
{
	char name[32];
	if (clocksource_read(c->h, name, sizeof(name)))
		return;
	if (clocksource_slow(name)) {
		check_say(c, FINDING_BAD, "%s", name);
		check_fix(c, "echo tsc > /sys/devices/system/clocksource/clocksource0/"
			     "current_clocksource");
		check_fix(c, "or boot with tsc=reliable when the kernel log says the TSC "
			     "is unstable and it is not");
		return;
	}
	check_say(c, FINDING_OK, "%s", name);
}

static double check_system_busiest(const struct busy *b, const struct cpuset *cpus, unsigned *n,
				   double *sum)
{
	double most = 0;
	*n = 0;
	*sum = 0;
	for (unsigned i = 0; i < b->cpus; i++)
		if (cpuset_has(cpus, b->cpu[i].cpu)) {
			(*n)++;
			*sum += b->cpu[i].busy;
			most = b->cpu[i].busy > most ? b->cpu[i].busy : most;
		}
	return most;
}

/* Up to four names with their shares of a CPU. */
static const char *check_system_top_tasks(struct check *c)
{
	const struct busy *b = &c->d->busy;
	const char *text = "";
	unsigned said = 0;
	for (unsigned i = 0; i < b->tasks && said < 4; i++) {
		double share = (double)b->task[i].cpu_ns * 100 / (double)b->span_ns;
		if (share < 1)
			break;
		const char *longer =
			arena_printf(c->a, "%s%s%s (%u) %.0f %%", text, said ? ", " : ": ",
				     b->task[i].name, b->task[i].pid, share);
		text = longer ? longer : text;
		said++;
	}
	return text;
}

static void check_busy_cpus(struct check *c)
{
	const struct busy *b = &c->d->busy;
	unsigned n;
	double sum;
	if (!c->d->busy_known || !b->span_ns) {
		check_say(c, FINDING_UNKNOWN, "not measured");
		return;
	}
	double most = check_system_busiest(b, &c->d->cpus, &n, &sum);
	if (!n)
		return;
	/* Pinned workers cannot get out of the way; free ones find an idle CPU while there is one.
	 */
	double load = c->d->pinned ? most : sum / n;
	check_say(c,
		  load >= 50  ? FINDING_BAD
		  : load >= 5 ? FINDING_WARN
			      : FINDING_OK,
		  "CPU %s busy %.1f %% on average, the busiest %.0f %%%s",
		  check_cpus(c, &c->d->cpus), sum / n, most, check_system_top_tasks(c));
	if (load >= 5)
		check_fix(c, "stop these programs, or keep them off with taskset -pc LIST PID");
}

static void check_io_pressure(struct check *c)
{
	double some, full;
	if (memory_pressure(c->h, "io", &some, &full))
		return;
	check_say(c,
		  some >= 50  ? FINDING_BAD
		  : some >= 5 ? FINDING_WARN
			      : FINDING_OK,
		  "tasks waited for I/O %.1f %% of the last 10 s", some);
	if (some >= 5)
		check_fix(c, "wait until others are done (iotop -oa)");
}

const struct check_row check_system_rows[] = {
	{"cpu-limit", check_cpu_limit},
	{"cpu-set", check_cpuset},
	{"huge-pages", check_huge_pages},
	{"memory-free", check_memory_free},
	{"memory-pressure", check_memory_pressure},
	{"io-pressure", check_io_pressure},
	{"numa-balancing", check_balancing},
	{"virtual-machine", check_vm},
	{"cpu-steal", check_steal},
	{"mitigations", check_mitigations},
	{"clock", check_clock},
	{"cpu-contention", check_busy_cpus},
	{NULL, NULL},
};
