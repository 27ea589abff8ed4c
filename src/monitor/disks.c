/* Counters of the block devices below the targets, before and after. */
#include "monitor/disks.h"
#include "host/blocktree.h"
#include "host/interrupts.h"
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void disks_read_slaves(const struct host *h, struct disk *d)
{
	struct arena a;
	struct host_names names = {0};

	arena_init(&a, 1 << 20);
	IGNORE_RESULT(blockdev_slaves(h, d->dev.name, &a, &names));
	for (unsigned i = 0; i < names.n && d->slaves < SLAVES_MAX; i++) {
		unsigned s = d->slaves;
		if (strlen(names.v[i]) >= BLOCKDEV_NAME ||
		    diskstats_read(h, names.v[i], &d->slave_before[s]) < 0)
			continue;
		memcpy(d->slave[s], names.v[i], strlen(names.v[i]) + 1);
		d->slaves++;
	}
	arena_release(&a);
}

static unsigned disks_add_disk(struct disks *ds, const struct host *h, const struct blockdev *dev)
{
	for (unsigned i = 0; i < ds->n; i++)
		if (!strcmp(ds->v[i].dev.name, dev->name))
			return i;
	if (ds->n == DISKS_MAX)
		return UINT_MAX;
	struct disk *d = &ds->v[ds->n];
	*d = (struct disk){.dev = *dev};
	if (diskstats_read(h, dev->name, &d->before) < 0)
		return UINT_MAX;
	d->has_interrupts = interrupts_of_disk(h, dev->disk, &d->interrupts) == 0;
	disks_read_slaves(h, d);
	return ds->n++;
}

static bool disks_wants_disk(const struct plan *p, unsigned target)
{
	for (unsigned j = 0; j < p->jobs_n; j++) {
		const struct plan_job *pj = &p->jobs[j];
		if (pj->caps & (ENGINE_NO_FILES | ENGINE_NO_DISK) || !pj->o->disk_util)
			continue;
		for (unsigned i = 0; i < pj->files_n; i++)
			if (pj->files[i].target == target)
				return true;
	}
	return false;
}

struct disks *disks_start(const struct worker_env *env)
{
	const struct plan *p = env->plan;
	struct disks *ds = calloc(1, sizeof(*ds));

	assert(env && env->plan);
	if (!ds)
		return NULL;
	ds->env = env;
	ds->of_target = calloc(p->targets_n ? p->targets_n : 1, sizeof(unsigned));
	if (!ds->of_target) {
		free(ds);
		return NULL;
	}
	for (unsigned i = 0; i < p->targets_n; i++) {
		struct blockdev dev;
		ds->of_target[i] = UINT_MAX;
		if (disks_wants_disk(p, i) &&
		    blockdev_of_file(&env->host, p->targets[i].path, &dev) == 0)
			ds->of_target[i] = disks_add_disk(ds, &env->host, &dev);
	}
	return ds;
}

static void disks_to_result(const struct disk_counters *d, struct result_disk_counts *r)
{
	for (unsigned k = 0; k < 2; k++) {
		r->ios[k] = d->ios[k];
		r->sectors[k] = d->sectors[k];
		r->merges[k] = d->merges[k];
		r->ticks_ms[k] = d->ticks_ms[k];
	}
	r->in_queue_ms = d->in_queue_ms;
	r->io_ticks_ms = d->io_ticks_ms;
}

static void disks_collect_slaves(const struct disk *d, const struct host *h, uint64_t span_ns,
				 struct result_disk *r)
{
	struct disk_counters sum = {0};

	r->slaves = d->slaves;
	for (unsigned i = 0; i < d->slaves; i++) {
		struct disk_counters now;
		if (diskstats_read(h, d->slave[i], &now) < 0)
			continue;
		struct disk_counters diff = diskstats_since(&d->slave_before[i], &now);
		disks_to_result(&diff, &r->slave[i]);
		memcpy(r->slave_names[i], d->slave[i], sizeof(r->slave_names[i]));
		r->slave_util[i] = diskstats_util(&diff, span_ns);
		if (r->slave_util[i] > r->agg_util)
			r->agg_util = r->slave_util[i];
		diskstats_add(&sum, &diff);
	}
	disks_to_result(&sum, &r->agg);
}

int disks_collect(const struct disks *ds, uint64_t span_ns, struct result *out)
{
	assert(out);
	if (!ds || !ds->n)
		return 0;
	out->disks = calloc(ds->n, sizeof(*out->disks));
	if (!out->disks)
		return -ENOMEM;
	for (unsigned i = 0; i < ds->n; i++) {
		const struct disk *d = &ds->v[i];
		struct result_disk *r = &out->disks[out->disks_n];
		struct disk_counters now;
		if (diskstats_read(&ds->env->host, d->dev.name, &now) < 0)
			continue; /* the device is gone */
		struct disk_counters diff = diskstats_since(&d->before, &now);
		memcpy(r->name, d->dev.name, sizeof(r->name));
		disks_to_result(&diff, &r->c);
		r->util = diskstats_util(&diff, span_ns);
		disks_collect_slaves(d, &ds->env->host, span_ns, r);
		out->disks_n++;
	}
	return 0;
}

void disks_free(struct disks *ds)
{
	if (!ds)
		return;
	free(ds->of_target);
	free(ds);
}
