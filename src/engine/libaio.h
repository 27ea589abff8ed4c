/* The options of libaio, and the completion ring that the kernel shares with it. */
#ifndef FATHOM_ENGINE_LIBAIO_H
#define FATHOM_ENGINE_LIBAIO_H

#include "engine/cmdprio.h"
#include "engine/completed.h"
#include <linux/aio_abi.h>
#include <sys/uio.h>

struct libaio_opts {
	bool userspace_reap, nowait, vectored;
	struct cmdprio_opts cmdprio;
};

/* What stands at the address that io_setup returns (the kernel's interface since 2.5; magic guards
 * it). */
struct libaio_ring {
	uint32_t id, nr;
	uint32_t head, tail;
	uint32_t magic, compat, incompat, header_length;
	struct io_event events[];
};

enum { LIBAIO_RING_MAGIC = 0xa10a10a1 };

struct libaio_ctx {
	struct completed done;
	aio_context_t aio;
	struct libaio_ring *ring; /* NULL: not to be read from here */
	unsigned in_flight;
	bool no_fsync; /* the file system takes no fsync through this interface */
	bool vectored;
	uint32_t read_flags, write_flags; /* RWF_* */
	struct cmdprio prio;
	struct iocb *iocbs;	 /* [depth], by slot */
	struct iocb **list;	 /* [depth] */
	struct io_event *events; /* [depth] */
	struct iovec *iov;	 /* [depth], by slot */
};

/* Per slot, kept as parallel arrays. */
struct libaio_io {
	struct iocb iocb;
	struct io_event event;
	struct iovec iov;
	struct iocb *list;
	struct io *done;
};

#endif
