#include "engine/kring.h"

#include "base/time.h"
#include "base/check.h"
#include <assert.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>

static int kring_map(struct kring *r, int i, size_t size, off_t at)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r->fd, at);

	if (p == MAP_FAILED)
		return -errno;
	r->map[i] = p;
	r->map_size[i] = size;
	return 0;
}

static void kring_unmap(struct kring *r)
{
	for (int i = 0; i < 3; i++)
		if (r->map[i])
			munmap(r->map[i], r->map_size[i]);
}

static size_t kring_max(size_t a, size_t b)
{
	return a > b ? a : b;
}

static int kring_map_all(struct kring *r, const struct io_uring_params *p)
{
	size_t sq = p->sq_off.array + p->sq_entries * sizeof(unsigned);
	size_t cq = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);
	bool one = p->features & IORING_FEAT_SINGLE_MMAP;
	int err = kring_map(r, 0, one ? kring_max(sq, cq) : sq, (off_t)IORING_OFF_SQ_RING);

	if (!err && !one)
		err = kring_map(r, 1, cq, (off_t)IORING_OFF_CQ_RING);
	if (!err)
		err = kring_map(r, 2, p->sq_entries * sizeof(struct io_uring_sqe),
				(off_t)IORING_OFF_SQES);
	return err;
}

static void kring_point(struct kring *r, const struct io_uring_params *p)
{
	char *sq = r->map[0], *cq = r->map[1] ? r->map[1] : r->map[0];

	r->sqes = r->map[2];
	r->sq_entries = p->sq_entries;
	r->sq_mask = p->sq_entries - 1;
	r->k_sq_head = (unsigned *)(void *)(sq + p->sq_off.head);
	r->k_sq_tail = (unsigned *)(void *)(sq + p->sq_off.tail);
	r->k_sq_flags = (unsigned *)(void *)(sq + p->sq_off.flags);
	r->cq_mask = p->cq_entries - 1;
	r->k_cq_head = (unsigned *)(void *)(cq + p->cq_off.head);
	r->k_cq_tail = (unsigned *)(void *)(cq + p->cq_off.tail);
	r->cqes = (struct io_uring_cqe *)(void *)(cq + p->cq_off.cqes);
	if (p->flags & IORING_SETUP_NO_SQARRAY)
		return;
	/* Entry i of the array always names slot i: entries are used in order. */
	for (unsigned i = 0; i < p->sq_entries; i++)
		((unsigned *)(void *)(sq + p->sq_off.array))[i] = i;
}

int kring_open(struct kring *r, unsigned entries, unsigned flags, unsigned cpu)
{
	struct io_uring_params p;
	struct kring new;
	long fd;
	int err;

	assert(entries);
	memset(&p, 0, sizeof(p));
	memset(&new, 0, sizeof(new));
	p.flags = flags | IORING_SETUP_CLAMP;
	p.sq_thread_cpu = cpu;
	fd = rawsys6(SYS_io_uring_setup, entries, (long)&p, 0, 0, 0, 0);
	if (fd < 0)
		return (int)fd;
	new.fd = new.enter_fd = (int)fd;
	new.setup_flags = flags;
	new.features = p.features;
	err = kring_map_all(&new, &p);
	if (err) {
		kring_unmap(&new);
		close(new.fd);
		return err;
	}
	kring_point(&new, &p);
	*r = new;
	return 0;
}

void kring_close(struct kring *r)
{
	kring_unmap(r);
	close(r->fd);
	memset(r, 0, sizeof(*r));
	r->fd = r->enter_fd = -1;
}

int kring_register(struct kring *r, unsigned op, const void *arg, unsigned n)
{
	return (int)rawsys6(SYS_io_uring_register, r->fd, op, (long)arg, n, 0, 0);
}

int kring_register_self(struct kring *r)
{
	/* offset: any free index of this thread's table; data: the descriptor. */
	struct io_uring_rsrc_update up = {.offset = UINT32_MAX, .data = (uint64_t)r->fd};
	int n = kring_register(r, IORING_REGISTER_RING_FDS, &up, 1);

	if (n != 1)
		return n < 0 ? n : -EINVAL;
	r->enter_fd = (int)up.offset;
	r->enter_flags = IORING_ENTER_REGISTERED_RING;
	return 0;
}

void kring_cancel_all(struct kring *r)
{
	/* Every request, whichever it is. */
	struct io_uring_sync_cancel_reg reg = {
		.fd = -1,
		.flags = IORING_ASYNC_CANCEL_ALL | IORING_ASYNC_CANCEL_ANY,
	};

	IGNORE_RESULT(kring_register(r, IORING_REGISTER_SYNC_CANCEL, &reg, 1));
}

/* Kernels before 5.11 cannot wait with a limit: wait for the descriptor instead. */
static long kring_enter_poll(struct kring *r, unsigned submit, unsigned flags, uint64_t timeout_ns)
{
	struct timespec ts = time_split(timeout_ns);
	struct pollfd pfd = {r->fd, POLLIN, 0};
	long n = kring_enter(r, submit, 0, flags);

	if (n < 0)
		return n;
	if (ppoll(&pfd, 1, &ts, NULL) < 0)
		return n ? n : -errno;
	return n;
}

long kring_enter_timeout(struct kring *r, unsigned submit, unsigned min, unsigned flags,
			 uint64_t timeout_ns)
{
	struct __kernel_timespec ts;
	struct io_uring_getevents_arg arg;

	hot_assert(submit <= r->sq_entries);
	if (timeout_ns == UINT64_MAX)
		return kring_enter(r, submit, min, flags);
	if (!(r->features & IORING_FEAT_EXT_ARG))
		return kring_enter_poll(r, submit, flags, timeout_ns);
	ts.tv_sec = (int64_t)(timeout_ns / NS_PER_SEC);
	ts.tv_nsec = (long long)(timeout_ns % NS_PER_SEC);
	memset(&arg, 0, sizeof(arg));
	arg.ts = (uint64_t)(uintptr_t)&ts;
	return rawsys6(SYS_io_uring_enter, r->enter_fd, submit, min,
		       (long)(flags | r->enter_flags | IORING_ENTER_EXT_ARG), (long)&arg,
		       sizeof(arg));
}
