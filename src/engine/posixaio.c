/* posixaio: the C library's aio_*, which in glibc are threads doing one I/O a file at a time. */
#include "base/clock.h"
#include "engine/fileop.h"
#include "engine/completed.h"
#include "engine/defaults.h"
#include "engine/tables.h"

#include "base/time.h"
#include "base/check.h"
#include <aio.h>
#include <errno.h>
#include <fcntl.h>

struct posixaio_ctx {
	struct completed done;
	struct aiocb *cbs;	  /* [depth], by slot */
	const struct aiocb **all; /* [depth]: in flight, oldest first */
	unsigned n;
};

/* Per slot, kept as parallel arrays. */
struct posixaio_io {
	struct aiocb cb;
	const struct aiocb *all;
	struct io *done;
};

static int posixaio_open(struct engine *e, struct err *err)
{
	struct posixaio_ctx *c = e->ctx;

	(void)err;
	c->cbs = e->io_data;
	c->all = (const struct aiocb **)(c->cbs + e->setup->depth);
	c->done.v = (struct io **)(c->all + e->setup->depth);
	return 0;
}

/* 0 when it is on its way, -errno when it was refused, 1 when it has no asynchronous form. */
static int posixaio_start(struct engine *e, const struct io *io)
{
	struct posixaio_ctx *c = e->ctx;
	struct aiocb *cb = &c->cbs[io->slot];
	int r;

	memset(cb, 0, sizeof(*cb));
	cb->aio_fildes = e->files[io->file].fd;
	cb->aio_buf = io->buf;
	cb->aio_nbytes = io->len;
	cb->aio_offset = (off_t)io->offset;
	cb->aio_sigevent.sigev_notify = SIGEV_NONE;
	switch (io->op) {
	case IO_READ:
		r = aio_read(cb);
		break;
	case IO_WRITE:
		r = aio_write(cb);
		break;
	case IO_FSYNC:
		r = aio_fsync(O_SYNC, cb);
		break;
	case IO_FDATASYNC:
		r = aio_fsync(O_DSYNC, cb);
		break;
	default:
		return 1;
	}
	return r ? -errno : 0;
}

static int posixaio_submit(struct engine *e, struct io **ios, unsigned n)
{
	struct posixaio_ctx *c = e->ctx;

	hot_assert(n && n <= e->setup->batch);
	for (unsigned i = 0; i < n; i++) {
		struct io *io = ios[i];
		int ret = posixaio_start(e, io);

		if (!ret) {
			c->all[c->n++] = &c->cbs[io->slot];
			continue;
		}
		if (ret == -EAGAIN && (c->n || c->done.n))
			return (int)i;
		io->result = ret > 0 ? fileop_run(e, io) : ret;
		completed_put(&c->done, io);
	}
	return (int)n;
}

/* Move what is over to out, keeping the order of the rest. */
static unsigned posixaio_collect(struct engine *e, struct io **out, unsigned max)
{
	struct posixaio_ctx *c = e->ctx;
	unsigned kept = 0, n = 0;

	for (unsigned i = 0; i < c->n; i++) {
		struct aiocb *cb = &c->cbs[c->all[i] - c->cbs];
		int err = n < max ? aio_error(cb) : EINPROGRESS;
		ssize_t r;

		if (err == EINPROGRESS) {
			c->all[kept++] = cb;
			continue;
		}
		r = aio_return(cb);
		out[n] = &e->setup->ios[cb - c->cbs];
		out[n++]->result = err ? -err : (int32_t)r;
	}
	c->n = kept;
	return n;
}

static int posixaio_reap(struct engine *e, struct io **out, unsigned min, unsigned max,
			 uint64_t timeout_ns)
{
	struct posixaio_ctx *c = e->ctx;
	unsigned n = completed_take(&c->done, out, max);
	uint64_t begin = 0, passed = 0;

	hot_assert(out && min <= max);
	n += posixaio_collect(e, out + n, max - n);
	if (n >= min || !c->n)
		return (int)n;
	if (timeout_ns != UINT64_MAX)
		begin = clock_now(e->setup->clock);
	while (n < min && c->n && passed <= timeout_ns) {
		uint64_t left = timeout_ns - passed;
		struct timespec ts = time_split(left);
		int ret = aio_suspend(c->all, (int)c->n, timeout_ns == UINT64_MAX ? NULL : &ts);

		n += posixaio_collect(e, out + n, max - n);
		if (ret)
			break;
		if (timeout_ns != UINT64_MAX)
			passed = clock_now(e->setup->clock) - begin;
	}
	return (int)n;
}

static void posixaio_cancel(struct engine *e)
{
	struct posixaio_ctx *c = e->ctx;

	for (unsigned i = 0; i < c->n; i++)
		aio_cancel(c->all[i]->aio_fildes, NULL);
}

static void posixaio_close(struct engine *e)
{
	struct posixaio_ctx *c = e->ctx;
	struct io *out[16];

	/* The threads still write to buffers that the caller is about to free. */
	posixaio_cancel(e);
	while (c->n)
		posixaio_reap(e, out, 1, 16, UINT64_MAX);
}

const struct engine_ops engine_posixaio = {
	.name = "posixaio",
	.help = "POSIX asynchronous I/O of the C library (threads)",
	.caps = ENGINE_TRIM | ENGINE_THREADS,
	.ctx_size = sizeof(struct posixaio_ctx),
	.io_size = sizeof(struct posixaio_io),
	.probe = default_probe,
	.check = default_check,
	.caps_with = default_caps,
	.traits = default_traits,
	.capacity = default_capacity,
	.open = posixaio_open,
	.attach = default_attach,
	.detach = default_detach,
	.submit = posixaio_submit,
	.reap = posixaio_reap,
	.next = default_next,
	.cancel = posixaio_cancel,
	.close = posixaio_close,
};
