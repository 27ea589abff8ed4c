/* Polling that was asked for (hipri) and did not happen: newer kernels ignore the flag for
 * synchronous direct I/O (docs/doctor.md says which), and a device without poll queues cannot poll.
 * The numbers would be those of interrupts. */
#include "run/polling.h"
#include "engine/registry.h"
#include "host/interrupts.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define ENOUGH_IOS 50u

static bool asks_for_polling(const struct plan_job *pj)
{
	const bool *hipri = engine_option(pj->engine, pj->engine_options, "hipri");

	return hipri && *hipri;
}

/* Share of the I/Os that need not be polled for. */
static double unpolled_share(const struct plan_job *pj)
{
	const int64_t *percent = engine_option(pj->engine, pj->engine_options, "hipri_percentage");

	return percent ? 1.0 - (double)*percent / 100.0 : 0.0;
}

static bool not_polled(const struct pool *c, const struct disk *d, const struct plan_job *pj,
		       char *why, size_t size)
{
	struct disk_counters now, diff;
	uint64_t irqs = 0;

	if (d->dev.io_poll == 0) {
		snprintf(why, size, "%s has no poll queues (queue/io_poll is 0)", d->dev.disk);
		return true;
	}
	if (!d->has_interrupts || interrupts_of_disk(&c->env.host, d->dev.disk, &irqs) < 0 ||
	    diskstats_read(&c->env.host, d->dev.name, &now) < 0)
		return false;
	diff = diskstats_since(&d->before, &now);
	uint64_t ios = diff.ios[0] + diff.ios[1];
	irqs = interrupts_since(d->interrupts, irqs);
	if (ios < ENOUGH_IOS || (double)irqs < (unpolled_share(pj) + 0.1) * (double)ios)
		return false;
	snprintf(why, size, "%s raised %llu interrupts for %llu I/Os", d->dev.disk,
		 (unsigned long long)irqs, (unsigned long long)ios);
	return true;
}

static const char *remedy(const struct plan_job *pj, const struct disk *d)
{
	if (d->dev.io_poll == 0)
		return "give the driver poll queues (nvme: module parameter poll_queues=N), then "
		       "use ioengine=io_uring with hipri "
		       "and direct=1; or leave hipri out";
	if (!strcmp(pj->engine->name, "pvsync2"))
		return "this kernel ignores hipri for synchronous direct I/O; ioengine=io_uring "
		       "with hipri polls";
	return "give the driver poll queues (nvme: module parameter poll_queues=N)";
}

static void judge_job(struct pool *c, const struct plan_job *pj, struct result_job *r)
{
	char why[200];

	r->poll_asked = true;
	for (unsigned i = 0; i < pj->files_n; i++) {
		unsigned k = c->disks->of_target[pj->files[i].target];
		if (k == UINT_MAX || !not_polled(c, &c->disks->v[k], pj, why, sizeof(why)))
			continue;
		r->poll_failed = true;
		diag_add(c->diag, DIAG_WARNING, ERR_NONE, "poll-inactive", NULL, (int)pj->number,
			 remedy(pj, &c->disks->v[k]),
			 "%s: polling was asked for (hipri) but did not happen: %s", pj->name, why);
		return;
	}
}

void polling_judge(struct pool *c, struct result *out)
{
	for (unsigned e = 0; c->disks && e < c->plan->entries_n && e < out->jobs_n; e++) {
		const struct plan_job *pj = &c->plan->jobs[c->plan->entries[e].first];
		if (asks_for_polling(pj) && out->jobs[e].started)
			judge_job(c, pj, &out->jobs[e]);
	}
}
