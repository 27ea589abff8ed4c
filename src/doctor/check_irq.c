/* Checks of where a disk is: its node, its interrupts, its poll queues. */
#include "doctor/check.h"
#include "host/irq.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void check_node(struct check *c)
{
	const struct blockdev *dev = &c->leaf->dev;
	const struct check_use *use = &c->leaf->use;
	struct cpuset near = {0}, both = {0};
	unsigned nodes = cpu_nodes(c->h);
	if (nodes < 2) {
		if (host_exists(c->h, "/sys/devices/system/node/online"))
			check_say(c, FINDING_OK, "there is one node");
		return;
	}
	if (dev->node < 0) {
		check_say(c, FINDING_UNKNOWN, "%u nodes, and the node of the device is unknown",
			  nodes);
		return;
	}
	if (!use->cpus.n || cpu_of_node(c->h, (unsigned)dev->node, c->a, &near) ||
	    cpuset_both(&use->cpus, &near, c->a, &both))
		return;
	struct cpuset good = check_local_cpus(c, dev);
	if (both.n == use->cpus.n) {
		check_say(c, FINDING_OK, "node %d, as are CPU %s", dev->node,
			  check_cpus(c, &use->cpus));
		return;
	}
	if (!both.n)
		check_say(c, FINDING_BAD, "the device is on node %d (CPU %s), the job on CPU %s",
			  dev->node, check_cpus(c, &near), check_cpus(c, &use->cpus));
	else
		check_say(c, use->any ? FINDING_WARN : FINDING_NOTE,
			  "the device is on node %d (CPU %s); of CPU %s only %s are there",
			  dev->node, check_cpus(c, &near), check_cpus(c, &use->cpus),
			  check_cpus(c, &both));
	if (good.n)
		check_fix(c,
			  "cpus_allowed=%s (memory follows; or numa_cpu_nodes=%d with "
			  "numa_mem_policy=local)",
			  check_cpus(c, &good), dev->node);
}

static bool check_irq_irqs_same_list(const struct cpuset *x, const struct cpuset *y)
{
	return x->n && cpuset_equal(x, y);
}

struct vector_facts {
	unsigned known;	     /* vectors whose CPUs are known */
	unsigned on_ours;    /* that run on CPUs of the jobs only */
	unsigned off_node;   /* that run on none of the device's node */
	bool one_cpu;	     /* all of them on one and the same CPU, and there are several */
	struct cpuset where; /* of the first */
};

static void check_irq_irqs_count_vectors(struct check *c, const struct irq_vectors *v,
					 struct vector_facts *f)
{
	struct cpuset near = {0}, both;
	int node = c->leaf->dev.node;
	bool near_known = node >= 0 && !cpu_of_node(c->h, (unsigned)node, c->a, &near);
	memset(f, 0, sizeof(*f));
	f->one_cpu = v->n > 1;
	for (unsigned i = 0; i < v->n; i++) {
		const struct cpuset *w = irq_where(&v->v[i]);
		if (!w->n) {
			f->one_cpu = false;
			continue;
		}
		if (!f->known++)
			f->where = *w;
		f->one_cpu &= w->n == 1 && check_irq_irqs_same_list(w, &f->where);
		if (!cpuset_both(w, &c->leaf->use.cpus, c->a, &both) && both.n == w->n)
			f->on_ours++;
		if (near_known && !cpuset_both(w, &near, c->a, &both) && !both.n)
			f->off_node++;
	}
}

static void check_irq_irqs_fix_vectors(struct check *c, const struct irq_vectors *v, unsigned most)
{
	struct cpuset good = check_local_cpus(c, &c->leaf->dev);
	if (!good.n)
		good = c->leaf->use.cpus;
	for (unsigned i = 0; i < v->n && i < most && good.n; i++)
		check_fix(c, "echo %u > /proc/irq/%u/smp_affinity_list # %s", good.cpu[i % good.n],
			  v->v[i].irq, v->v[i].name);
	for (unsigned i = 0; i < v->n && good.n; i++) {
		char cpu[16];
		snprintf(cpu, sizeof(cpu), "%u", good.cpu[i % good.n]);
		check_setting(c, cpu, "/proc/irq/%u/smp_affinity_list", v->v[i].irq);
	}
	if (v->n > most)
		check_fix(c, "likewise for the other %u vectors", v->n - most);
}

static void check_interrupts(struct check *c)
{
	struct irq_vectors v;
	struct vector_facts f;
	const struct blockdev *dev = &c->leaf->dev;
	int ret = irq_of_disk(c->h, dev->disk, c->a, &v);
	if (ret) {
		check_say(c, FINDING_UNKNOWN, "no interrupt vectors of %s found", dev->disk);
		return;
	}
	check_irq_irqs_count_vectors(c, &v, &f);
	int managed = irq_managed(c->h, dev->disk, c->d->kernel_known ? &c->d->kernel : NULL, &v);
	if (!f.known) {
		check_say(c, FINDING_UNKNOWN, "%u vector%s, and where they may run cannot be read",
			  v.n, v.n == 1 ? "" : "s");
		return;
	}
	const char *how = managed == 1	 ? "assigned by the kernel, not movable"
			  : managed == 0 ? "movable"
					 : "movable or not is unknown";
	const char *s = v.n == 1 ? "" : "s";
	bool polls = c->leaf->use.only_polls && dev->io_poll == 1;
	if (polls) {
		check_say(c, FINDING_OK, "%u vector%s (%s); polled I/Os raise none", v.n, s, how);
	} else if (f.one_cpu && managed != 1) {
		check_say(c, FINDING_BAD, "all %u vectors run on CPU %s (%s)", v.n,
			  check_cpus(c, &f.where), how);
		check_irq_irqs_fix_vectors(c, &v, 4);
	} else if (f.off_node && managed != 1) {
		check_say(c, FINDING_WARN, "%u of %u vectors run on CPUs off node %d (%s)",
			  f.off_node, v.n, dev->node, how);
		check_irq_irqs_fix_vectors(c, &v, 4);
	} else if (f.on_ours && c->leaf->use.any) {
		check_say(c, FINDING_NOTE, "%u of %u vectors run on the CPUs of the jobs, %s (%s)",
			  f.on_ours, v.n, check_cpus(c, &c->leaf->use.cpus), how);
	} else {
		check_say(c, FINDING_OK, "%u vector%s (%s)", v.n, s, how);
	}
}

