#include "engine/completed.h"
#include "base/check.h"
#include <assert.h>

int completed_open(struct engine *e, struct err *err)
{
	struct completed *d = e->ctx;

	assert(e->setup->depth && e->io_data);
	(void)err;
	d->v = e->io_data;
	d->n = 0;
	return 0;
}

int completed_reap(struct engine *e, struct io **out, unsigned min, unsigned max,
		   uint64_t timeout_ns)
{
	hot_assert(out && min <= max);
	(void)min;
	(void)timeout_ns;
	return (int)completed_take(e->ctx, out, max);
}

int completed_submit(struct engine *e, struct io **ios, unsigned n)
{
	hot_assert(n && n <= e->setup->batch);
	void (*perform)(struct engine *, struct io *) = e->ops->perform;

	for (unsigned i = 0; i < n; i++) {
		perform(e, ios[i]);
		completed_put(e->ctx, ios[i]);
	}
	return (int)n;
}
