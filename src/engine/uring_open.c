/* io_uring: options, what this kernel offers, building and taking down. */
#include "engine/defaults.h"
#include "engine/tables.h"
#include "engine/uring.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define URING(field) offsetof(struct uring_opts, field)

enum uring_row {
	URING_HIPRI,
	URING_FIXEDBUFS,
	URING_REGISTERFILES,
	URING_NONVECTORED,
};

static const struct opt_row uring_rows[] = {
	[URING_HIPRI] = {"hipri", "", OPT_T_FLAG, OPT_LIVE, URING(hipri), "0", 0, 0, 0, NULL,
			 "engine",
			 "Polls for completions (a ring with IOPOLL); needs direct=1 and a device "
			 "with poll queues."},
	[URING_FIXEDBUFS] = {"fixedbufs", "", OPT_T_FLAG, OPT_LIVE, URING(fixedbufs), "1", 0, 0, 0,
			     NULL, "engine",
			     "Register I/O buffers with the ring (IORING_REGISTER_BUFFERS). "
			     "Default: on if supported."},
	[URING_REGISTERFILES] =
		{"registerfiles", "", OPT_T_FLAG, OPT_LIVE, URING(registerfiles), "1", 0, 0, 0,
		 NULL, "engine",
		 "Register files with the ring (IORING_REGISTER_FILES). Default: on if supported."},
	[URING_NONVECTORED] =
		{"nonvectored", "", OPT_T_INT, OPT_LIVE, URING(nonvectored), "-1", -1, 1, 0, NULL,
		 "engine", "Use non-vectored reads and writes; -1: if the kernel supports them."},
	{"sqthread_poll", "", OPT_T_FLAG, OPT_LIVE, URING(sqthread_poll), "0", 0, 0, 0, NULL,
	 "engine", "Lets a kernel thread pick up submissions."},
	{"sqthread_poll_cpu", "", OPT_T_INT, OPT_LIVE, URING(sqthread_poll_cpu), "-1", -1, 1048576,
	 0, NULL, "engine", "CPU of that thread; -1: any."},
	{"force_async", "", OPT_T_INT, OPT_LIVE, URING(force_async), "0", 0, 2147483647, 0, NULL,
	 "engine", "Hands every N-th I/O to a kernel worker at once; 0: none."},
	{"uncached", "", OPT_T_INT, OPT_LIVE, URING(uncached), "0", 0, 1, 0, NULL, "engine",
	 "Drops pages of buffered I/O from the cache when it is done (RWF_DONTCACHE, Linux 6.14)."},
	{"nowait", "", OPT_T_BOOL, OPT_LIVE, URING(nowait), "0", 0, 0, 0, NULL, "engine",
	 "Fails an I/O with EAGAIN instead of blocking (RWF_NOWAIT)."},
	CMDPRIO_ROWS(struct uring_opts),
};

enum {
	URING_SLOT_BUFFERS_MAX = 16384, /* registered buffers a ring may have */
	URING_CLOSE_TURNS = 20,
	URING_CLOSE_NS = 100000000
};

/* Best first; a kernel that does not know a flag answers EINVAL. */
static const unsigned uring_ladder[] = {
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG |
		IORING_SETUP_SUBMIT_ALL | IORING_SETUP_NO_SQARRAY,
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG |
		IORING_SETUP_SUBMIT_ALL,
	IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SUBMIT_ALL,
	IORING_SETUP_SUBMIT_ALL,
	0,
};

static int uring_climb(struct kring *r, unsigned entries, unsigned flags, unsigned cpu)
{
	unsigned not = flags & IORING_SETUP_SQPOLL
			       ? IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN |
					 IORING_SETUP_TASKRUN_FLAG
			       : 0;
	int err = -EINVAL;

	for (size_t i = 0; err == -EINVAL && i < sizeof(uring_ladder) / sizeof(uring_ladder[0]);
	     i++)
		err = kring_open(r, entries, flags | (uring_ladder[i] & ~not ), cpu);
	return err;
}

static int uring_refused(int r, struct err *err)
{
	switch (r) {
	case -ENOSYS:
		err_set(err, ERR_SETUP, ENOSYS, "this kernel has no io_uring");
		err_remedy(err, "use ioengine=libaio");
		break;
	case -EPERM:
		err_set(err, ERR_SETUP, EPERM, "io_uring is forbidden here");
		err_remedy(err, "see /proc/sys/kernel/io_uring_disabled, or the container's system "
				"call filter");
		break;
	case -ENOMEM:
		err_set(err, ERR_SETUP, ENOMEM, "no memory for the ring");
		err_remedy(err, "raise the limit of locked memory (ulimit -l) or lower iodepth");
		break;
	case -EMFILE:
	case -ENFILE:
		err_set(err, ERR_SETUP, -r, "no descriptor for the ring: %s", strerror(-r));
		err_remedy(err, "raise the limit of open files (ulimit -n)");
		break;
	default:
		err_set(err, ERR_SETUP, -r, "io_uring_setup(2) failed: %s", strerror(-r));
	}
	return r;
}

