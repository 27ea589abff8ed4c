/* What the counters of a run show that the user should know: reads that never reached the device, a
 * depth that was never there. Pure looks at results and device counters; said once a job. */
#include "run/findings.h"
#include <limits.h>

#define ENOUGH_BYTES (16ull << 20)
#define ENOUGH_IOS   1000u

static uint64_t bytes_read(const struct worker *w)
{
	return w->tally[DIR_READ].bytes + w->phase[PHASE_RAMP].bytes[DIR_READ];
}

/* All files of a job on this one disk? */
static bool only_on(const struct pool *c, const struct plan_job *pj, unsigned disk)
{
	for (unsigned i = 0; i < pj->files_n; i++)
		if (c->disks->of_target[pj->files[i].target] != disk)
			return false;
	return pj->files_n > 0;
}

/* The share of what was asked that the disk did not deliver goes to every job that reads there. */
static void mark_entries(const struct pool *c, unsigned disk, double missed, struct result *out)
{
	for (unsigned e = 0; e < c->plan->entries_n && e < out->jobs_n; e++) {
		const struct plan_job *pj = &c->plan->jobs[c->plan->entries[e].first];
		if (pj->reads && !pj->o->pre_read && only_on(c, pj, disk))
			out->jobs[e].reads_missed = missed;
	}
}

static void judge_disk(struct pool *c, unsigned disk, struct result *out)
{
	const struct disk *d = &c->disks->v[disk];
	struct disk_counters now;
	uint64_t asked = 0;
	int first = -1;

	for (unsigned j = 0; j < c->plan->jobs_n; j++) {
		const struct plan_job *pj = &c->plan->jobs[j];
		if (!c->env.workers[j] || !pj->reads || pj->o->pre_read || !only_on(c, pj, disk))
			continue;
		asked += bytes_read(c->env.workers[j]);
		first = first < 0 ? (int)j : first;
	}
	if (asked < ENOUGH_BYTES || diskstats_read(&c->env.host, d->dev.name, &now) < 0)
		return;
	struct disk_counters diff = diskstats_since(&d->before, &now);
	uint64_t got = diff.sectors[0] * 512u;
	if (got >= asked / 10 * 9)
		return;
	mark_entries(c, disk, 1.0 - (double)got / (double)asked, out);
	diag_add(c->diag, DIAG_WARNING, ERR_NONE, "page-cache", NULL, first,
		 "use direct=1, a span well above the memory, and files that were really written",
		 "%s: the jobs read %llu MiB but %s read only %llu MiB: %.0f %% of the reads never "
		 "reached the device",
		 c->plan->jobs[first].name, (unsigned long long)(asked >> 20), d->dev.name,
		 (unsigned long long)(got >> 20), 100.0 * (1.0 - (double)got / (double)asked));
}

static bool unsynced(const struct result_job *r)
{
	return r->writes_buffered && !r->writes_synced;
}

/* Buffered writes of a disk's jobs against what it had been given when they ended. */
static void judge_writes(struct pool *c, unsigned disk, struct result *out)
{
	struct disk_counters now;
	uint64_t asked = 0;

	for (unsigned j = 0; j < c->plan->jobs_n; j++)
		if (c->env.workers[j] && c->plan->jobs[j].writes &&
		    only_on(c, &c->plan->jobs[j], disk))
			asked += c->env.workers[j]->tally[DIR_WRITE].bytes +
				 c->env.workers[j]->phase[PHASE_RAMP].bytes[DIR_WRITE];
	if (asked < ENOUGH_BYTES ||
	    diskstats_read(&c->env.host, c->disks->v[disk].dev.name, &now) < 0)
		return;
	struct disk_counters diff = diskstats_since(&c->disks->v[disk].before, &now);
	double missed = 1.0 - (double)diff.sectors[1] * 512.0 / (double)asked;
	for (unsigned e = 0; missed > 0 && e < c->plan->entries_n && e < out->jobs_n; e++) {
		const struct plan_job *pj = &c->plan->jobs[c->plan->entries[e].first];
		if (pj->writes && unsynced(&out->jobs[e]) && only_on(c, pj, disk))
			out->jobs[e].writes_missed = missed;
	}
}

/* Where all disks of a job have a volatile write cache. */
static void note_caches(const struct pool *c, const struct plan_job *pj, struct result_job *r)
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

static void judge_depth(struct pool *c, const struct plan_job *pj, const struct result_job *r)
{
	double depth = result_mean_depth(r);
	uint64_t ios = r->dir[DIR_READ].ios + r->dir[DIR_WRITE].ios + r->dir[DIR_TRIM].ios;

	if (pj->depth < 2 || job_paced(pj) || pj->caps & ENGINE_NO_DISK || ios < ENOUGH_IOS ||
	    !r->depth_ns || depth >= 0.5 * pj->depth)
		return;
	diag_add(c->diag, DIAG_WARNING, ERR_NONE, "depth-unreached", NULL, (int)pj->number,
		 pj->o->direct
			 ? "I/Os end while they are submitted; a smaller iodepth measures the same"
			 : "buffered I/O ends while it is submitted; add direct=1 to keep the "
			   "device busy",
		 "%s: %.2f I/Os were in flight on average, %u were asked for", pj->name, depth,
		 r->depth_asked);
}

void findings_judge(struct pool *c, struct result *out)
{
	for (unsigned k = 0; c->disks && k < c->disks->n; k++) {
		judge_disk(c, k, out);
		judge_writes(c, k, out);
	}
	for (unsigned e = 0; c->disks && e < c->plan->entries_n && e < out->jobs_n; e++)
		note_caches(c, &c->plan->jobs[c->plan->entries[e].first], &out->jobs[e]);
	for (unsigned e = 0; e < c->plan->entries_n && e < out->jobs_n; e++)
		if (out->jobs[e].started && !c->plan->virtual_clock)
			judge_depth(c, &c->plan->jobs[c->plan->entries[e].first], &out->jobs[e]);
}
