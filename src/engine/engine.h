/* The contract of an engine. An engine is a const table; per worker it owns a context of ctx_size
 * bytes and, per slot, io_size bytes of private data, both allocated (zeroed, 64-byte aligned) by
 * the caller.
 *
 * Order of calls, all from the worker's own thread: open, attach (per file), {submit, reap}*,
 * detach, close. close is called once after every open that returned 0. Errors are -errno, words in
 * err. An entry an engine has no use for is a null object of plain.h: callers never test for NULL.
 */
#ifndef FATHOM_ENGINE_ENGINE_H
#define FATHOM_ENGINE_ENGINE_H

#include "base/clock.h"
#include "base/finding.h"
#include "conf/option.h"
#include "engine/io.h"
#include <stdbool.h>
#include <stddef.h>

enum {
	ENGINE_SYNC = 1,  /* an I/O is over when submit returns; depth is 1 unless ENGINE_BATCH */
	ENGINE_BATCH = 2, /* a synchronous engine that takes several I/Os a call (vsync) */
	ENGINE_NO_FILES = 4, /* touches no files: none are created, sizes come from the options */
	ENGINE_NO_DISK = 8,  /* no disk statistics */
	ENGINE_TRIM = 16,    /* can trim (block devices) */
	ENGINE_VIRTUAL = 32, /* runs on the virtual clock (sim) */
	ENGINE_POLL = 64,    /* reap never sleeps: completions are polled for */
	ENGINE_MAPS = 128,   /* maps files: direct does not apply */
	ENGINE_FSYNC_INLINE = 256,  /* the worker does syncs through the descriptor, engine idle */
	ENGINE_ATOMIC = 512,	    /* can write atomically (RWF_ATOMIC) */
	ENGINE_ASYNC_DIRECT = 1024, /* asynchronous with direct I/O only: else submit blocks */
	ENGINE_IO_URING = 2048, /* works through io_uring, which may be forbidden and may hand I/Os
				 * to kernel workers */
	ENGINE_THREADS = 4096	/* other threads of the process do the I/O, so that descriptors must
				 * be those of the whole process */
};

/* What the options of a job make of its engine, as far as others have to know. */
struct engine_traits {
	bool polls;	     /* polled completions are asked for (hipri) */
	double poll_share;   /* of the I/Os, 0..1: how many */
	bool own_priorities; /* I/Os may carry a priority of their own (IO_PRIO) */
	unsigned extra_cpus; /* kernel threads that are busy all the time beside the worker */
};

/* Something of an engine that depends on the kernel's version, for `fathom doctor`. */
struct engine_need {
	const char *option; /* switch that needs it; "" the engine itself */
	unsigned major, minor;
	bool gone; /* it works before that version, not from it on */
	enum finding_severity severity;
	const char *effect, *remedy; /* "force_async fails"; gone: "ignores hipri"; remedy may
				      * be "" */
};

struct engine_file {
	int fd;
	uint64_t size; /* bytes of the region's end that may be touched */
	bool block_device;
	bool direct;
	unsigned alignment; /* of direct I/O, bytes */
	const char *path;
};

/* What a worker tells its engine at open. Valid until close. */
struct engine_setup {
	const void *options; /* typed options (options_size bytes), defaults filled in */
	const struct clock *clock;
	unsigned depth; /* slots, at least 1 */
	unsigned batch; /* largest n of submit */
	unsigned files; /* largest number of attached files */
	bool direct;
	bool reads, writes, trims;
	struct io *ios;		   /* the worker's slots [depth]; buf is set and stays the same */
	void *buffers;		   /* all buffers in one range, for registration */
	size_t buffer_bytes;	   /* of the range */
	size_t max_len;		   /* largest I/O */
	uint64_t seed;		   /* for engines with chance */
	unsigned worker;	   /* global job number */
	unsigned sync_range_flags; /* SYNC_FILE_RANGE_* of IO_SYNC_RANGE */
	bool atomic; /* writes carry RWF_ATOMIC; check refuses it where an engine cannot */
	/* Nobody asks for submission latency and reap follows every submit at once: the engine may
	 * leave the system call of submit to reap, one call instead of two. */
	bool lazy;
	/* Bit i: ops->rows[i] was written by the user. What was asked for and cannot be had is an
	 * error at open; a default that cannot be had falls back and is told in note. */
	uint64_t given;
};

struct engine {
	const struct engine_ops *ops;
	const struct engine_setup *setup;
	struct engine_file *files; /* [setup->files], by index of attach; fd -1 while detached */
	void *ctx;		   /* ops->ctx_size bytes */
	void *io_data;		   /* setup->depth x ops->io_size bytes */
	/* What the engine found out about itself at open: "DEFER_TASKRUN, buffers registered". */
	char note[160];
};

struct engine_ops {
	const char *name;
	const char *help;	    /* one line */
	unsigned caps;		    /* ENGINE_* */
	const struct opt_row *rows; /* its options; fields are offsets into the options struct */
	unsigned rows_n;
	size_t options_size;
	size_t ctx_size, io_size;
	/* Is it usable on this machine? 0, or -errno with words (built without library, kernel too
	 * old). Fills `found` with what this kernel offers, for --enghelp. */
	int (*probe)(char *found, size_t size, struct err *err);
	/* Check options against the setup, before any file is touched and maybe without open. */
	int (*check)(const struct engine_setup *s, struct err *err);
	/* Capabilities given these options and this depth (hipri makes io_uring poll; null is
	 * synchronous at depth 1). Default: ops->caps. */
	unsigned (*caps_with)(const struct engine_ops *ops, const void *options, unsigned depth);
	/* Fills in what differs from zero. */
	void (*traits)(const void *options, struct engine_traits *out);
	const struct engine_need *needs;
	unsigned needs_n;
	/* ENGINE_NO_FILES: bytes of the device the options describe, 0: as large as the job says.
	 */
	uint64_t (*capacity)(const void *options);
	int (*open)(struct engine *e, struct err *err);
	/* e->files[file] is filled in. */
	int (*attach)(struct engine *e, unsigned file, struct err *err);
	void (*detach)(struct engine *e, unsigned file);
	/* Between submit and reap an I/O belongs to the engine; EINTR and EAGAIN come back as
	 * results like any other. Hand over n I/Os (1 <= n <= setup->batch). Returns how many were
	 * taken (>= 0; 0 means: reap first) or -errno when the engine itself failed. An I/O that
	 * fails at once is taken and comes back from reap with result < 0. */
	int (*submit)(struct engine *e, struct io **ios, unsigned n);
	/* Synchronous engines that do one I/O a call: do it now and fill in io->result. Stands for
	 * submit and reap at depth 1. NULL: there is no such way. */
	void (*perform)(struct engine *e, struct io *io);
	/* Collect up to max finished I/Os into out, waiting for at least min (0: do not wait) or
	 * until timeout_ns from now (UINT64_MAX: none). EINTR and timeout return what is there.
	 * Returns the count or -errno. */
	int (*reap)(struct engine *e, struct io **out, unsigned min, unsigned max,
		    uint64_t timeout_ns);
	/* ENGINE_VIRTUAL: virtual time at which the next completion is due, UINT64_MAX for none. */
	uint64_t (*next)(const struct engine *e);
	/* Give up I/Os in flight as far as the kernel allows (after a signal). May do nothing. */
	void (*cancel)(struct engine *e);
	void (*close)(struct engine *e);
};

#endif
