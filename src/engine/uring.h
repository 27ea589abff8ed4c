/* Options and context of the io_uring engine: uring_open.c builds it, uring.c runs it. The context
 * belongs to one worker's thread; options that were not given fall back when the kernel says no. */
#ifndef FATHOM_ENGINE_URING_H
#define FATHOM_ENGINE_URING_H

#include "base/must_check.h"
#include "engine/cmdprio.h"
#include "engine/completed.h"
#include "engine/kring.h"

struct uring_opts {
	bool hipri, fixedbufs, registerfiles, sqthread_poll, nowait;
	int64_t sqthread_poll_cpu, nonvectored, force_async, uncached;
	struct cmdprio_opts cmdprio;
};

struct uring_ctx {
	struct kring ring;
	struct completed done;
	unsigned in_flight; /* pushed and not reaped */
	uint8_t opcode[2];  /* of IO_READ, IO_WRITE */
	uint8_t sqe_flags;
	bool vectored, fixed_files, sqpoll, lazy;
	bool iopoll;	       /* reads and writes only */
	bool spins;	       /* waiting is polling, by this thread */
	bool slot_buffers;     /* one registered buffer a slot instead of one for all */
	bool no_discard;       /* the kernel or device has no discard through the ring */
	unsigned submit_flags; /* of the enter in submit */
	uint32_t rw_flags[2];
	uint64_t force_async, count;
	struct cmdprio prio;
	struct iovec *iov; /* [depth], by slot */
};

/* Per slot, kept as parallel arrays. */
struct uring_io {
	struct iovec iov;
	struct io *done;
};

MUST_CHECK int uring_submit(struct engine *e, struct io **ios, unsigned n);
MUST_CHECK int uring_reap(struct engine *e, struct io **out, unsigned min, unsigned max,
			  uint64_t timeout_ns);

#endif
