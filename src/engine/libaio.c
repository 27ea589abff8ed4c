/* libaio: the kernel's native asynchronous I/O through its system calls; no library is needed.
 * Asynchronous with direct I/O only: buffered I/O is done inside submit, by the kernel.
 */
#include "base/time.h"
#include "engine/libaio.h"
#include "engine/fileop.h"
#include "engine/defaults.h"
#include "engine/rawsys.h"
#include "engine/tables.h"
#include "base/check.h"
#include <assert.h>
#include <time.h>

#define LIBAIO(field) offsetof(struct libaio_opts, field)

static const struct opt_row libaio_rows[] = {
	{"userspace_reap", "", OPT_T_FLAG, OPT_LIVE, LIBAIO(userspace_reap), "1", 0, 0, 0, NULL,
	 "engine",
	 "Reads completions straight from the ring shared with the kernel; 0 asks the kernel each "
	 "time."},
	{"nowait", "", OPT_T_BOOL, OPT_LIVE, LIBAIO(nowait), "0", 0, 0, 0, NULL, "engine",
	 "Fails an I/O with EAGAIN instead of blocking (RWF_NOWAIT)."},
	{"libaio_vectored", "", OPT_T_BOOL, OPT_LIVE, LIBAIO(vectored), "0", 0, 0, 0, NULL,
	 "engine", "Submits vectored reads and writes."},
	CMDPRIO_ROWS(struct libaio_opts),
};

static int libaio_probe(char *found, size_t size, struct err *err)
{
	aio_context_t aio = 0;
	long r = rawsys6(SYS_io_setup, 1, (long)&aio, 0, 0, 0, 0);

	if (size)
		found[0] = '\0';
	if (r < 0)
		return err_set(err, ERR_SETUP, (int)-r, "this kernel refuses io_setup(2)%s",
			       r == -ENOSYS ? ": it was built without AIO" : "");
	rawsys6(SYS_io_destroy, (long)aio, 0, 0, 0, 0, 0);
	return 0;
}

static int libaio_check(const struct engine_setup *s, struct err *err)
{
	const struct libaio_opts *o = s->options;

	return cmdprio_check(&o->cmdprio, err);
}

static int libaio_open(struct engine *e, struct err *err)
{
	const struct engine_setup *s = e->setup;
	const struct libaio_opts *o = s->options;
	struct libaio_ctx *c = e->ctx;
	long r = rawsys6(SYS_io_setup, s->depth, (long)&c->aio, 0, 0, 0, 0);

	assert(s->depth && e->io_data);
	if (r < 0) {
		err_set(err, ERR_SETUP, (int)-r, "io_setup(2) for depth %u failed: %s", s->depth,
			r == -EAGAIN ? "the limit of all processes is reached" : "kernel refuses");
		if (r == -EAGAIN)
			err_remedy(err, "raise /proc/sys/fs/aio-max-nr");
		return (int)r;
	}
	c->iocbs = e->io_data;
	c->events = (struct io_event *)(c->iocbs + s->depth);
	c->iov = (struct iovec *)(c->events + s->depth);
	c->list = (struct iocb **)(c->iov + s->depth);
	c->done.v = (struct io **)(c->list + s->depth);
	c->ring = (struct libaio_ring *)c->aio;
	if (!o->userspace_reap || c->ring->magic != LIBAIO_RING_MAGIC || c->ring->incompat)
		c->ring = NULL;
	c->vectored = o->vectored;
	c->read_flags = o->nowait ? RAWSYS_RWF_NOWAIT : 0;
	c->write_flags = c->read_flags | (s->atomic ? RAWSYS_RWF_ATOMIC : 0);
	cmdprio_init(&c->prio, &o->cmdprio, s->seed);
	return 0;
}

static void libaio_close(struct engine *e)
{
	struct libaio_ctx *c = e->ctx;

	/* Waits for what is in flight, so that no buffer is written to afterwards. */
	rawsys6(SYS_io_destroy, (long)c->aio, 0, 0, 0, 0, 0);
}

/* Fill the slot's control block; false: this operation has no asynchronous form here. */
static bool libaio_prepare(struct engine *e, struct io *io)
{
	struct libaio_ctx *c = e->ctx;
	struct iocb *cb = &c->iocbs[io->slot];

	hot_assert(io->slot < e->setup->depth && io->file < e->setup->files);
	cb->aio_data = (uint64_t)(uintptr_t)io;
	cb->aio_fildes = (uint32_t)e->files[io->file].fd;
	cb->aio_flags = 0;
	cb->aio_reqprio = 0;
	if (io->op > IO_WRITE) {
		if ((io->op != IO_FSYNC && io->op != IO_FDATASYNC) || c->no_fsync)
			return false;
		cb->aio_lio_opcode = io->op == IO_FSYNC ? IOCB_CMD_FSYNC : IOCB_CMD_FDSYNC;
		cb->aio_buf = cb->aio_nbytes = 0;
		cb->aio_offset = 0;
		cb->aio_rw_flags = 0;
		return true;
	}
	cb->aio_lio_opcode = io->op == IO_READ ? IOCB_CMD_PREAD : IOCB_CMD_PWRITE;
	cb->aio_rw_flags = (__kernel_rwf_t)(io->op == IO_READ ? c->read_flags : c->write_flags);
	cb->aio_buf = (uint64_t)(uintptr_t)io->buf;
	cb->aio_nbytes = io->len;
	cb->aio_offset = (int64_t)io->offset;
	if (c->vectored) {
		c->iov[io->slot] = (struct iovec){io->buf, io->len};
		cb->aio_lio_opcode = io->op == IO_READ ? IOCB_CMD_PREADV : IOCB_CMD_PWRITEV;
		cb->aio_buf = (uint64_t)(uintptr_t)&c->iov[io->slot];
		cb->aio_nbytes = 1;
	}
	if (c->prio.on)
		cmdprio_draw(&c->prio, io);
	if (io->flags & IO_PRIO) {
		cb->aio_flags = IOCB_FLAG_IOPRIO;
		cb->aio_reqprio = (int16_t)io->prio;
	}
	return true;
}

