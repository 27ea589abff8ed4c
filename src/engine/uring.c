/* io_uring: the loop. submit fills entries and hands them to the kernel in one call; that call also
 * runs deferred completion work, so that reap mostly finds completions in shared memory and makes
 * no call of its own. With setup->lazy the call is left to reap, which then submits and waits in
 * one.
 */
#include "engine/uring.h"
#include "base/clock.h"
#include "engine/fileop.h"
#include "base/check.h"

/* BLOCK_URING_CMD_DISCARD of Linux 6.12: _IO(0x12, 0). */
enum { URING_DISCARD = 0x1200 };

/* Longest wait of a polled ring that is done by looking again and again instead of inside the
 * kernel. */
enum { URING_SPIN_NS = 1000000 };

static void uring_prepare_trim(struct io_uring_sqe *sqe, const struct io *io)
{
	sqe->opcode = IORING_OP_URING_CMD;
	sqe->off = 0;
	sqe->cmd_op = URING_DISCARD;
	sqe->addr = io->offset;
	sqe->len = 0;
	sqe->addr3 = io->len;
}

/* Syncs and trims; the entry's common part is filled already. False: do it inline. */
static bool uring_prepare_fileop(struct engine *e, struct io_uring_sqe *sqe, const struct io *io)
{
	struct uring_ctx *c = e->ctx;

	/* A polled ring takes reads and writes only. */
	if (c->iopoll)
		return false;
	sqe->ioprio = 0;
	sqe->rw_flags = 0;
	sqe->addr = 0;
	sqe->len = 0;
	sqe->off = 0;
	sqe->buf_index = 0;
	switch (io->op) {
	case IO_FSYNC:
		sqe->opcode = IORING_OP_FSYNC;
		return true;
	case IO_FDATASYNC:
		sqe->opcode = IORING_OP_FSYNC;
		sqe->fsync_flags = IORING_FSYNC_DATASYNC;
		return true;
	case IO_SYNC_RANGE:
		sqe->opcode = IORING_OP_SYNC_FILE_RANGE;
		sqe->off = io->offset;
		sqe->len = io->len;
		sqe->sync_range_flags = e->setup->sync_range_flags;
		return true;
	case IO_TRIM:
		if (c->no_discard || !e->files[io->file].block_device)
			return false;
		uring_prepare_trim(sqe, io);
		return true;
	default:
		return false;
	}
}

static bool uring_prepare(struct engine *e, struct io_uring_sqe *sqe, struct io *io)
{
	struct uring_ctx *c = e->ctx;

	hot_assert(io->slot < e->setup->depth && io->file < e->setup->files);
	sqe->flags = c->sqe_flags;
	sqe->fd = c->fixed_files ? (int)io->file : e->files[io->file].fd;
	sqe->user_data = (uint64_t)(uintptr_t)io;
	sqe->personality = 0;
	sqe->file_index = 0;
	sqe->addr3 = 0;
	sqe->__pad2[0] = 0;
	if (c->force_async && ++c->count % c->force_async == 0)
		sqe->flags |= IOSQE_ASYNC;
	if (__builtin_expect(io->op > IO_WRITE, 0))
		return uring_prepare_fileop(e, sqe, io);
	if (__builtin_expect(c->prio.on, 0))
		cmdprio_draw(&c->prio, io);
	sqe->opcode = c->opcode[io->op];
	sqe->ioprio = io->flags & IO_PRIO ? io->prio : 0;
	sqe->off = io->offset;
	sqe->rw_flags = c->rw_flags[io->op];
	sqe->buf_index = c->slot_buffers ? io->slot : 0;
	if (__builtin_expect(!c->vectored, 1)) {
		sqe->addr = (uint64_t)(uintptr_t)io->buf;
		sqe->len = io->len;
	} else {
		c->iov[io->slot] = (struct iovec){io->buf, io->len};
		sqe->addr = (uint64_t)(uintptr_t)&c->iov[io->slot];
		sqe->len = 1;
	}
	return true;
}

