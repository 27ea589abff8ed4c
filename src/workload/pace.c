#include "workload/pace.h"

#include "base/time.h"
#include "base/check.h"
#include <math.h>

#define LATE_NS UINT64_C(1000000)

/* Keeps len * NS_PER_SEC + rest within 64 bits. */
#define RATE_MAX UINT64_C(10000000000000000000)

void pace_init(struct pace *p, const struct job_opts *o, uint64_t seed)
{
	*p = (struct pace){0};
	p->poisson = o->rate_process == RATE_POISSON;
	rng_seed(&p->rng, seed);
	for (unsigned d = 0; d < DIRS; d++) {
		p->bytes[d].rate = o->rate[d] < RATE_MAX ? o->rate[d] : RATE_MAX;
		p->ios[d].rate = o->rate_iops[d] > 0 ? (uint64_t)o->rate_iops[d] : 0;
		p->limited[d] = p->bytes[d].rate || p->ios[d].rate;
		p->on |= p->limited[d];
	}
}

void pace_start(struct pace *p, uint64_t now)
{
	for (unsigned d = 0; d < DIRS; d++) {
		p->bytes[d].due = p->bytes[d].rate ? now : 0;
		p->ios[d].due = p->ios[d].rate ? now : 0;
		p->bytes[d].rest = p->ios[d].rest = 0;
	}
	p->rest = 0;
	p->late_ios = p->behind_ns_max = 0;
}

void pace_shift(struct pace *p, uint64_t ns)
{
	for (unsigned d = 0; d < DIRS; d++) {
		p->bytes[d].due += ns;
		p->ios[d].due += ns;
	}
}

static void pace_advance(struct pace *p, struct pace_schedule *s, uint64_t amount)
{
	hot_assert(!s->rate || s->rest < s->rate || p->poisson);
	if (!s->rate)
		return;
	if (p->poisson) {
		/* Exponential gaps; their mean is the plain gap, so the long-run rate is the one
		 * asked for. */
		double gap = -log(1 - rng_unit(&p->rng)) * (double)(amount * NS_PER_SEC) /
				     (double)s->rate +
			     p->rest;
		double whole = floor(gap);
		s->due += (uint64_t)whole;
		p->rest = gap - whole;
		return;
	}
	uint64_t total = amount * NS_PER_SEC + s->rest;
	uint64_t ns = total / s->rate;
	s->due += ns;
	s->rest = total - ns * s->rate;
}

void pace_issued(struct pace *p, unsigned dir, uint32_t len, uint64_t due, uint64_t now)
{
	hot_assert(dir < DIRS);
	if (!p->limited[dir])
		return;
	if (now > due) {
		uint64_t behind = now - due;
		p->late_ios += behind > LATE_NS;
		if (behind > p->behind_ns_max)
			p->behind_ns_max = behind;
	}
	pace_advance(p, &p->bytes[dir], len);
	pace_advance(p, &p->ios[dir], 1);
}
