/* One I/O, one cache line. Written by the generator (load), the worker (stamps) and the engine
 * (result); never shared between threads. Engine-private data live in a parallel array indexed by
 * slot.
 */
#ifndef FATHOM_ENGINE_IO_H
#define FATHOM_ENGINE_IO_H

#include <assert.h>
#include <stdint.h>

enum io_op { IO_READ, IO_WRITE, IO_TRIM, IO_FSYNC, IO_FDATASYNC, IO_SYNC_RANGE, IO_OPS };

enum {
	IO_RAMP = 4,	 /* issued during the ramp: not counted */
	IO_REQUEUED = 8, /* rest of a short transfer */
	IO_PRIO = 16	 /* carries a priority of its own (prio) */
};

struct io {
	uint64_t start;	   /* ns: taken from the generator */
	uint64_t issue;	   /* ns: submission done (synchronous engines: just before the call) */
	uint64_t intended; /* ns: when the rate schedule wanted it, 0 without a rate */
	uint64_t offset;   /* bytes */
	void *buf;
	uint32_t len;	/* bytes */
	int32_t result; /* bytes done (IO_TRIM and syncs: 0), or -errno */
	uint16_t slot;	/* index 0..depth-1, constant */
	uint16_t file;	/* index of the file in the worker's list */
	uint8_t op;	/* enum io_op */
	uint8_t flags;
	uint16_t prio;	    /* kernel I/O priority value when IO_PRIO */
	uint32_t len_asked; /* first length, for short transfers */
};

_Static_assert(sizeof(struct io) == 64, "struct io is one cache line");

#endif
