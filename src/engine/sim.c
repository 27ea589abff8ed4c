/* sim: a device that exists on the virtual clock only. Every worker has one of its own, with
 * sim_parallel servers and one queue; an I/O goes to the server that is free first, in order of
 * submission.
 */
#include "engine/sim.h"
#include "base/err.h"
#include "engine/defaults.h"
#include "engine/tables.h"
#include "base/check.h"
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

struct sim_ctx {
	const struct sim_opts *o;
	struct sim_heap pending; /* completions to come */
	struct sim_heap servers; /* when each is free again */
	struct sim_heap scratch; /* for sim_next */
	unsigned awaited;	 /* completions the caller of reap waits for */
	struct rng rng;
	uint64_t count;	  /* I/Os so far */
	uint64_t written; /* bytes */
	int error;	  /* -errno of injected errors */
};

/* Per slot, as three arrays. */
struct sim_io {
	struct sim_event pending, server, scratch;
};

#define SIM(field)   offsetof(struct sim_opts, field)
#define SIM_US	     1000u /* a bare number is in microseconds, as fio's times of single I/Os are */
#define SIM_CATEGORY "engine"
#define SIM_TIME(n, f, def, help)                                                                  \
	{                                                                                          \
		n, "", OPT_T_TIME, OPT_LIVE, SIM(f), def, 0, 0, SIM_US, NULL, SIM_CATEGORY, help   \
	}
#define SIM_COUNT(n, f, help)                                                                      \
	{                                                                                          \
		n, "", OPT_T_COUNT, OPT_LIVE, SIM(f), "0", 0, 0, 0, NULL, SIM_CATEGORY, help       \
	}
#define SIM_SIZE(n, f, help)                                                                       \
	{                                                                                          \
		n, "", OPT_T_SIZE, OPT_LIVE, SIM(f), "0", 0, 0, 0, NULL, SIM_CATEGORY, help        \
	}

static const struct opt_choice sim_dists[] = {
	{"const", SIM_CONST, "always the mean"},
	{"uniform", SIM_UNIFORM, "evenly from 0 to twice the mean"},
	{"exp", SIM_EXP, "exponential"},
	{"lognormal", SIM_LOGNORMAL, "log-normal with deviation sim_sigma of the logarithm"},
	{NULL, 0, NULL},
};

static const struct opt_row sim_rows[] = {
	SIM_TIME("sim_latency", latency, "100us",
		 "Mean service time of a read; every worker has a device of its own."),
	{"sim_dist", "", OPT_T_ENUM, OPT_LIVE, SIM(dist), "const", 0, 0, 0, sim_dists, SIM_CATEGORY,
	 "Distribution of service times around their mean."},
	{"sim_sigma", "", OPT_T_FLOAT, OPT_LIVE, SIM(sigma), "0.5", 0, 10, 0, NULL, SIM_CATEGORY,
	 "Standard deviation of the logarithm of service times for sim_dist=lognormal."},
	{"sim_parallel", "", OPT_T_COUNT, OPT_LIVE, SIM(parallel), "1", 1, 1048576, 0, NULL,
	 SIM_CATEGORY, "I/Os the device serves at once; more wait in its queue."},
	SIM_TIME("sim_write_latency", write_latency, "0",
		 "Mean service time of a write; 0: as a read."),
	SIM_TIME("sim_trim_latency", trim_latency, "0",
		 "Mean service time of a trim; 0: as a write."),
	SIM_TIME("sim_sync_latency", sync_latency, "0",
		 "Mean service time of a sync; 0: as a write."),
	SIM_SIZE("sim_bandwidth", bandwidth,
		 "Bytes a second of each server: adds length / bandwidth to the service; 0: none."),
	SIM_TIME("sim_stall_at", stall_at, "0",
		 "When the device first stands still, from the start of the run; 0: at "
		 "sim_stall_every."),
	SIM_TIME("sim_stall_every", stall_every, "0", "Time from stall to stall; 0: only one."),
	SIM_TIME("sim_stall_for", stall_for, "0", "Length of a stall; 0: none."),
	SIM_COUNT("sim_error_after", error_after, "Fails the N-th I/O; 0: none."),
	SIM_COUNT("sim_error_every", error_every, "Fails every N-th I/O; 0: none."),
	{"sim_errno", "", OPT_T_STR, OPT_LIVE, SIM(error_name), "EIO", 0, 0, 0, NULL, SIM_CATEGORY,
	 "Name of the error of sim_error_after and sim_error_every."},
	SIM_COUNT("sim_short_every", short_every,
		  "Transfers half of every N-th read or write; 0: none."),
	SIM_SIZE("sim_full_after", full_after,
		 "Fails writes with ENOSPC after so many bytes; 0: never."),
	SIM_SIZE("sim_capacity", capacity, "Size of the device; 0: what the job asks for."),
	SIM_COUNT("sim_crash_after", crash_after,
		  "Aborts the program at the N-th I/O (a test hook); 0: never."),
};

static int sim_check(const struct engine_setup *s, struct err *err)
{
	const struct sim_opts *o = s->options;

	if (!o->error_name || !err_sys_number(o->error_name)) {
		err_set(err, ERR_USAGE, EINVAL, "sim_errno=%s: no such error",
			o->error_name ? o->error_name : "");
		err_remedy(err, "a name such as EIO, ENOSPC or ETIMEDOUT");
		return -EINVAL;
	}
	if (o->stall_every && o->stall_for >= o->stall_every) {
		err_set(err, ERR_USAGE, EINVAL,
			"sim_stall_for is not shorter than sim_stall_every");
		err_remedy(err, "the device would never work; make sim_stall_every longer");
		return -EINVAL;
	}
	if ((o->stall_at || o->stall_every) && !o->stall_for) {
		err_set(err, ERR_USAGE, EINVAL,
			"sim_stall_at and sim_stall_every need sim_stall_for");
		return -EINVAL;
	}
	if (o->stall_for && !o->stall_at && !o->stall_every) {
		err_set(err, ERR_USAGE, EINVAL,
			"sim_stall_for needs sim_stall_at or sim_stall_every");
		return -EINVAL;
	}
	return 0;
}