static void uring_describe(const struct kring *r, char *buf, size_t size)
{
	unsigned f = r->setup_flags;

	snprintf(buf, size, "%s%s%s%s%s%s%s",
		 f & IORING_SETUP_SINGLE_ISSUER ? "SINGLE_ISSUER " : "",
		 f & IORING_SETUP_DEFER_TASKRUN ? "DEFER_TASKRUN " : "",
		 f & IORING_SETUP_COOP_TASKRUN ? "COOP_TASKRUN " : "",
		 f & IORING_SETUP_NO_SQARRAY ? "NO_SQARRAY " : "",
		 f & IORING_SETUP_SQPOLL ? "SQPOLL " : "", f & IORING_SETUP_IOPOLL ? "IOPOLL " : "",
		 r->enter_flags ? "ring-registered" : "ring-plain");
}

static int uring_probe(char *found, size_t size, struct err *err)
{
	struct kring r;
	int ret = uring_climb(&r, 1, 0, 0);
	char text[160];

	if (ret)
		return uring_refused(ret, err);
	IGNORE_RESULT(kring_register_self(&r));
	uring_describe(&r, text, sizeof(text));
	snprintf(found, size, "%s%s%s", text, r.features & IORING_FEAT_EXT_ARG ? " EXT_ARG" : "",
		 r.features & IORING_FEAT_RW_CUR_POS ? " nonvectored" : "");
	kring_close(&r);
	if (!uring_climb(&r, 1, IORING_SETUP_SQPOLL, 0)) {
		ret = (int)strnlen(found, size);
		snprintf(found + ret, size - (size_t)ret, " SQPOLL");
		kring_close(&r);
	}
	return 0;
}

static int uring_check(const struct engine_setup *s, struct err *err)
{
	const struct uring_opts *o = s->options;

	if (default_check_flags(s, o->hipri, o->uncached, err))
		return -EINVAL;
	if (o->sqthread_poll_cpu >= 0 && !o->sqthread_poll) {
		err_set(err, ERR_USAGE, EINVAL,
			"sqthread_poll_cpu has no effect without sqthread_poll");
		err_remedy(err, "add sqthread_poll=1");
		return -EINVAL;
	}
	return cmdprio_check(&o->cmdprio, err);
}

static unsigned uring_caps(const struct engine_ops *ops, const void *options, unsigned depth)
{
	const struct uring_opts *o = options;

	(void)depth;
	return ops->caps | (o->hipri && !o->sqthread_poll ? ENGINE_POLL : 0);
}

static void uring_traits(const void *options, struct engine_traits *out)
{
	const struct uring_opts *o = options;

	out->polls = o->hipri;
	out->poll_share = o->hipri;
	out->own_priorities = cmdprio_any(&o->cmdprio);
	out->extra_cpus = o->sqthread_poll;
}

static const struct engine_need uring_needs[] = {
	{"", 5, 1, false, FINDING_BAD, "io_uring is not available", "ioengine=libaio"},
	{"force_async", 5, 6, false, FINDING_BAD, "force_async fails", "leave it out"},
	{"sqthread_poll", 5, 11, false, FINDING_WARN,
	 "sqthread_poll needs root and registered files", "run as root with registerfiles=1"},
	{"uncached", 6, 14, false, FINDING_BAD, "uncached fails", "leave it out"},
	{"", 6, 1, false, FINDING_NOTE,
	 "no IORING_SETUP_DEFER_TASKRUN: a few per cent more CPU time per I/O", ""},
};

static bool uring_given(const struct engine *e, enum uring_row row)
{
	return e->setup->given >> row & 1;
}

