/* When a worker has done enough, and what is to be expected of it
 * (compatibility 5.4, 5.5, 5.8, 12.1). */
#include "plan/limits.h"
#include "plan/blocks.h"

static bool limits_unlimited(const struct draft *d, const struct plan_job *pj)
{
	return d->o->fill_device && pj->region >= (uint64_t)INT64_MAX / 2;
}

static uint64_t limits_loop_bytes(const struct draft *d, const struct plan_job *pj)
{
	const struct opt_size *io = &d->o->io_size, *size = &d->o->size;
	if (d->o->time_based)
		return 0;
	if (io->kind == OPT_SIZE_BYTES && io->bytes)
		return io->bytes;
	if (limits_unlimited(d, pj))
		return 0;
	if (io->kind == OPT_SIZE_PERCENT && io->percent > 0)
		return (uint64_t)((long double)pj->region * (long double)io->percent / 100);
	if (d->o->filesize.hi && size->kind == OPT_SIZE_BYTES && size->bytes < pj->region)
		return size->bytes;
	return pj->region;
}

static uint64_t limits_times(uint64_t a, uint64_t b)
{
	return a && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/* Blocks of one loop: as many as reach the limit, but a region that is not gone through again has
 * only whole ones. */
static uint64_t limits_loop_blocks(const struct draft *d, const struct plan_job *pj)
{
	uint64_t whole = 0, wanted;
	if (d->min_block != d->max_block) {
		double mean = blocks_mean(d);
		return mean > 0 ? (uint64_t)((double)pj->limit_bytes / mean + 0.5) : 0;
	}
	wanted = pj->limit_bytes / d->min_block + (pj->limit_bytes % d->min_block != 0);
	if (pj->limit_bytes > pj->region)
		return wanted;
	for (unsigned i = 0; i < pj->files_n; i++)
		whole += (pj->files[i].end - pj->files[i].begin) / d->min_block;
	return wanted < whole ? wanted : whole;
}

static void limits_expect(struct draft *d, struct plan_job *pj)
{
	unsigned pair = d->o->rw.bits & RW_TRIMWRITE ? 2 : 1;
	pj->expect_ios = pj->expect_bytes = UINT64_MAX;
	if (pj->time_based || (!pj->limit_bytes && !pj->limit_ios))
		return;
	if (pj->limit_bytes)
		pj->expect_ios =
			limits_times(limits_times(limits_loop_blocks(d, pj), pair), pj->loops);
	if (pj->limit_ios && pj->limit_ios < pj->expect_ios)
		pj->expect_ios = pj->limit_ios;
	if (d->min_block == d->max_block) {
		pj->expect_bytes = limits_times(pj->expect_ios, d->min_block);
		return;
	}
	double bytes = (double)pj->expect_ios * blocks_mean(d);
	double most = (double)pj->limit_bytes * pair * pj->loops;
	pj->expect_bytes = (uint64_t)(pj->limit_bytes && bytes > most ? most : bytes);
}

/* How long the expected amount takes at the rates asked for, in seconds; 0 when nothing slows the
 * worker down. */
static double limits_paced_seconds(const struct draft *d, const struct plan_job *pj)
{
	double bytes = 0, ios = 0, seconds = 0;
	for (unsigned i = 0; i < DIRS; i++) {
		if (!d->lo[i])
			continue;
		bytes += (double)d->o->rate[i];
		ios += (double)d->o->rate_iops[i];
	}
	if (bytes > 0)
		seconds = (double)pj->expect_bytes / bytes;
	else if (ios > 0)
		seconds = (double)pj->expect_ios / ios;
	if (d->o->thinktime && d->o->thinktime_blocks)
		seconds += (double)pj->expect_ios / (double)d->o->thinktime_blocks *
			   (double)d->o->thinktime / 1e9;
	return seconds;
}

static enum plan_end limits_end_of(const struct draft *d, const struct plan_job *pj)
{
	if (pj->time_based)
		return PLAN_END_TIME;
	if (limits_unlimited(d, pj) && !pj->limit_bytes && !pj->limit_ios)
		return PLAN_END_FULL;
	if (pj->run_ns && limits_paced_seconds(d, pj) * 1e9 > (double)pj->run_ns)
		return PLAN_END_TIME;
	if (pj->limit_ios && pj->expect_ios == pj->limit_ios)
		return PLAN_END_COUNT;
	return PLAN_END_SIZE;
}

void sizes_limits(struct draft *d, struct plan_job *pj)
{
	unsigned pair = d->o->rw.bits & RW_TRIMWRITE ? 2 : 1;

	pj->time_based = d->o->time_based;
	pj->run_ns = d->o->runtime;
	pj->ramp_ns = d->o->ramp_time;
	pj->ramp_bytes = d->o->ramp_size;
	pj->loops = d->o->loops > UINT32_MAX ? UINT32_MAX : (unsigned)d->o->loops;
	pj->limit_bytes = limits_loop_bytes(d, pj);
	pj->limit_ios = limits_times(limits_times(d->o->number_ios, pj->loops), pair);
	limits_expect(d, pj);
	pj->ends_by = limits_end_of(d, pj);
}