static uint64_t sim_capacity(const void *options)
{
	const struct sim_opts *o = options;

	return o->capacity;
}

static int sim_open(struct engine *e, struct err *err)
{
	const struct engine_setup *s = e->setup;
	struct sim_ctx *c = e->ctx;
	unsigned servers;

	assert(s->depth && s->clock);
	(void)err;
	memset(c, 0, sizeof(*c));
	c->o = s->options;
	c->error = -err_sys_number(c->o->error_name);
	rng_seed(&c->rng, s->seed);
	c->pending.v = e->io_data;
	c->servers.v = c->pending.v + s->depth;
	c->scratch.v = c->servers.v + s->depth;
	/* No more than depth servers can be busy. */
	servers = c->o->parallel < s->depth ? (unsigned)c->o->parallel : s->depth;
	for (unsigned i = 0; i < servers; i++)
		sim_heap_push(&c->servers, (struct sim_event){0, i, 0});
	return 0;
}

static bool sim_nth(uint64_t count, uint64_t every)
{
	return every && count % every == 0;
}

static int32_t sim_write(struct sim_ctx *c, uint32_t len)
{
	uint64_t room;

	if (c->o->full_after) {
		room = c->o->full_after - c->written;
		if (!room)
			return -ENOSPC;
		if (room < len)
			len = (uint32_t)room;
	}
	c->written += len;
	return (int32_t)len;
}

static int32_t sim_result(struct sim_ctx *c, const struct io *io)
{
	const struct sim_opts *o = c->o;
	uint32_t len = io->len;

	if (c->count == o->error_after || sim_nth(c->count, o->error_every))
		return c->error;
	if (io->op > IO_WRITE)
		return 0;
	if (o->capacity && io->offset + len > o->capacity) {
		len = io->offset < o->capacity ? (uint32_t)(o->capacity - io->offset) : 0;
		if (!len)
			return io->op == IO_WRITE ? -ENOSPC : 0;
	}
	if (sim_nth(c->count, o->short_every) && len > 1)
		len /= 2;
	return io->op == IO_WRITE ? sim_write(c, len) : (int32_t)len;
}

static int sim_submit(struct engine *e, struct io **ios, unsigned n)
{
	struct sim_ctx *c = e->ctx;
	uint64_t now = e->setup->clock->virtual_now;

	hot_assert(n && n <= e->setup->batch && c->pending.n + n <= e->setup->depth);
	for (unsigned i = 0; i < n; i++) {
		struct io *io = ios[i];
		struct sim_event server = sim_heap_pop(&c->servers);
		uint64_t start = server.due > now ? server.due : now;

		if (++c->count == c->o->crash_after)
			raise(SIGABRT);
		io->result = sim_result(c, io);
		server.due = sim_finish(c->o, start, sim_service(c->o, &c->rng, io));
		sim_heap_push(&c->servers, server);
		sim_heap_push(&c->pending, (struct sim_event){server.due, c->count, io->slot});
	}
	return (int)n;
}

static int sim_reap(struct engine *e, struct io **out, unsigned min, unsigned max,
		    uint64_t timeout_ns)
{
	struct sim_ctx *c = e->ctx;
	uint64_t now = e->setup->clock->virtual_now;
	unsigned n = 0;

	hot_assert(out && min <= max);
	(void)timeout_ns;
	c->awaited = min;
	while (n < max && c->pending.n && c->pending.v[0].due <= now)
		out[n++] = &e->setup->ios[sim_heap_pop(&c->pending).slot];
	return (int)n;
}

/* When as many are done as the last reap waits for. */
static uint64_t sim_next(const struct engine *e)
{
	struct sim_ctx *c = e->ctx;
	unsigned more = c->awaited < c->pending.n ? c->awaited : c->pending.n;

	if (!c->pending.n)
		return UINT64_MAX;
	if (more < 2)
		return c->pending.v[0].due;
	memcpy(c->scratch.v, c->pending.v, c->pending.n * sizeof(*c->scratch.v));
	c->scratch.n = c->pending.n;
	while (--more)
		sim_heap_pop(&c->scratch);
	return c->scratch.v[0].due;
}

const struct engine_ops engine_sim = {
	.name = "sim",
	.help = "a simulated device on a virtual clock: no file, no waiting, the same result every "
		"time",
	.caps = ENGINE_VIRTUAL | ENGINE_NO_FILES | ENGINE_NO_DISK | ENGINE_TRIM,
	.rows = sim_rows,
	.rows_n = sizeof(sim_rows) / sizeof(sim_rows[0]),
	.options_size = sizeof(struct sim_opts),
	.ctx_size = sizeof(struct sim_ctx),
	.io_size = sizeof(struct sim_io),
	.probe = default_probe,
	.check = sim_check,
	.caps_with = default_caps,
	.traits = default_traits,
	.capacity = sim_capacity,
	.open = sim_open,
	.attach = default_attach,
	.detach = default_detach,
	.submit = sim_submit,
	.reap = sim_reap,
	.next = sim_next,
	.cancel = default_cancel,
	.close = default_close,
};
