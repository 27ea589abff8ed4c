/* Seeds (compatibility 6.9): from the base seed and the global job number, one stream for each
 * purpose. Two runs repeat exactly, jobs differ from each other, and changing one option does not
 * shift the numbers of the others. */
#include "base/rng.h"
#include "plan/seeds.h"
#include "plan/say.h"
#include <assert.h>

void seeds_init(struct draft *d, struct plan_job *pj)
{
	bool entropy = !d->o->randrepeat && !draft_given(d, OPT_randseed);
	uint64_t base = entropy ? d->b->po->os_seed : (uint64_t)d->o->randseed;
	struct rng delay;

	assert(pj->clone < d->clones);
	for (unsigned s = 0; s < SEED_STREAMS; s++)
		pj->seed[s] = rng_derive(base, pj->number, s);
	pj->delay_ns = d->o->startdelay.lo;
	if (d->o->startdelay.hi > d->o->startdelay.lo) {
		rng_seed(&delay, pj->seed[SEED_DELAY]);
		pj->delay_ns += rng_below(&delay, d->o->startdelay.hi - d->o->startdelay.lo + 1);
	}
}
