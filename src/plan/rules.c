/* The table of tables, and options that have no effect on the job they were written for. */
#include "plan/rules.h"
#include "plan/engines.h"
#include "plan/blocks.h"
#include "plan/say.h"

static bool rules_no_think(const struct draft *d)
{
	return !d->o->thinktime;
}

static bool rules_no_rate(const struct draft *d)
{
	for (unsigned i = 0; i < DIRS; i++)
		if (d->o->rate[i] || d->o->rate_iops[i])
			return false;
	return true;
}

static bool rules_not_random(const struct draft *d)
{
	return !d->random;
}

static bool rules_no_writes(const struct draft *d)
{
	return !d->writes && !d->trims;
}

static bool rules_no_modifier(const struct draft *d)
{
	return !d->random || !d->o->rw.has_modifier;
}

static bool rules_no_exitall(const struct draft *d)
{
	for (unsigned i = 0; i < d->b->list->n; i++)
		if (d->b->list->jobs[i].o.exitall || d->b->list->jobs[i].o.exitall_on_error)
			return false;
	return true;
}

static bool rules_no_hist_log(const struct draft *d)
{
	return !d->o->write_hist_log;
}

static bool rules_no_any_log(const struct draft *d)
{
	return !d->o->write_bw_log && !d->o->write_iops_log && !d->o->write_lat_log &&
	       !d->o->write_hist_log;
}

static bool rules_not_ranged(const struct draft *d)
{
	return d->min_block == d->max_block;
}

static bool rules_not_mixed(const struct draft *d)
{
	return !(d->reads && d->writes);
}

static bool rules_one_at_a_time(const struct draft *d)
{
	return d->engine && d->depth <= 1;
}

static bool rules_simulated(const struct draft *d)
{
	return d->caps & ENGINE_VIRTUAL && !d->b->po->simulate;
}

static bool rules_one_file(const struct draft *d)
{
	return (d->o->filename.n ? d->o->filename.n : d->o->nrfiles) <= 1;
}

/* Said only for options of the job's own section: a [global] is written for many jobs. */
static const struct {
	enum job_opt opt;
	const char *name;
	bool (*useless)(const struct draft *d);
	const char *why;
} unused[] = {
	{OPT_thinktime_spin, "thinktime_spin", rules_no_think, "without thinktime"},
	{OPT_thinktime_blocks, "thinktime_blocks", rules_no_think, "without thinktime"},
	{OPT_thinktime_iotime, "thinktime_iotime", rules_no_think, "without thinktime"},
	{OPT_rate_process, "rate_process", rules_no_rate, "without rate or rate_iops"},
	{OPT_rate_ignore_thinktime, "rate_ignore_thinktime", rules_no_rate,
	 "without rate or rate_iops"},
	{OPT_norandommap, "norandommap", rules_not_random, "in a sequential job"},
	{OPT_random_distribution, "random_distribution", rules_not_random, "in a sequential job"},
	{OPT_random_generator, "random_generator", rules_not_random, "in a sequential job"},
	{OPT_percentage_random, "percentage_random", rules_not_random, "in a sequential job"},
	{OPT_ba, "ba", rules_not_random, "in a sequential job"},
	{OPT_rw_sequencer, "rw_sequencer", rules_no_modifier, "without rw=rand...:N"},
	{OPT_fsync, "fsync", rules_no_writes, "in a job without writes"},
	{OPT_fdatasync, "fdatasync", rules_no_writes, "in a job without writes"},
	{OPT_sync_file_range, "sync_file_range", rules_no_writes, "in a job without writes"},
	{OPT_end_fsync, "end_fsync", rules_no_writes, "in a job without writes"},
	{OPT_end_syncfs, "end_syncfs", rules_no_writes, "in a job without writes"},
	{OPT_rwmixread, "rwmixread", rules_not_mixed, "unless rw mixes reads and writes"},
	{OPT_rwmixwrite, "rwmixwrite", rules_not_mixed, "unless rw mixes reads and writes"},
	{OPT_bs_unaligned, "bs_unaligned", rules_not_ranged, "without bsrange"},
	{OPT_iodepth_batch, "iodepth_batch", rules_one_at_a_time, "at depth 1"},
	{OPT_iodepth_batch_complete_min, "iodepth_batch_complete_min", rules_one_at_a_time,
	 "at depth 1"},
	{OPT_iodepth_batch_complete_max, "iodepth_batch_complete_max", rules_one_at_a_time,
	 "at depth 1"},
	{OPT_iodepth_low, "iodepth_low", rules_one_at_a_time, "at depth 1"},
	{OPT_file_service_type, "file_service_type", rules_one_file, "with one file"},
	{OPT_isolate, "isolate", rules_simulated, "in simulated time"},
	{OPT_exit_what, "exit_what", rules_no_exitall, "without exitall"},
	{OPT_log_hist_msec, "log_hist_msec", rules_no_hist_log, "without write_hist_log"},
	{OPT_log_hist_coarseness, "log_hist_coarseness", rules_no_hist_log,
	 "without write_hist_log"},
	{OPT_log_avg_msec, "log_avg_msec", rules_no_any_log, "without a write_..._log"},
	{OPT_log_offset, "log_offset", rules_no_any_log, "without a write_..._log"},
};

static void rules_say_unused(struct draft *d)
{
	for (unsigned i = 0; i < sizeof(unused) / sizeof(unused[0]); i++)
		if (draft_own(d, unused[i].name) && unused[i].useless(d))
			draft_warn(d, "unused", unused[i].opt, "leave it out",
				   "%s has no effect %s", unused[i].name, unused[i].why);
}

static void rules_run(struct draft *d, const rule_fn *table)
{
	for (; *table; table++)
		(*table)(d);
}

void rules_apply(struct draft *d)
{
	rules_run(d, rules_before);
	blocks_init(d);
	if (d->engine)
		engines_depth(d);
	rules_say_unused(d);
	rules_run(d, rules_workload);
	rules_run(d, rules_time);
	rules_run(d, rules_data);
	rules_run(d, rules_stat);
}
