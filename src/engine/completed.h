/* I/Os that are over but not yet reaped, oldest first: what a synchronous engine returns from reap,
 * and what an asynchronous one could finish (or had to fail) inside submit.
 */
#ifndef FATHOM_ENGINE_COMPLETED_H
#define FATHOM_ENGINE_COMPLETED_H

#include "base/must_check.h"
#include "engine/engine.h"
#include <string.h>

struct completed {
	struct io **v; /* room for setup->depth */
	unsigned n;
};

static inline void completed_put(struct completed *d, struct io *io)
{
	d->v[d->n++] = io;
}

/* Move up to max to out; returns how many. */
static inline unsigned completed_take(struct completed *d, struct io **out, unsigned max)
{
	unsigned n = d->n < max ? d->n : max;

	for (unsigned i = 0; i < n; i++)
		out[i] = d->v[i];
	d->n -= n;
	if (__builtin_expect(d->n != 0, 0))
		memmove(d->v, d->v + n, d->n * sizeof(*d->v));
	return n;
}

/* open and reap of engines whose context begins with a struct completed and whose I/O data is a
 * pointer per slot. */
MUST_CHECK int completed_open(struct engine *e, struct err *err);
/* submit of those that are synchronous and take any number: ops->perform for each. */
MUST_CHECK int completed_submit(struct engine *e, struct io **ios, unsigned n);
MUST_CHECK int completed_reap(struct engine *e, struct io **out, unsigned min, unsigned max,
			      uint64_t timeout_ns);

#endif
