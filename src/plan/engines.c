/* The engine of a job, its options, and the depth it can reach (compatibility 9 and 4.1). */
#include "plan/engines.h"
#include "plan/say.h"
#include "base/names.h"
#include "conf/engine_opts.h"
#include "engine/registry.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

#define ENGINES_MAX 64
/* A queue is refilled in this many parts (docs/performance.md: the best of 1/4 to 1/32 on devices
 * that work beside the submitter). */
#define BATCH_PARTS 8

static void engines_unknown_engine(struct draft *d, const char *name)
{
	const char *names[ENGINES_MAX];
	char remedy[512];
	size_t len = 0;
	unsigned n;
	const struct engine_ops *const *list = engine_list(&n);

	if (n > ENGINES_MAX)
		n = ENGINES_MAX;
	for (unsigned i = 0; i < n; i++)
		names[i] = list[i]->name;
	int near = names_nearest(name, names, n);
	if (near >= 0)
		len = (size_t)snprintf(remedy, sizeof(remedy), "did you mean %s? ", names[near]);
	len += (size_t)snprintf(remedy + len, sizeof(remedy) - len, "engines:");
	for (unsigned i = 0; i < n && len < sizeof(remedy) - 1; i++) {
		int k = snprintf(remedy + len, sizeof(remedy) - len, " %s", names[i]);
		len += k > 0 ? (size_t)k : 0;
	}
	const char *library = engine_not_built(name);
	if (library)
		draft_error(d, ERR_USAGE, "engine-pending", OPT_ioengine, remedy,
			    "ioengine=%s is not supported yet%s%s", name,
			    library[0] ? "; it needs " : "", library);
	else
		draft_error(d, ERR_USAGE, "engine-unknown", OPT_ioengine, remedy,
			    "unknown ioengine '%s'", name);
}

/* The engine's typed options: defaults, then what was given (compatibility 1.3: options of other
 * engines that a [global] carries are no concern of this job; conf has refused those of the job
 * itself). NULL after an error. */
static const void *engines_parse_options(struct draft *d, const struct engine_ops *ops,
					 bool use_given, uint64_t *given)
{
	struct conf_engine e = {ops->name, ops->rows, ops->rows_n, ops->options_size};
	struct job plain = *d->job;
	void *options = NULL;

	if (!use_given)
		plain.engine_n = 0;
	*given = 0;
	if (engine_opts_typed(&plain, &e, d->b->arena, &options, d->b->diag)) {
		d->failed = true;
		return NULL;
	}
	for (unsigned i = 0; i < plain.engine_n; i++)
		for (unsigned k = 0; k < ops->rows_n && k < 64; k++)
			if (opt_row_named(&ops->rows[k], plain.engine[i].name))
				*given |= (uint64_t)1 << k;
	return options;
}

static void engines_probe_engine(struct draft *d)
{
	char found[512] = "";
	struct err err;

	/* A probe may cost milliseconds: once a run is enough. */
	for (unsigned i = 0; i < d->b->probed_n; i++)
		if (d->b->probed[i] == d->engine)
			return;
	err_clear(&err);
	if (d->engine->probe(found, sizeof(found), &err) == 0) {
		if (d->b->probed_n < sizeof(d->b->probed) / sizeof(d->b->probed[0]))
			d->b->probed[d->b->probed_n++] = d->engine;
		return;
	}
	if (d->b->po->no_device_access)
		draft_warn(d, "engine-unusable", OPT_ioengine, err.remedy,
			   "ioengine=%s cannot be used on this machine: %s", d->engine->name,
			   err.text);
	else
		draft_error(d, ERR_SETUP, "engine-unusable", OPT_ioengine, err.remedy,
			    "ioengine=%s cannot be used on this machine: %s", d->engine->name,
			    err.text);
}

void engines_init(struct draft *d)
{
	uint64_t asked_given;
	char name[256];

	/* external:/path.so */
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(d->o->ioengine, ":"), d->o->ioengine);
	d->asked = engine_find(name);
	if (!d->asked) {
		engines_unknown_engine(d, name);
		return;
	}
	d->engine = d->asked;
	d->asked_options = engines_parse_options(d, d->asked, true, &asked_given);
	d->engine_options = d->asked_options;
	d->engine_given = asked_given;
	if (!d->asked_options)
		return;
	d->asked_caps = d->asked->caps_with(d->asked, d->asked_options, (unsigned)d->o->iodepth);
	if (d->b->po->simulate && !(d->asked->caps & ENGINE_VIRTUAL)) {
		d->engine = engine_simulator();
		d->engine_options =
			d->engine ? engines_parse_options(d, d->engine, false, &d->engine_given)
				  : NULL;
		if (!d->engine_options) {
			draft_error(d, ERR_SETUP, "engine-unusable", OPT_ioengine, "",
				    "this build does not include the simulator");
			d->engine = NULL;
			return;
		}
		draft_reason(d, OPT_ioengine, "simulated: %s is replaced by sim", d->asked->name);
	}
	d->caps = d->engine->caps_with(d->engine, d->engine_options, (unsigned)d->o->iodepth);
	d->engine->traits(d->engine_options, &d->traits);
	engines_probe_engine(d);
}

