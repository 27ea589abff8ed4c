/* Directions and block sizes (compatibility 7): bs, bsrange and bssplit become one smallest and one
 * largest size a direction. */
#include "plan/blocks.h"
#include <assert.h>

void blocks_declared(const struct job_opts *o, unsigned dir, uint64_t *lo, uint64_t *hi)
{
	assert(dir < DIRS);
	const struct opt_split *split = &o->bssplit[dir];
	*lo = *hi = o->bs[dir];
	if (split->n) {
		*lo = UINT64_MAX;
		*hi = 0;
		for (unsigned i = 0; i < split->n; i++) {
			if (split->v[i].size < *lo)
				*lo = split->v[i].size;
			if (split->v[i].size > *hi)
				*hi = split->v[i].size;
		}
	} else if (o->bsrange[dir].hi) {
		*lo = o->bsrange[dir].lo;
		*hi = o->bsrange[dir].hi;
	}
}

/* Which entries of the size triples a direction uses: with bs_is_seq_rand the read size is that of
 * sequential and the write size that of random I/O (7.5). */
static void blocks_sizes_used(const struct draft *d, unsigned dir, bool used[DIRS])
{
	used[DIR_READ] = used[DIR_WRITE] = used[DIR_TRIM] = false;
	if (!d->o->bs_is_seq_rand) {
		used[dir] = true;
		return;
	}
	double random = d->random ? d->o->percentage_random[dir] : 0;
	bool bursts = d->random && d->o->rw.has_modifier;
	used[DIR_WRITE] = random > 0;
	used[DIR_READ] = random < 100 || bursts;
}

static bool blocks_occurs(const struct draft *d, unsigned dir)
{
	return dir == DIR_READ ? d->reads : dir == DIR_WRITE ? d->writes : d->trims;
}

static void blocks_of(struct draft *d, unsigned dir)
{
	assert(dir < DIRS);
	bool used[DIRS];
	d->lo[dir] = d->hi[dir] = 0;
	if (!blocks_occurs(d, dir))
		return;
	blocks_sizes_used(d, dir, used);
	for (unsigned k = 0; k < DIRS; k++) {
		uint64_t lo, hi;
		if (!used[k])
			continue;
		blocks_declared(d->o, k, &lo, &hi);
		if (!d->lo[dir] || lo < d->lo[dir])
			d->lo[dir] = lo;
		if (hi > d->hi[dir])
			d->hi[dir] = hi;
	}
}

/* What is written by one job as a range or split of a single size is a plain bs. */
static void blocks_simplify(struct job_opts *o, unsigned dir)
{
	uint64_t lo, hi;
	blocks_declared(o, dir, &lo, &hi);
	if (lo == hi) {
		o->bs[dir] = lo;
		o->bsrange[dir] = (struct opt_range){0, 0};
		o->bssplit[dir] = (struct opt_split){NULL, 0};
	}
}

void blocks_init(struct draft *d)
{
	unsigned bits = d->o->rw.bits;
	d->reads = bits & RW_READ;
	d->writes = bits & RW_WRITE;
	d->trims = bits & RW_TRIM;
	d->random = bits & RW_RANDOM;
	d->min_block = UINT64_MAX;
	d->max_block = 0;
	d->fixed_size = true;
	for (unsigned dir = 0; dir < DIRS; dir++)
		blocks_simplify(d->o, dir);
	for (unsigned dir = 0; dir < DIRS; dir++) {
		blocks_of(d, dir);
		if (!d->lo[dir])
			continue;
		if (d->lo[dir] < d->min_block)
			d->min_block = d->lo[dir];
		if (d->hi[dir] > d->max_block)
			d->max_block = d->hi[dir];
	}
	if (d->min_block != d->max_block)
		d->fixed_size = false;
}

static double blocks_mean_of_triple(const struct job_opts *o, unsigned k)
{
	const struct opt_split *split = &o->bssplit[k];
	if (split->n) {
		double sum = 0;
		for (unsigned i = 0; i < split->n; i++)
			sum += (double)split->v[i].size * split->v[i].percent / 100;
		return sum;
	}
	if (o->bsrange[k].hi)
		return ((double)o->bsrange[k].lo + (double)o->bsrange[k].hi) / 2;
	return (double)o->bs[k];
}

double blocks_mean(const struct draft *d)
{
	const struct job_opts *o = d->o;
	double mean[DIRS] = {0};
	for (unsigned dir = 0; dir < DIRS; dir++) {
		if (o->bs_is_seq_rand) {
			double random = d->random ? o->percentage_random[dir] / 100 : 0;
			mean[dir] = random * blocks_mean_of_triple(o, DIR_WRITE) +
				    (1 - random) * blocks_mean_of_triple(o, DIR_READ);
		} else {
			mean[dir] = blocks_mean_of_triple(o, dir);
		}
	}
	if (d->reads && d->writes) {
		double share = o->rwmixread / 100;
		return share * mean[DIR_READ] + (1 - share) * mean[DIR_WRITE];
	}
	return d->reads ? mean[DIR_READ] : d->writes ? mean[DIR_WRITE] : mean[DIR_TRIM];
}
