/* null: transfers nothing. At depth 1 it is a synchronous engine (no submission latency), above it
 * an asynchronous one whose I/Os are all over at the next reap.
 */
#include "engine/completed.h"
#include "engine/defaults.h"
#include "engine/tables.h"
#include "base/check.h"

static unsigned null_caps(const struct engine_ops *ops, const void *options, unsigned depth)
{
	(void)options;
	return ops->caps | (depth <= 1 ? ENGINE_SYNC : 0);
}

static int null_check(const struct engine_setup *s, struct err *err)
{
	(void)s;
	(void)err;
	return 0;
}

static void null_perform(struct engine *e, struct io *io)
{
	io->result = io->op <= IO_WRITE ? (int32_t)io->len : 0;
}

static int null_submit(struct engine *e, struct io **ios, unsigned n)
{
	struct completed *d = e->ctx;

	hot_assert(n && n <= e->setup->batch);
	for (unsigned i = 0; i < n; i++) {
		null_perform(e, ios[i]);
		completed_put(d, ios[i]);
	}
	return (int)n;
}

const struct engine_ops engine_null = {
	.name = "null",
	.help = "transfers nothing: measures this program itself",
	.caps = ENGINE_NO_FILES | ENGINE_NO_DISK | ENGINE_TRIM,
	.ctx_size = sizeof(struct completed),
	.io_size = sizeof(struct io *),
	.probe = default_probe,
	.check = null_check,
	.caps_with = null_caps,
	.traits = default_traits,
	.capacity = default_capacity,
	.open = completed_open,
	.attach = default_attach,
	.detach = default_detach,
	.submit = null_submit,
	.perform = null_perform,
	.reap = completed_reap,
	.next = default_next,
	.cancel = default_cancel,
	.close = default_close,
};