/* The first of the list was refused with error r. */
static void libaio_refused(struct engine *e, struct io *io, long r)
{
	struct libaio_ctx *c = e->ctx;

	if (io->op > IO_WRITE && r == -EINVAL) {
		c->no_fsync = true;
		r = fileop_run(e, io);
	}
	io->result = (int32_t)r;
	completed_put(&c->done, io);
}

/* Hand over list[0..n), the prepared blocks of ios[0..n). Returns how many were taken. */
static unsigned libaio_send(struct engine *e, struct io **ios, unsigned n)
{
	struct libaio_ctx *c = e->ctx;
	unsigned i = 0;

	while (i < n) {
		long r = rawsys6(SYS_io_submit, (long)c->aio, n - i, (long)(c->list + i), 0, 0, 0);

		if (r > 0) {
			i += (unsigned)r;
			c->in_flight += (unsigned)r;
		} else if (r == -EINTR) {
			continue;
		} else if (r == -EAGAIN && (c->in_flight || c->done.n)) {
			/* The kernel is short of something that completions give back. */
			break;
		} else {
			libaio_refused(e, ios[i++], r ? r : -EAGAIN);
		}
	}
	return i;
}

static int libaio_submit(struct engine *e, struct io **ios, unsigned n)
{
	struct libaio_ctx *c = e->ctx;
	unsigned i = 0;

	hot_assert(n && n <= e->setup->batch);
	while (i < n) {
		unsigned k = 0, sent;

		while (i + k < n && libaio_prepare(e, ios[i + k])) {
			c->list[k] = &c->iocbs[ios[i + k]->slot];
			k++;
		}
		sent = libaio_send(e, ios + i, k);
		i += sent;
		if (sent < k)
			break;
		if (i < n) {
			ios[i]->result = fileop_run(e, ios[i]);
			completed_put(&c->done, ios[i++]);
		}
	}
	return (int)i;
}

static inline struct io *libaio_finish(const struct io_event *ev)
{
	struct io *io = (struct io *)(uintptr_t)ev->data;

	io->result = (int32_t)ev->res;
	return io;
}

/* Take what the ring holds without a system call. */
static unsigned libaio_peek(struct libaio_ctx *c, struct io **out, unsigned max)
{
	struct libaio_ring *ring = c->ring;
	unsigned head, tail, n = 0;

	if (!ring)
		return 0;
	head = ring->head;
	tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
	while (head != tail && n < max) {
		out[n++] = libaio_finish(&ring->events[head]);
		if (++head == ring->nr)
			head = 0;
	}
	if (n)
		__atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
	return n;
}

static long libaio_wait(struct libaio_ctx *c, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct timespec ts = time_split(timeout_ns);

	return rawsys6(SYS_io_getevents, (long)c->aio, min, max, (long)c->events,
		       (long)(timeout_ns == UINT64_MAX ? NULL : &ts), 0);
}

static int libaio_reap(struct engine *e, struct io **out, unsigned min, unsigned max,
		       uint64_t timeout_ns)
{
	struct libaio_ctx *c = e->ctx;
	unsigned n = 0, got;
	long r = 0;

	hot_assert(out && min <= max);
	if (__builtin_expect(c->done.n != 0, 0))
		n = completed_take(&c->done, out, max);
	got = libaio_peek(c, out + n, max - n);
	n += got;
	c->in_flight -= got;
	if (min > n + c->in_flight)
		min = n + c->in_flight;
	if (n < max && c->in_flight && (n < min || !c->ring)) {
		unsigned need = min > n ? min - n : 0;

		r = libaio_wait(c, need, max - n, timeout_ns);
		for (long i = 0; i < r; i++)
			out[n++] = libaio_finish(&c->events[i]);
		if (r > 0)
			c->in_flight -= (unsigned)r;
	}
	return r < 0 && r != -EINTR && !n ? (int)r : (int)n;
}

static void libaio_traits(const void *options, struct engine_traits *out)
{
	const struct libaio_opts *o = options;

	out->own_priorities = cmdprio_any(&o->cmdprio);
}

const struct engine_ops engine_libaio = {
	.name = "libaio",
	.help = "Linux native asynchronous I/O (io_submit); needs direct=1 to be asynchronous",
	.caps = ENGINE_TRIM | ENGINE_ATOMIC | ENGINE_ASYNC_DIRECT,
	.rows = libaio_rows,
	.rows_n = sizeof(libaio_rows) / sizeof(libaio_rows[0]),
	.options_size = sizeof(struct libaio_opts),
	.ctx_size = sizeof(struct libaio_ctx),
	.io_size = sizeof(struct libaio_io),
	.probe = libaio_probe,
	.check = libaio_check,
	.caps_with = default_caps,
	.traits = libaio_traits,
	.capacity = default_capacity,
	.open = libaio_open,
	.attach = default_attach,
	.detach = default_detach,
	.submit = libaio_submit,
	.reap = libaio_reap,
	.next = default_next,
	.cancel = default_cancel,
	.close = libaio_close,
};
