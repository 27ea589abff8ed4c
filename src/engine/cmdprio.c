#include "engine/cmdprio.h"
#include <assert.h>
#include <errno.h>

/* Where the class sits in a priority word (the kernel's interface, ioprio_set(2)). */
enum { CMDPRIO_CLASS_SHIFT = 13 };

bool cmdprio_any(const struct cmdprio_opts *o)
{
	return o->percentage[DIR_READ] || o->percentage[DIR_WRITE];
}

int cmdprio_check(const struct cmdprio_opts *o, struct err *err)
{
	if (cmdprio_any(o))
		return 0;
	for (int d = DIR_READ; d <= DIR_WRITE; d++) {
		if (o->level[d] == 0 && o->class[d] <= 1)
			continue;
		err_set(err, ERR_USAGE, EINVAL,
			"cmdprio and cmdprio_class have no effect without cmdprio_percentage");
		err_remedy(err,
			   "add cmdprio_percentage=N, the share of I/Os that carry the priority");
		return -EINVAL;
	}
	return 0;
}

void cmdprio_init(struct cmdprio *c, const struct cmdprio_opts *o, uint64_t seed)
{
	assert(o);
	c->on = false;
	for (int d = DIR_READ; d <= DIR_WRITE; d++) {
		c->percentage[d] = (unsigned)o->percentage[d];
		c->prio[d] = (uint16_t)(o->class[d] << CMDPRIO_CLASS_SHIFT | o->level[d]);
		c->on |= c->percentage[d] != 0;
	}
	/* Another stream than the engine's own draws. */
	rng_seed(&c->rng, rng_derive(seed, 0, 1));
}
