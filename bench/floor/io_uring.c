/* io_uring at depth -d with registered file and buffers (not with -n), polled with -p: one call
 * submits a batch and waits for -B completions, of which no more than -B are taken a turn with -m.
 * The ring is set up as the kernel of today likes it best, and more simply where it does not know
 * how.
 */
#include "floor.h"
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>

static void ring_init(struct io_uring *ring, const struct floor *f)
{
	static const unsigned modes[] = {
#ifdef IORING_SETUP_DEFER_TASKRUN
		IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
#endif
#ifdef IORING_SETUP_COOP_TASKRUN
		IORING_SETUP_COOP_TASKRUN,
#endif
		0};
	int ret = -EINVAL;

	for (unsigned i = 0; ret == -EINVAL && i < sizeof(modes) / sizeof(modes[0]); i++)
		ret = io_uring_queue_init(f->depth, ring,
					  modes[i] | (f->hipri ? IORING_SETUP_IOPOLL : 0));
	if (ret)
		floor_fail("io_uring_queue_init", -ret);
	if (f->plain)
		return;

	struct iovec all = {.iov_base = f->buffers, .iov_len = f->depth * f->block_bytes};

	ret = io_uring_register_files(ring, &f->fd, 1);
	if (!ret)
		ret = io_uring_register_buffers(ring, &all, 1);
	if (ret)
		floor_fail("io_uring_register", -ret);
#ifdef FLOOR_RING_FD
	io_uring_register_ring_fd(ring);
#endif
}

static void ring_read(struct io_uring *ring, struct floor *f, unsigned slot)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
	unsigned bytes = (unsigned)f->block_bytes;

	if (f->plain) {
		io_uring_prep_read(sqe, f->fd, floor_buffer(f, slot), bytes, floor_offset(f));
	} else {
		io_uring_prep_read_fixed(sqe, 0, floor_buffer(f, slot), bytes, floor_offset(f), 0);
		sqe->flags |= IOSQE_FIXED_FILE;
	}
	sqe->user_data = slot;
}

int main(int argc, char **argv)
{
	struct floor f;
	struct io_uring ring;
	uint64_t start, ios = 0;
	unsigned most;

	floor_init(&f, argc, argv);
	struct io_uring_cqe **cqes = calloc(f.depth, sizeof(struct io_uring_cqe *));

	if (!cqes)
		floor_fail("completions", ENOMEM);
	most = f.cap ? f.batch : f.depth;
	ring_init(&ring, &f);
	for (unsigned i = 0; i < f.depth; i++)
		ring_read(&ring, &f, i);
	start = floor_start(&f);
	while (floor_now() < f.end_ns) {
		int ret = io_uring_submit_and_wait(&ring, f.batch);
		unsigned n;

		if (ret < 0)
			floor_fail("io_uring_submit_and_wait", -ret);
		n = io_uring_peek_batch_cqe(&ring, cqes, most);
		for (unsigned i = 0; i < n; i++) {
			if (cqes[i]->res != (int)f.block_bytes)
				floor_fail("read", -cqes[i]->res);
			ring_read(&ring, &f, (unsigned)cqes[i]->user_data);
		}
		io_uring_cq_advance(&ring, n);
		ios += n;
	}
	floor_report(&f, start, ios);
	return 0;
}