/* A table of setup->files empty places, filled by attach. */
static int uring_register_files(struct engine *e)
{
	struct uring_ctx *c = e->ctx;
	unsigned n = e->setup->files;
	int *fds, ret;

	if (!n)
		return -ENOENT;
	fds = malloc(n * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		fds[i] = -1;
	ret = kring_register(&c->ring, IORING_REGISTER_FILES, fds, n);
	free(fds);
	return ret < 0 ? ret : 0;
}

/* One registered buffer for the whole range, or above the kernel's limit of 1 GiB one a slot. */
static int uring_register_buffers(struct engine *e)
{
	const struct engine_setup *s = e->setup;
	struct uring_ctx *c = e->ctx;
	struct iovec all = {s->buffers, s->buffer_bytes};
	uintptr_t begin = (uintptr_t)s->buffers, end = begin + s->buffer_bytes;
	int ret;

	if (!s->buffers)
		return -ENOENT;
	for (unsigned i = 0; i < s->depth; i++) {
		uintptr_t at = (uintptr_t)s->ios[i].buf;

		if (at < begin || at + s->max_len > end)
			return -EFAULT;
		c->iov[i] = (struct iovec){s->ios[i].buf, s->max_len};
	}
	if (s->buffer_bytes <= 1u << 30)
		return kring_register(&c->ring, IORING_REGISTER_BUFFERS, &all, 1);
	if (s->depth > URING_SLOT_BUFFERS_MAX)
		return -E2BIG;
	ret = kring_register(&c->ring, IORING_REGISTER_BUFFERS, c->iov, s->depth);
	c->slot_buffers = ret >= 0;
	return ret;
}

/* What was asked for must work; what is only our habit falls back. */
static int uring_register_all(struct engine *e, bool *buffers, struct err *err)
{
	const struct uring_opts *o = e->setup->options;
	struct uring_ctx *c = e->ctx;
	int ret;

	*buffers = false;
	if (o->registerfiles) {
		ret = uring_register_files(e);
		c->fixed_files = !ret;
		if (ret && uring_given(e, URING_REGISTERFILES))
			return err_set(err, ERR_SETUP, -ret,
				       "registerfiles: the kernel refuses to register %u files",
				       e->setup->files);
	}
	if (o->fixedbufs && (o->nonvectored != 0 || uring_given(e, URING_FIXEDBUFS))) {
		ret = uring_register_buffers(e);
		*buffers = ret >= 0;
		if (ret < 0 && uring_given(e, URING_FIXEDBUFS)) {
			err_set(err, ERR_SETUP, -ret,
				"fixedbufs: the kernel refuses to register %zu bytes of buffers",
				e->setup->buffer_bytes);
			err_remedy(err, "raise the limit of locked memory (ulimit -l)");
			return ret;
		}
	}
	return 0;
}

static int uring_choose_opcodes(struct engine *e, bool buffers, struct err *err)
{
	const struct uring_opts *o = e->setup->options;
	struct uring_ctx *c = e->ctx;
	bool has_plain = c->ring.features & IORING_FEAT_RW_CUR_POS;

	if (o->nonvectored > 0 && !has_plain)
		return err_set(err, ERR_SETUP, EOPNOTSUPP, "nonvectored=1 needs Linux 5.6");
	c->vectored = !buffers && (!o->nonvectored || !has_plain);
	c->opcode[IO_READ] = c->vectored ? IORING_OP_READV : IORING_OP_READ;
	c->opcode[IO_WRITE] = c->vectored ? IORING_OP_WRITEV : IORING_OP_WRITE;
	if (buffers) {
		c->opcode[IO_READ] = IORING_OP_READ_FIXED;
		c->opcode[IO_WRITE] = IORING_OP_WRITE_FIXED;
	}
	return 0;
}

static void uring_settle(struct engine *e)
{
	const struct uring_opts *o = e->setup->options;
	struct uring_ctx *c = e->ctx;

	c->sqpoll = o->sqthread_poll;
	c->iopoll = o->hipri;
	c->spins = c->iopoll && !c->sqpoll;
	c->lazy = e->setup->lazy && !c->sqpoll;
	c->force_async = (uint64_t)o->force_async;
	c->sqe_flags = c->fixed_files ? IOSQE_FIXED_FILE : 0;
	c->rw_flags[IO_READ] =
		(o->nowait ? RAWSYS_RWF_NOWAIT : 0u) | (o->uncached ? RAWSYS_RWF_DONTCACHE : 0u);
	c->rw_flags[IO_WRITE] = c->rw_flags[IO_READ] | (e->setup->atomic ? RAWSYS_RWF_ATOMIC : 0u);
	/* Deferred completion work runs only in calls that ask for events. */
	if (c->ring.setup_flags & IORING_SETUP_DEFER_TASKRUN && !c->iopoll)
		c->submit_flags = IORING_ENTER_GETEVENTS;
	cmdprio_init(&c->prio, &o->cmdprio, e->setup->seed);
}

static void uring_tell(struct engine *e, bool buffers)
{
	struct uring_ctx *c = e->ctx;
	char text[100];

	uring_describe(&c->ring, text, sizeof(text));
	snprintf(e->note, sizeof(e->note), "%s, files %s, buffers %s", text,
		 c->fixed_files ? "registered" : "plain", buffers ? "registered" : "plain");
}

static int uring_open(struct engine *e, struct err *err)
{
	const struct uring_opts *o = e->setup->options;
	struct uring_ctx *c = e->ctx;
	unsigned flags = o->hipri ? IORING_SETUP_IOPOLL : 0, cpu = 0;
	bool buffers;
	int ret;

	assert(e->setup->depth && e->io_data);
	if (o->sqthread_poll)
		flags |= IORING_SETUP_SQPOLL;
	if (o->sqthread_poll_cpu >= 0) {
		flags |= IORING_SETUP_SQ_AFF;
		cpu = (unsigned)o->sqthread_poll_cpu;
	}
	c->iov = e->io_data;
	c->done.v = (struct io **)(c->iov + e->setup->depth);
	ret = uring_climb(&c->ring, e->setup->depth, flags, cpu);
	if (ret == -EINVAL && flags & IORING_SETUP_SQ_AFF)
		return err_set(err, ERR_SETUP, EINVAL,
			       "sqthread_poll_cpu=%u: the kernel refuses that CPU", cpu);
	if (ret)
		return uring_refused(ret, err);
	IGNORE_RESULT(kring_register_self(&c->ring));
	ret = uring_register_all(e, &buffers, err);
	if (!ret)
		ret = uring_choose_opcodes(e, buffers, err);
	if (!ret && o->sqthread_poll && !c->fixed_files &&
	    !(c->ring.features & IORING_FEAT_SQPOLL_NONFIXED))
		ret = err_set(err, ERR_SETUP, EOPNOTSUPP,
			      "sqthread_poll needs registerfiles=1 on this kernel");
	if (ret) {
		kring_close(&c->ring);
		return ret;
	}
	uring_settle(e);
	uring_tell(e, buffers);
	return 0;
}

static int uring_place(struct engine *e, unsigned file, int fd)
{
	struct uring_ctx *c = e->ctx;
	struct io_uring_files_update up = {.offset = file, .fds = (uint64_t)(uintptr_t)&fd};
	int ret;

	assert(file < e->setup->files);
	if (!c->fixed_files)
		return 0;
	ret = kring_register(&c->ring, IORING_REGISTER_FILES_UPDATE, &up, 1);
	return ret < 0 ? ret : 0;
}

static int uring_attach(struct engine *e, unsigned file, struct err *err)
{
	int ret = uring_place(e, file, e->files[file].fd);

	assert(file < e->setup->files);
	if (ret)
		err_set(err, ERR_SETUP, -ret, "%s: cannot be registered with io_uring",
			e->files[file].path);
	return ret;
}

static void uring_detach(struct engine *e, unsigned file)
{
	uring_place(e, file, -1);
}

static void uring_cancel(struct engine *e)
{
	struct uring_ctx *c = e->ctx;

	kring_cancel_all(&c->ring);
}

static void uring_close(struct engine *e)
{
	struct uring_ctx *c = e->ctx;
	struct io *out[16];

	/* The kernel may still write to buffers that the caller is about to free. */
	if (c->in_flight)
		kring_cancel_all(&c->ring);
	for (int i = 0; c->in_flight && i < URING_CLOSE_TURNS; i++)
		if (uring_reap(e, out, 1, 16, URING_CLOSE_NS) < 0)
			break;
	kring_close(&c->ring);
}

const struct engine_ops engine_io_uring = {
	.name = "io_uring",
	.help = "Linux io_uring; ring, files and buffers are registered when the kernel lets us",
	.caps = ENGINE_TRIM | ENGINE_ATOMIC | ENGINE_IO_URING,
	.rows = uring_rows,
	.rows_n = sizeof(uring_rows) / sizeof(uring_rows[0]),
	.options_size = sizeof(struct uring_opts),
	.ctx_size = sizeof(struct uring_ctx),
	.io_size = sizeof(struct uring_io),
	.probe = uring_probe,
	.check = uring_check,
	.caps_with = uring_caps,
	.traits = uring_traits,
	.needs = uring_needs,
	.needs_n = sizeof(uring_needs) / sizeof(uring_needs[0]),
	.capacity = default_capacity,
	.open = uring_open,
	.attach = uring_attach,
	.detach = uring_detach,
	.submit = uring_submit,
	.reap = uring_reap,
	.next = default_next,
	.cancel = uring_cancel,
	.close = uring_close,
};
