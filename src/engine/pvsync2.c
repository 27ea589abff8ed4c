/* pvsync2: one preadv2 or pwritev2 a submit, with flags. */
#include "engine/pvsync2.h"
#include "base/rng.h"
#include "engine/fileop.h"
#include "engine/completed.h"
#include "engine/defaults.h"
#include "engine/rawsys.h"
#include "engine/tables.h"

struct pvsync2_ctx {
	struct completed done;
	unsigned read_flags, write_flags;
	unsigned chance; /* percent of I/Os that are polled for; 0 and 100 are part of the flags */
	struct rng rng;
};

#define PVSYNC2(field) offsetof(struct pvsync2_opts, field)

static const struct opt_row pvsync2_rows[] = {
	{"hipri", "", OPT_T_FLAG, OPT_LIVE, PVSYNC2(hipri), NULL, 0, 0, 0, NULL, "engine",
	 "Asks for polled completion (RWF_HIPRI); the kernel may ignore it for synchronous I/O."},
	{"hipri_percentage", "", OPT_T_INT, OPT_LIVE, PVSYNC2(hipri_percentage), "100", 0, 100, 0,
	 NULL, "engine", "Chance in percent that an I/O is polled for when hipri is on."},
	{"uncached", "", OPT_T_INT, OPT_LIVE, PVSYNC2(uncached), "0", 0, 1, 0, NULL, "engine",
	 "Drops pages of buffered I/O from the cache when it is done (RWF_DONTCACHE, Linux 6.14)."},
	{"nowait", "", OPT_T_BOOL, OPT_LIVE, PVSYNC2(nowait), "0", 0, 0, 0, NULL, "engine",
	 "Fails an I/O with EAGAIN instead of blocking (RWF_NOWAIT)."},
};

static int pvsync2_check(const struct engine_setup *s, struct err *err)
{
	const struct pvsync2_opts *o = s->options;

	return default_check_flags(s, o->hipri, o->uncached, err);
}

static int pvsync2_open(struct engine *e, struct err *err)
{
	const struct pvsync2_opts *o = e->setup->options;
	struct pvsync2_ctx *c = e->ctx;
	unsigned flags = 0;

	if (o->hipri && o->hipri_percentage >= 100)
		flags |= RAWSYS_RWF_HIPRI;
	else if (o->hipri)
		c->chance = (unsigned)o->hipri_percentage;
	if (o->uncached)
		flags |= RAWSYS_RWF_DONTCACHE;
	if (o->nowait)
		flags |= RAWSYS_RWF_NOWAIT;
	c->read_flags = flags;
	c->write_flags = flags | (e->setup->atomic ? RAWSYS_RWF_ATOMIC : 0);
	rng_seed(&c->rng, e->setup->seed);
	return completed_open(e, err);
}

static void pvsync2_perform(struct engine *e, struct io *io)
{
	struct pvsync2_ctx *c = e->ctx;
	struct iovec v = {io->buf, io->len};
	int fd = e->files[io->file].fd;
	unsigned poll = 0;

	if (c->chance && rng_below(&c->rng, 100) < c->chance)
		poll = RAWSYS_RWF_HIPRI;
	if (io->op == IO_READ)
		io->result = (int32_t)rawsys_preadv2(fd, &v, 1, io->offset, c->read_flags | poll);
	else if (io->op == IO_WRITE)
		io->result = (int32_t)rawsys_pwritev2(fd, &v, 1, io->offset, c->write_flags | poll);
	else
		io->result = fileop_run(e, io);
}

static void pvsync2_traits(const void *options, struct engine_traits *out)
{
	const struct pvsync2_opts *o = options;

	out->polls = o->hipri;
	out->poll_share = o->hipri ? (double)o->hipri_percentage / 100 : 0;
}

static const struct engine_need pvsync2_needs[] = {
	{"", 4, 6, false, FINDING_BAD, "there is no preadv2", "ioengine=pvsync or psync"},
	{"hipri", 4, 8, false, FINDING_BAD, "completions are not polled", "leave hipri out"},
	{"nowait", 4, 14, false, FINDING_BAD, "nowait fails", "leave it out"},
	{"uncached", 6, 14, false, FINDING_BAD, "uncached fails", "leave it out"},
	/* "block: ignore RWF_HIPRI hint for sync dio" */
	{"hipri", 5, 19, true, FINDING_BAD, "ignores hipri for synchronous direct I/O",
	 "ioengine=io_uring"},
};

const struct engine_ops engine_pvsync2 = {
	.name = "pvsync2",
	.help = "preadv2(2) and pwritev2(2) with flags (hipri, nowait, uncached, atomic)",
	.caps = ENGINE_SYNC | ENGINE_TRIM | ENGINE_ATOMIC,
	.rows = pvsync2_rows,
	.rows_n = sizeof(pvsync2_rows) / sizeof(pvsync2_rows[0]),
	.options_size = sizeof(struct pvsync2_opts),
	.ctx_size = sizeof(struct pvsync2_ctx),
	.io_size = sizeof(struct io *),
	.probe = default_probe,
	.check = pvsync2_check,
	.caps_with = default_caps,
	.traits = pvsync2_traits,
	.needs = pvsync2_needs,
	.needs_n = sizeof(pvsync2_needs) / sizeof(pvsync2_needs[0]),
	.capacity = default_capacity,
	.open = pvsync2_open,
	.attach = default_attach,
	.detach = default_detach,
	.submit = completed_submit,
	.perform = pvsync2_perform,
	.reap = completed_reap,
	.next = default_next,
	.cancel = default_cancel,
	.close = default_close,
};