static void check_irqbalance(struct check *c)
{
	struct irq_vectors v = {0};
	int runs = irq_balancer(c->h);
	if (runs == 0) {
		check_say(c, FINDING_OK, "not running");
		return;
	}
	if (runs < 0 || irq_of_disk(c->h, c->leaf->dev.disk, c->a, &v))
		return;
	int managed =
		irq_managed(c->h, c->leaf->dev.disk, c->d->kernel_known ? &c->d->kernel : NULL, &v);
	if (managed == 1) {
		check_say(c, FINDING_OK, "running, but cannot move these vectors (Linux %s)",
			  c->d->kernel_known ? c->d->kernel.release : "unknown");
	} else if (managed == 0) {
		check_say(c, FINDING_WARN, "running: it may change the affinity of these vectors");
		check_fix(c, "systemctl stop irqbalance");
	} else {
		check_say(c, FINDING_UNKNOWN,
			  "running; whether it may move these vectors is unknown");
	}
}

static void check_irq_irqs_fix_poll_queues(struct check *c)
{
	const struct blockdev *dev = &c->leaf->dev;
	bool nvme = !strncmp(dev->disk, "nvme", 4);
	unsigned n = c->d->pollers ? c->d->pollers : 1;
	if (!nvme && strncmp(dev->disk, "vd", 2)) {
		check_fix(c, "leave hipri out: this driver has no poll queues");
		return;
	}
	if (c->d->kernel_known && !kernel_at_least(&c->d->kernel, 4, 20)) {
		check_fix(c, "echo 1 > /sys/class/block/%s/queue/io_poll", dev->disk);
		if (c->leaf->use.polls)
			check_setting(c, "1", "/sys/class/block/%s/queue/io_poll", dev->disk);
		return;
	}
	const char *module = nvme ? "nvme" : "virtio_blk";
	const char *line = arena_printf(c->a, "options %s poll_queues=%u", module, n < 4 ? 4 : n);
	if (!line)
		c->d->ret = -ENOMEM;
	c->f->module = (struct doctor_module){module, line};
	check_fix(c, "echo '%s' > /etc/modprobe.d/poll-queues.conf", line ? line : "");
	check_fix(c, nvme ? "modprobe -r nvme && modprobe nvme, or reboot (also: update-initramfs "
			    "-u) when a mounted disk uses it"
			  : "reboot (also: update-initramfs -u)");
}

static void check_poll_queues(struct check *c)
{
	const struct blockdev *dev = &c->leaf->dev;
	const struct check_use *use = &c->leaf->use;
	if (!use->polls && (use->any || !c->d->in.any_job)) {
		if (dev->io_poll >= 0 && dev->poll_queues >= 0)
			check_say(c, FINDING_OK, "%d; no job asks for polling", dev->poll_queues);
		else if (dev->io_poll >= 0)
			check_say(c, FINDING_OK, "%s; no job asks for polling",
				  dev->io_poll ? "polling is possible" : "none");
		return;
	}
	bool separate = c->d->kernel_known && kernel_at_least(&c->d->kernel, 4, 20);
	if (dev->io_poll == 0 || (dev->poll_queues == 0 && separate)) {
		check_say(c, FINDING_BAD,
			  "%s, and %s has no poll queues (io_poll %s, poll_queues %s)",
			  use->polls ? "hipri is asked for" : "hipri needs them", dev->disk,
			  dev->io_poll < 0 ? "unknown"
			  : dev->io_poll   ? "1"
					   : "0",
			  dev->poll_queues < 0	 ? "unknown"
			  : dev->poll_queues > 0 ? "set, but not in force"
						 : "0");
		check_irq_irqs_fix_poll_queues(c);
		return;
	}
	if (dev->io_poll < 0)
		return;
	if (dev->poll_queues > 0 && (unsigned)dev->poll_queues < c->d->pollers)
		check_say(c, FINDING_NOTE, "%d for %u polling workers", dev->poll_queues,
			  c->d->pollers);
	else if (dev->poll_queues > 0)
		check_say(c, FINDING_OK, "%d", dev->poll_queues);
	else
		check_say(c, FINDING_OK, "polling is possible");
}

const struct check_row check_irq_rows[] = {
	{"remote-numa", check_node},
	{"interrupts", check_interrupts},
	{"irqbalance", check_irqbalance},
	{"poll-inactive", check_poll_queues},
	{NULL, NULL},
};
