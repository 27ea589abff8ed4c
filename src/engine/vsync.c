/* vsync: neighbours in a batch (same file and direction, offsets that follow each other) go out as
 * one readv or writev.
 */
#include "engine/fileop.h"
#include "engine/completed.h"
#include "engine/defaults.h"
#include "engine/rawsys.h"
#include "engine/tables.h"
#include "base/check.h"
#include <limits.h>

struct vsync_ctx {
	struct completed done;
	struct iovec *iov; /* [depth] */
};

/* Per slot: an iovec and a pointer of the done list, kept as two arrays. */
struct vsync_io {
	struct iovec iov;
	struct io *done;
};

static int vsync_open(struct engine *e, struct err *err)
{
	struct vsync_ctx *c = e->ctx;

	(void)err;
	c->iov = e->io_data;
	c->done.v = (struct io **)(void *)(c->iov + e->setup->depth);
	c->done.n = 0;
	return 0;
}

/* How many of ios[0..n) one call can carry. */
static unsigned vsync_run(struct engine *e, struct io **ios, unsigned n)
{
	struct vsync_ctx *c = e->ctx;
	uint64_t next = ios[0]->offset;
	unsigned k = 0;

	while (k < n && k < IOV_MAX && k < e->setup->depth && ios[k]->op == ios[0]->op &&
	       ios[k]->file == ios[0]->file && ios[k]->offset == next) {
		c->iov[k].iov_base = ios[k]->buf;
		c->iov[k].iov_len = ios[k]->len;
		next += ios[k]->len;
		k++;
	}
	return k;
}

/* One call for ios[0..k). Returns how many are over: all, or when the transfer was short those up
 * to the one in which it ended, so that a short transfer never looks like an end of file to the
 * I/Os behind it. */
static unsigned vsync_call(struct engine *e, struct io **ios, unsigned k)
{
	struct vsync_ctx *c = e->ctx;
	int fd = e->files[ios[0]->file].fd;
	long r = rawsys_lseek(fd, ios[0]->offset);

	if (r >= 0)
		r = ios[0]->op == IO_READ ? rawsys_readv(fd, c->iov, k)
					  : rawsys_writev(fd, c->iov, k);
	if (r < 0) {
		for (unsigned i = 0; i < k; i++)
			ios[i]->result = (int32_t)r;
		return k;
	}
	for (unsigned i = 0; i < k; i++) {
		long part = r < (long)ios[i]->len ? r : (long)ios[i]->len;

		if (i && !part)
			return i;
		ios[i]->result = (int32_t)part;
		r -= part;
	}
	return k;
}

static int vsync_submit(struct engine *e, struct io **ios, unsigned n)
{
	struct vsync_ctx *c = e->ctx;

	hot_assert(n && n <= e->setup->batch);
	for (unsigned i = 0; i < n;) {
		unsigned k = 1;

		if (ios[i]->op <= IO_WRITE)
			k = vsync_call(e, ios + i, vsync_run(e, ios + i, n - i));
		else
			ios[i]->result = fileop_run(e, ios[i]);
		while (k--)
			completed_put(&c->done, ios[i++]);
	}
	return (int)n;
}

const struct engine_ops engine_vsync = {
	.name = "vsync",
	.help = "readv(2) and writev(2): neighbouring I/Os of a batch, up to iodepth, become one "
		"call",
	.caps = ENGINE_SYNC | ENGINE_BATCH | ENGINE_TRIM,
	.ctx_size = sizeof(struct vsync_ctx),
	.io_size = sizeof(struct vsync_io),
	.probe = default_probe,
	.check = default_check,
	.caps_with = default_caps,
	.traits = default_traits,
	.capacity = default_capacity,
	.open = vsync_open,
	.attach = default_attach,
	.detach = default_detach,
	.submit = vsync_submit,
	.reap = completed_reap,
	.next = default_next,
	.cancel = default_cancel,
	.close = default_close,
};
