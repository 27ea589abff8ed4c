#include "run/device_share.h"
#include "host/interrupts.h"
#include "monitor/disks.h"
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static uint64_t device_share_bytes(const struct worker *w, unsigned dir)
{
	assert(dir < DIRS);
	return w->stats[dir].bytes + w->phase[PHASE_RAMP].bytes[dir];
}

/* All files of a job on this one disk? */
static bool device_share_only_on(const struct pool *c, const struct plan_job *pj, unsigned disk)
{
	for (unsigned i = 0; i < pj->files_n; i++)
		if (c->disks->of_target[pj->files[i].target] != disk)
			return false;
	return pj->files_n > 0;
}

/* Does the disk have to deliver what this job reads (trims: no), or receive what it writes? */
static bool device_share_counts(const struct pool *c, const struct plan_job *pj, unsigned disk,
				unsigned dir)
{
	bool moves = dir == DIR_READ ? pj->reads && !pj->o->pre_read : pj->writes;

	return moves && device_share_only_on(c, pj, disk);
}

/* A disk whose accounting is off shows no I/O of anybody. Drivers without request queues (zram, md)
 * count by themselves, whatever the attribute says. */
static bool device_share_accounted(const struct pool *c, const struct disk *d)
{
	int64_t on;

	return host_read_i64(&c->env.host, &on, "/sys/class/block/%s/queue/iostats", d->dev.disk) ||
	       on || !host_exists(&c->env.host, "/sys/class/block/%s/mq", d->dev.disk);
}

/* The bytes of all jobs of a disk and its own, for every one of these jobs. */
static void device_share_add(const struct pool *c, unsigned disk, unsigned dir, struct result *out)
{
	const struct disk *d = &c->disks->v[disk];
	struct disk_counters now;
	struct result_share s = {0};

	assert(dir < DIRS);
	for (unsigned j = 0; j < c->plan->jobs_n; j++)
		if (c->env.workers[j] && device_share_counts(c, &c->plan->jobs[j], disk, dir))
			s.own += device_share_bytes(c->env.workers[j], dir);
	if (!s.own || !device_share_accounted(c, d) ||
	    diskstats_read(&c->env.host, d->dev.name, &now) < 0)
		return;
	struct disk_counters diff = diskstats_since(&d->before, &now);
	s.device = diff.sectors[dir] * 512u;
	for (unsigned e = 0; e < c->plan->entries_n && e < out->jobs_n; e++) {
		struct result_job *r = &out->jobs[e];
		if (!device_share_counts(c, &c->plan->jobs[c->plan->entries[e].first], disk, dir))
			continue;
		*(dir == DIR_READ ? &r->device_reads : &r->device_writes) = s;
	}
}

/* Where all disks of a job have a volatile write cache. */
static void device_share_caches(const struct pool *c, const struct plan_job *pj,
				struct result_job *r)
{
	r->write_back = pj->writes && pj->files_n > 0;
	for (unsigned i = 0; i < pj->files_n; i++) {
		unsigned k = c->disks->of_target[pj->files[i].target];
		if (k == UINT_MAX || c->disks->v[k].dev.write_back != 1) {
			r->write_back = false;
			return;
		}
		uint64_t size = c->disks->v[k].dev.size;
		if (size && (!r->device_bytes || size < r->device_bytes))
			r->device_bytes = size;
	}
}

static void device_share_poll_of(const struct pool *c, const struct disk *d, struct result_poll *p)
{
	struct disk_counters now;
	uint64_t irqs = 0;

	snprintf(p->device, sizeof(p->device), "%.*s", (int)sizeof(p->device) - 1, d->dev.disk);
	p->no_queues = d->dev.io_poll == 0;
	if (!d->has_interrupts || !device_share_accounted(c, d) ||
	    interrupts_of_disk(&c->env.host, d->dev.disk, &irqs) < 0 ||
	    diskstats_read(&c->env.host, d->dev.name, &now) < 0)
		return;
	struct disk_counters diff = diskstats_since(&d->before, &now);
	p->ios = diff.ios[0] + diff.ios[1];
	p->interrupts = interrupts_since(d->interrupts, irqs);
}

static bool device_share_polls_less(const struct result_poll *x, const struct result_poll *y)
{
	if (x->no_queues != y->no_queues)
		return x->no_queues;
	return (double)x->interrupts * (double)y->ios > (double)y->interrupts * (double)x->ios ||
	       (x->ios && !y->ios);
}

static void device_share_poll(const struct pool *c, const struct plan_job *pj, struct result_job *r)
{
	bool any = false;

	r->poll.asked = true;
	r->poll.unpolled = 1 - pj->traits.poll_share;
	for (unsigned i = 0; i < pj->files_n; i++) {
		unsigned k = c->disks->of_target[pj->files[i].target];
		struct result_poll p = {.asked = true, .unpolled = r->poll.unpolled};
		if (k == UINT_MAX)
			continue;
		device_share_poll_of(c, &c->disks->v[k], &p);
		if (!any || device_share_polls_less(&p, &r->poll))
			r->poll = p;
		any = true;
	}
}

void device_share_record(struct pool *c, struct result *out)
{
	if (!c->disks)
		return;
	for (unsigned k = 0; k < c->disks->n; k++) {
		device_share_add(c, k, DIR_READ, out);
		device_share_add(c, k, DIR_WRITE, out);
	}
	for (unsigned e = 0; e < c->plan->entries_n && e < out->jobs_n; e++) {
		const struct plan_job *pj = &c->plan->jobs[c->plan->entries[e].first];
		device_share_caches(c, pj, &out->jobs[e]);
		if (pj->traits.polls && out->jobs[e].started)
			device_share_poll(c, pj, &out->jobs[e]);
	}
}
