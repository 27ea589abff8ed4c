/* Rules about time, amounts, rates and think time (compatibility 4.1, 11, 12). */
#include "plan/rules.h"
#include "plan/say.h"
#include "base/direction.h"

static void rules_time_based_needs_runtime(struct draft *d)
{
	if (!d->o->time_based || d->o->runtime)
		return;
	d->o->time_based = false;
	draft_warn(d, "time-based", OPT_time_based, "add runtime=TIME",
		   "time_based has no effect without runtime: the job ends by its size");
	draft_reason(d, OPT_time_based, "off: runtime is not set");
}

static void rules_time_based_ignores_amounts(struct draft *d)
{
	static const struct {
		enum job_opt opt;
		const char *name;
	} amount[] = {
		{OPT_number_ios, "number_ios"}, {OPT_io_size, "io_size"}, {OPT_loops, "loops"}};
	if (!d->o->time_based)
		return;
	for (unsigned i = 0; i < sizeof(amount) / sizeof(amount[0]); i++)
		if (draft_own(d, amount[i].name))
			draft_warn(d, "time-based", amount[i].opt,
				   "remove time_based to end at whichever comes first",
				   "%s has no effect: a time_based job ends only by its runtime",
				   amount[i].name);
	if (d->o->number_ios)
		draft_reason(d, OPT_number_ios, "ignored: the job is time_based");
	d->o->number_ios = 0;
	d->o->loops = 1;
}

static void rules_time_loops_at_least_one(struct draft *d)
{
	if (!d->o->loops)
		d->o->loops = 1;
}

static void rules_time_one_kind_of_ramp(struct draft *d)
{
	if (d->o->ramp_time && d->o->ramp_size)
		draft_error(d, ERR_USAGE, "ramp-pair", OPT_ramp_size, "keep one of them",
			    "ramp_time and ramp_size exclude each other");
}

static void rules_time_one_kind_of_rate(struct draft *d)
{
	bool bytes = false, ios = false, bytes_min = false, ios_min = false;
	for (unsigned i = 0; i < DIRS; i++) {
		bytes |= d->o->rate[i] != 0;
		ios |= d->o->rate_iops[i] != 0;
		bytes_min |= d->o->rate_min[i] != 0;
		ios_min |= d->o->rate_iops_min[i] != 0;
	}
	if (bytes && ios)
		draft_error(d, ERR_USAGE, "rate-pair", OPT_rate_iops, "keep one of them",
			    "rate and rate_iops exclude each other");
	if (bytes_min && ios_min)
		draft_error(d, ERR_USAGE, "rate-pair", OPT_rate_iops_min, "keep one of them",
			    "rate_min and rate_iops_min exclude each other");
}

static void rules_time_rate_above_minimum(struct draft *d)
{
	for (unsigned i = 0; i < DIRS; i++) {
		if (d->o->rate[i] && d->o->rate_min[i] > d->o->rate[i])
			draft_error(
				d, ERR_USAGE, "rate-min", OPT_rate_min,
				"rate_min must not exceed rate",
				"the %s rate_min of %llu bytes/s cannot be met: rate limits it to "
				"%llu",
				direction_name[i], (unsigned long long)d->o->rate_min[i],
				(unsigned long long)d->o->rate[i]);
		if (d->o->rate_iops[i] && d->o->rate_iops_min[i] > d->o->rate_iops[i])
			draft_error(d, ERR_USAGE, "rate-min", OPT_rate_iops_min,
				    "rate_iops_min must not exceed rate_iops",
				    "the %s rate_iops_min of %lld cannot be met: rate_iops limits "
				    "it to %lld",
				    direction_name[i], (long long)d->o->rate_iops_min[i],
				    (long long)d->o->rate_iops[i]);
	}
}

static void rules_time_spin_within_think(struct draft *d)
{
	if (!d->o->thinktime || d->o->thinktime_spin <= d->o->thinktime)
		return;
	d->o->thinktime_spin = d->o->thinktime;
	draft_reason(d, OPT_thinktime_spin, "limited to thinktime");
}

/* Compatibility 11.4: with thinktime_iotime alone only the time counts. */
static void rules_time_think_by_time_only(struct draft *d)
{
	if (d->o->thinktime && d->o->thinktime_iotime && !draft_given(d, OPT_thinktime_blocks)) {
		d->o->thinktime_blocks = UINT64_MAX;
		draft_reason(d, OPT_thinktime_blocks, "ignored: thinktime_iotime takes precedence");
	}
}

static void rules_time_fill_only_writes(struct draft *d)
{
	if (d->o->fill_device && d->reads)
		draft_error(d, ERR_USAGE, "fill-device", OPT_fill_device,
			    "fill the device with a write job, then read it in a second job with "
			    "stonewall",
			    "fill_device requires a write-only job");
	else if (d->o->fill_device && d->caps & ENGINE_NO_FILES && !(d->caps & ENGINE_VIRTUAL) &&
		 d->o->size.kind == OPT_SIZE_UNSET)
		draft_error(d, ERR_USAGE, "fill-device", OPT_fill_device, "set size",
			    "ioengine=%s never fills up: fill_device would not end",
			    d->engine->name);
}

const rule_fn rules_time[] = {rules_time_based_needs_runtime, rules_time_based_ignores_amounts,
			      rules_time_loops_at_least_one,  rules_time_one_kind_of_ramp,
			      rules_time_one_kind_of_rate,    rules_time_rate_above_minimum,
			      rules_time_spin_within_think,   rules_time_think_by_time_only,
			      rules_time_fill_only_writes,    NULL};