static unsigned engines_depth_cap(uint64_t v, unsigned depth)
{
	assert(depth);
	return v > depth ? depth : (unsigned)v;
}

/* What iodepth means for this engine. A worker of a synchronous engine has one I/O in flight
 * whatever was asked for. */
static void engines_depth_reach(struct draft *d)
{
	unsigned asked = (unsigned)d->o->iodepth;
	d->depth = asked;
	if ((d->asked_caps & ENGINE_SYNC) && !(d->asked_caps & ENGINE_BATCH)) {
		d->depth = 1;
		if (asked > 1) {
			draft_warn(d, "depth-unreached", OPT_iodepth,
				   "choose an asynchronous engine: ioengine=io_uring or libaio",
				   "iodepth=%u has no effect: ioengine=%s is synchronous, the "
				   "queue depth is 1",
				   asked, d->asked->name);
			draft_reason(d, OPT_iodepth, "reduced from %u to 1: %s is synchronous",
				     asked, d->asked->name);
		}
	} else if (asked > 1 && d->asked_caps & ENGINE_ASYNC_DIRECT && !d->o->direct) {
		draft_warn(d, "depth-unreached", OPT_iodepth,
			   "add direct=1, or use ioengine=io_uring for buffered I/O",
			   "iodepth=%u is not reached: %s blocks during submission unless "
			   "direct=1, so the actual queue depth is near 1",
			   asked, d->asked->name);
		draft_reason(d, OPT_iodepth,
			     "actually near 1: %s blocks during submission of buffered I/O",
			     d->asked->name);
	}
}

void engines_depth(struct draft *d)
{
	const struct job_opts *o = d->o;

	engines_depth_reach(d);
	/* Unset: fio's default of 1 costs a call an I/O, which an engine that answers within the
	 * call feels; all at once keeps a device waiting for its first I/O until the last is
	 * prepared. */
	d->batch = d->depth;
	d->batch_part = (d->depth + BATCH_PARTS - 1) / BATCH_PARTS;
	if (draft_given(d, OPT_iodepth_batch) && o->iodepth_batch)
		d->batch = d->batch_part = engines_depth_cap(o->iodepth_batch, d->depth);
	d->depth_low = o->iodepth_low ? engines_depth_cap(o->iodepth_low, d->depth) : d->depth;
	d->reap_min = engines_depth_cap(o->iodepth_batch_complete_min, d->depth);
	/* Unset: whatever is ready is taken, the minimum decides how long to wait. */
	d->reap_max = d->depth;
	if (draft_given(d, OPT_iodepth_batch_complete_max)) {
		d->reap_max = engines_depth_cap(o->iodepth_batch_complete_max, d->depth);
		if (o->iodepth_batch_complete_max < o->iodepth_batch_complete_min)
			draft_reason(d, OPT_iodepth_batch_complete_max,
				     "raised to iodepth_batch_complete_min");
	}
	/* Who waits for many at once gives many at once. */
	if (d->reap_min > 1)
		d->batch_part = d->batch;
	if (d->reap_max < d->reap_min)
		d->reap_max = d->reap_min;
	if (d->reap_max < 1)
		d->reap_max = 1;
	d->o->iodepth_batch = d->batch;
	d->o->iodepth_low = d->depth_low;
	d->o->iodepth_batch_complete_min = d->reap_min;
	d->o->iodepth_batch_complete_max = d->reap_max;
}

void engines_check(struct draft *d, const struct plan_job *pj)
{
	struct err err;
	struct engine_setup s = {
		.options = d->engine_options,
		.depth = d->depth,
		.batch = d->batch,
		.files = pj->open_files,
		.direct = d->o->direct,
		.reads = d->reads,
		.writes = d->writes,
		.trims = d->trims,
		.max_len = pj->max_len,
		.seed = pj->seed[SEED_ENGINE],
		.worker = pj->number,
		.given = d->engine_given,
	};

	assert(pj->engine && pj->clone == 0);
	err_clear(&err);
	if (d->engine->check(&s, &err))
		draft_err(d, "engine-check", OPT_ioengine, &err);
}