/* The polling thread picks entries up by itself unless it fell asleep. */
static long uring_wake(struct uring_ctx *c)
{
	c->ring.sq_sent = c->ring.sq_tail;
	/* The new tail must be visible before the flag is read, or both sides may sleep. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (kring_flags(&c->ring) & IORING_SQ_NEED_WAKEUP)
		return kring_enter(&c->ring, 0, 0, IORING_ENTER_SQ_WAKEUP);
	return 0;
}

/* Hand over all that was pushed, as far as the kernel takes it. What it does not take stays in the
 * ring, and reap tries again: it is the one that tells errors, as pushed entries are in flight. */
static void uring_send(struct uring_ctx *c)
{
	struct kring *r = &c->ring;

	kring_publish(r);
	if (c->sqpoll) {
		(void)uring_wake(c);
		return;
	}
	while (r->sq_sent != r->sq_tail) {
		long n = kring_enter(r, r->sq_tail - r->sq_sent, 0, c->submit_flags);

		if (n > 0)
			r->sq_sent += (unsigned)n;
		else if (n != -EINTR)
			break; /* most often short of memory or completion room */
	}
}

int uring_submit(struct engine *e, struct io **ios, unsigned n)
{
	struct uring_ctx *c = e->ctx;
	unsigned i;

	hot_assert(n && n <= e->setup->batch && c->in_flight + n <= e->setup->depth);
	for (i = 0; i < n; i++) {
		struct io_uring_sqe *sqe = kring_sqe(&c->ring);

		if (!sqe)
			break;
		if (uring_prepare(e, sqe, ios[i])) {
			kring_push(&c->ring);
			c->in_flight++;
		} else {
			ios[i]->result = fileop_run(e, ios[i]);
			completed_put(&c->done, ios[i]);
		}
	}
	if (!c->lazy)
		uring_send(c);
	return (int)i;
}

/* What cannot be discarded through the ring is done the old way, and remembered. */
static void uring_trim_again(struct engine *e, struct io *io)
{
	struct uring_ctx *c = e->ctx;

	if (io->result != -EINVAL && io->result != -EOPNOTSUPP && io->result != -ENOTTY)
		return;
	io->result = fileop_run(e, io);
	if (!io->result)
		c->no_discard = true;
}

static unsigned uring_peek(struct engine *e, struct io **out, unsigned max)
{
	struct uring_ctx *c = e->ctx;
	struct kring *r = &c->ring;
	unsigned head = *r->k_cq_head, n;
	unsigned ready = __atomic_load_n(r->k_cq_tail, __ATOMIC_ACQUIRE) - head;

	if (ready > max)
		ready = max;
	for (n = 0; n < ready; n++) {
		const struct io_uring_cqe *cqe = &r->cqes[(head + n) & r->cq_mask];
		struct io *io = (struct io *)(uintptr_t)cqe->user_data;

		io->result = cqe->res;
		out[n] = io;
		if (__builtin_expect(io->op == IO_TRIM, 0))
			uring_trim_again(e, io);
	}
	if (n)
		__atomic_store_n(r->k_cq_head, head + n, __ATOMIC_RELEASE);
	c->in_flight -= n;
	return n;
}

/* Enter the kernel for `need` more completions, handing over what is still unsent. */
static long uring_enter(struct uring_ctx *c, unsigned need, uint64_t timeout_ns)
{
	struct kring *r = &c->ring;
	unsigned flags = IORING_ENTER_GETEVENTS, unsent = r->sq_tail - r->sq_sent;
	long n;

	if (c->sqpoll) {
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (kring_flags(r) & IORING_SQ_NEED_WAKEUP)
			flags |= IORING_ENTER_SQ_WAKEUP;
		return kring_enter_timeout(r, 0, need, flags, timeout_ns);
	}
	kring_publish(r);
	if (c->spins) {
		/* The kernel spins without a limit: for short ones look once a call. */
		if (timeout_ns < URING_SPIN_NS)
			need = 0;
		timeout_ns = UINT64_MAX;
	}
	n = kring_enter_timeout(r, unsent, need, flags, need ? timeout_ns : UINT64_MAX);
	if (n > 0)
		r->sq_sent += (unsigned)n;
	return n;
}

/* Must reap enter the kernel although it has enough? */
static bool uring_must_enter(const struct uring_ctx *c, unsigned n)
{
	if (c->ring.sq_sent != c->ring.sq_tail)
		return true;
	if (n || !c->in_flight)
		return false;
	return c->spins || kring_flags(&c->ring) & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW);
}

static bool uring_gave_up(long r)
{
	return r == -EINTR || r == -ETIME || r == -EAGAIN || r == -EBUSY;
}

static int uring_reap_wait(struct engine *e, struct io **out, unsigned n, unsigned want,
			   unsigned max, uint64_t timeout_ns)
{
	struct uring_ctx *c = e->ctx;
	uint64_t begin = 0;

	if (c->spins && timeout_ns != UINT64_MAX)
		begin = clock_now(e->setup->clock);
	for (;;) {
		long r = uring_enter(c, n < want ? want - n : 0, timeout_ns);

		n += uring_peek(e, out + n, max - n);
		if (r < 0)
			return n || uring_gave_up(r) ? (int)n : (int)r;
		if (n >= want)
			return (int)n;
		/* A call that handed over only part did not wait. One that handed over all of it
		 * hides signal and timeout behind its count, so it is the last. */
		if (r > 0 && c->ring.sq_sent != c->ring.sq_tail)
			continue;
		if (!c->spins)
			return (int)n;
		if (timeout_ns != UINT64_MAX && clock_now(e->setup->clock) - begin >= timeout_ns)
			return (int)n;
	}
}

int uring_reap(struct engine *e, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns)
{
	struct uring_ctx *c = e->ctx;
	unsigned n = 0, want;

	hot_assert(out && min <= max);
	if (__builtin_expect(c->done.n != 0, 0))
		n = completed_take(&c->done, out, max);
	n += uring_peek(e, out + n, max - n);
	want = n + c->in_flight < min ? n + c->in_flight : min;
	if (n >= want && !uring_must_enter(c, n))
		return (int)n;
	return uring_reap_wait(e, out, n, want, max, timeout_ns);
}
