/* Rules about measurement, logs and errors (compatibility 17, 22, 23). */
#include "plan/rules.h"
#include "plan/say.h"

static void rules_stat_gtod_reduce_disables(struct draft *d)
{
	struct job_opts *o = d->o;
	if (!o->gtod_reduce)
		return;
	o->disable_lat = o->disable_clat = o->disable_slat = o->disable_bw_measurement = true;
	draft_reason(d, OPT_gtod_reduce, "latencies and bandwidth samples are disabled");
	if (o->write_lat_log || o->write_hist_log)
		draft_warn(
			d, "log-off", OPT_gtod_reduce, "remove gtod_reduce or the log",
			"the latency log stays empty: gtod_reduce=1 disables latency measurement");
}

static void rules_stat_hist_log_needs_clat(struct draft *d)
{
	if (!d->o->write_hist_log)
		return;
	if (!d->o->log_hist_msec)
		draft_warn(d, "hist-period", OPT_write_hist_log, "add log_hist_msec=1000",
			   "the histogram log stays empty: write_hist_log needs log_hist_msec");
	else if (d->o->disable_clat && !d->o->gtod_reduce)
		draft_warn(d, "log-off", OPT_write_hist_log, "remove disable_clat",
			   "the histogram log stays empty: disable_clat=1 disables completion "
			   "latency measurement");
}

static void rules_stat_issue_time_needs_log(struct draft *d)
{
	if (d->o->log_issue_time && !(d->o->write_lat_log && d->o->log_offset))
		draft_error(d, ERR_USAGE, "issue-time", OPT_log_issue_time,
			    "add write_lat_log and log_offset=1",
			    "log_issue_time=1 requires a latency log with offsets");
}

static void rules_stat_binary_logs_are_of_single_ios(struct draft *d)
{
	const struct job_opts *o = d->o;

	if (o->log_format != LOG_BINARY)
		return;
	if (!o->write_lat_log && !o->write_bw_log && !o->write_iops_log)
		draft_error(d, ERR_USAGE, "log-format", OPT_log_format,
			    "add write_lat_log=PREFIX or remove log_format",
			    "log_format=binary has no effect without a log");
	else if (o->log_avg_msec)
		draft_error(d, ERR_USAGE, "log-format", OPT_log_format,
			    "remove log_avg_msec, or use log_format=text",
			    "log_format=binary logs each I/O and excludes log_avg_msec, which "
			    "averages them");
	else if (!o->per_job_logs)
		draft_error(
			d, ERR_USAGE, "log-format", OPT_log_format, "remove per_job_logs=0",
			"log_format=binary writes one file per job and excludes per_job_logs=0");
}

static uint64_t rules_stat_window(uint64_t sample, bool given, uint64_t log_ns)
{
	return given && sample && sample < log_ns ? sample : log_ns;
}

/* Compatibility 17.6, 22.4: a windowed log samples with its own period. */
static void rules_stat_samples_follow_logs(struct draft *d)
{
	struct job_opts *o = d->o;
	if (!o->log_avg_msec)
		return;
	if (o->write_bw_log)
		o->bwavgtime = rules_stat_window(o->bwavgtime, draft_given(d, OPT_bwavgtime),
						 o->log_avg_msec);
	if (o->write_iops_log)
		o->iopsavgtime = rules_stat_window(o->iopsavgtime, draft_given(d, OPT_iopsavgtime),
						   o->log_avg_msec);
}

static void rules_stat_ignoring_means_continuing(struct draft *d)
{
	static const int bit[DIRS] = {CONTINUE_READ, CONTINUE_WRITE, CONTINUE_VERIFY};
	for (unsigned i = 0; i < DIRS; i++) {
		if (!d->o->ignore_error[i].given || !d->o->ignore_error[i].n ||
		    d->o->continue_on_error & bit[i])
			continue;
		d->o->continue_on_error |= bit[i];
		draft_reason(d, OPT_continue_on_error, "on for the errors in ignore_error");
	}
}

static void rules_stat_one_iolog_a_worker(struct draft *d)
{
	if (d->o->write_iolog && d->o->numjobs > 1)
		draft_error(d, ERR_USAGE, "iolog-shared", OPT_write_iolog,
			    "use numjobs=1, or one section per clone, each with a different "
			    "write_iolog",
			    "%llu clones cannot write to the same iolog",
			    (unsigned long long)d->o->numjobs);
}

static bool rules_stat_all_digits(const char *s)
{
	if (!*s)
		return false;
	for (; *s; s++)
		if (*s < '0' || *s > '9')
			return false;
	return true;
}

static bool rules_stat_starts(const char *s, const char *with, const char **rest)
{
	while (*with && *s == *with)
		s++, with++;
	*rest = s;
	return !*with;
}

static void rules_stat_memory_policy(struct draft *d)
{
	const char *p = d->o->numa_mem_policy, *rest;
	bool ok;
	if (!p)
		return;
	if (rules_stat_starts(p, "prefer:", &rest))
		ok = rules_stat_all_digits(rest);
	else if (rules_stat_starts(p, "bind:", &rest) || rules_stat_starts(p, "interleave:", &rest))
		ok = *rest != 0;
	else
		ok = (rules_stat_starts(p, "default", &rest) ||
		      rules_stat_starts(p, "local", &rest) ||
		      rules_stat_starts(p, "interleave", &rest)) &&
		     !*rest;
	if (!ok)
		draft_error(d, ERR_USAGE, "numa-policy", OPT_numa_mem_policy,
			    "allowed: default, local, prefer:NODE, bind:NODES, interleave[:NODES]",
			    "numa_mem_policy=%s is not a memory policy", p);
}

const rule_fn rules_stat[] = {rules_stat_gtod_reduce_disables,
			      rules_stat_hist_log_needs_clat,
			      rules_stat_issue_time_needs_log,
			      rules_stat_binary_logs_are_of_single_ios,
			      rules_stat_samples_follow_logs,
			      rules_stat_ignoring_means_continuing,
			      rules_stat_one_iolog_a_worker,
			      rules_stat_memory_policy,
			      NULL};
