/* `fathom [run] JOB...` and every fio command line. */
#include "base/signals.h"
#include "result/merge.h"
#include "log/logs_ios.h"
#include "cmd/failure.h"
#include "cmd/output.h"
#include "cmd/recover.h"
#include "cmd/repeat.h"
#include "cmd/tuned.h"
#include "conf/help.h"
#include "judge/verdict.h"
#include "conf/showcmd.h"
#include "log/inflate.h"
#include "log/logkind.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

static uint64_t run_entropy(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		seed = (uint64_t)time(NULL);
	return seed;
}

/* --fail-on: is the verdict of any job as bad as that? */
static bool run_fails(const struct session *s, const struct result *r)
{
	enum finding_severity worst =
		s->cl.fail_on == CONF_FAIL_INVALID ? FINDING_BAD : FINDING_WARN;
	bool bad = false;

	for (unsigned i = 0; s->cl.fail_on != CONF_FAIL_NEVER && i < r->jobs_n; i++) {
		struct verdict v;
		verdict_judge(r, &r->jobs[i], &v);
		for (unsigned k = 0; k < v.n; k++)
			bad |= v.v[k].f.severity >= worst;
	}
	return bad;
}

/* A signal that came since the run is over: it shall not cost the report. */
static bool run_interrupted(void)
{
	const struct timespec now = {0};
	sigset_t set;

	signals_ending(&set);
	return sigtimedwait(&set, NULL, &now) > 0;
}

/* What the writer put off for the sake of the run. */
static void run_finish_logs(struct session *s, struct output *o)
{
	uint64_t ios = logs_behind(o->logs);
	struct err err = {0};

	/* A wait of a second or more wants a word. */
	if (ios > 10000000)
		fprintf(stderr,
			"fathom: the run is over; text logs of %.0f million I/Os are still being "
			"written (log_format=binary saves the wait)\n",
			(double)ios / 1e6);
	while (logs_idle(o->logs) && !run_interrupted())
		;
	ios = logs_behind(o->logs);
	if (ios)
		diag_add(&s->diag, DIAG_ERROR, ERR_IO, "log-write", NULL, -1, "",
			 "interrupted: the last I/Os, about %llu, are missing from the text logs",
			 (unsigned long long)ios);
	if (logs_close(o->logs, &err) < 0)
		diag_add_err(&s->diag, "log-write", -1, &err);
}

/* One run of the plan; the caller releases the result. */
static int run_plain(struct session *s, const struct plan *plan, struct output *o, struct result *r)
{
	struct run_hooks hooks;
	struct run_options ro = {
		.progress_ns = output_progress_period(o),
		.status_interval_ns = s->cl.status_interval_ns,
		.live_ns = follow_period(o->follow),
		.version = cmd_version_string(),
		.sysroot = "",
		.bandwidth_log = s->cl.bandwidth_log != NULL,
	};
	struct err err = {0};
	int ret = logs_open(&o->logs, plan, s->cl.bandwidth_log, &err);

	if (ret < 0) {
		diag_add_err(&s->diag, "log-open", -1, &err);
		return ret;
	}
	output_hooks(o, &hooks);
	ret = run_plan(plan, &ro, &hooks, r, &s->diag);
	if (ret < 0)
		logs_drop(o->logs);
	else
		run_finish_logs(s, o);
	if (ret < 0 && !s->diag.errors)
		diag_add(&s->diag, DIAG_ERROR, ERR_SETUP, "run", NULL, -1, "", "the run failed: %s",
			 err_sys_name(-ret));
	return ret;
}

/* The same on a machine that is tuned meanwhile; t holds what the result points to. */
static int run_once(struct session *s, const struct plan *plan, struct output *o, struct tuned *t,
		    struct result *r)
{
	if (!s->cl.tune)
		return run_plain(s, plan, o, r);
	int ret = tuned_begin(t, s, plan);
	if (ret < 0)
		return ret;
	ret = run_plain(s, plan, o, r);
	tuned_end(t, s);
	r->tuned = t->list;
	r->tuned_n = t->n;
	r->tuned_asked = true;
	return ret;
}

/* A signal must not cost the report: it waits for the run, which ends at once then and has a report
 * of nothing. */
static void run_hold_signals(void)
{
	sigset_t set;

	signals_ending(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* They end the program again. Was there one that the run was too near its end to see? */
static bool run_release_signals(void)
{
	sigset_t set;
	bool any = false;

	signals_ending(&set);
	while (run_interrupted())
		any = true;
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	return any;
}

/* A run, its report, and the question whether it was the last: *status, when 0, becomes what it
 * ended with. */
static bool run_and_report(struct session *s, const struct plan *plan, struct output *o,
			   struct repeater *rep, int *status)
{
	struct result r = {0};
	struct tuned t = {0};

	o->fo.more = false;
	int ret = run_once(s, plan, o, &t, &r);
	/* Who is in a hurry shall not lose what was asked for with the first signal. */
	rep->enough = !r.interrupted && run_release_signals();
	if (ret < 0) {
		tuned_release(&t);
		*status = cmd_fail(s, o, 2);
		return false;
	}
	bool more = repeater_add(rep, &r, o, &s->diag);
	output_result(o, &r);
	if (!more)
		repeater_print(rep, o);
	int one = r.exit_code ? r.exit_code : session_status(s, 0);
	if (!one && run_fails(s, &r))
		one = err_exit_code(ERR_LIMIT);
	*status = *status ? *status : one;
	result_release(&r);
	tuned_release(&t);
	return more;
}

/* Repeats are planned anew, as the run before may have laid out files or removed them. */
static int run_execute(struct session *s, const struct plan_options *po, const struct plan *plan,
		       struct output *o, struct repeater *rep)
{
	int status = 0;

	output_job_lines(o, plan);
	bool more = run_and_report(s, plan, o, rep, &status);
	while (more) {
		struct plan *again = NULL;
		struct plan_options next = *po;
		struct arena arena;

		arena_init(&arena, 0);
		next.os_seed += rep->n; /* randrepeat=0 draws anew */
		output_next_repeat(o, rep->n + 1);
		run_hold_signals();
		if (plan_make(&s->jobs, &next, &arena, &again, &s->diag) < 0) {
			o->fo.more = more = false;
			status = cmd_fail(s, o, 1);
		} else {
			more = run_and_report(s, again, o, rep, &status);
		}
		arena_release(&arena);
	}
	return status ? status : repeater_status(rep);
}

/* Logs are written by each run under the same names. */
static void run_warn_logs(struct session *s, const struct plan *plan)
{
	bool any = s->cl.bandwidth_log;

	for (unsigned i = 0; i < plan->jobs_n; i++)
		any |= logkind_created(&plan->jobs[i]) != 0;
	if (any && s->cl.repeat.n > 1)
		diag_add(&s->diag, DIAG_WARNING, ERR_USAGE, "repeat-logs", NULL, -1,
			 "to keep all logs, repeat the run in a shell loop",
			 "each repeat overwrites the logs of the previous one");
}

static int run_plan_and(struct session *s)
{
	struct plan_options po = {
		.readonly = s->cl.readonly, .sysroot = "", .os_seed = run_entropy()};
	struct plan *plan = NULL;
	struct repeater rep;
	struct output o;
	struct err err = {0};
	int status;

	run_hold_signals();
	for (unsigned i = 0; i < s->jobs.n; i++) {
		if (s->jobs.jobs[i].o.isolate) {
			recover_dead_runs(&host_here, &s->diag);
			break;
		}
	}
	if (plan_make(&s->jobs, &po, &s->arena, &plan, &s->diag) < 0)
		return cmd_fail(s, NULL, 1);
	if (repeater_open(&rep, &s->cl, &err) < 0) {
		diag_add_err(&s->diag, "baseline", -1, &err);
		repeater_close(&rep);
		return cmd_fail(s, NULL, 1);
	}
	if (output_open(&o, &s->cl, &err) < 0) {
		diag_add_err(&s->diag, "output", -1, &err);
		repeater_close(&rep);
		return session_status(s, 2);
	}
	o.fo.repeats = s->cl.repeat.n ? &rep.kept : NULL;
	run_warn_logs(s, plan);
	status = follow_open(&s->cl, plan, cmd_version_string(), fileno(o.to), &s->diag,
			     &o.follow) < 0
			 ? cmd_fail(s, &o, 2)
			 : run_execute(s, &po, plan, &o, &rep);
	follow_close(o.follow);
	output_close(&o, &s->diag);
	repeater_close(&rep);
	return status ? status : session_status(s, 0);
}

static int run_usage(struct session *s)
{
	struct str text;

	if (cmd_wants_document(s)) {
		diag_add(&s->diag, DIAG_ERROR, ERR_USAGE, "no-jobs", NULL, -1,
			 "name a job file, or write --name=JOB", "no job is defined");
		return cmd_fail(s, NULL, 1);
	}
	fprintf(stderr, "No job(s) defined\n");
	str_init(&text, 1 << 20);
	help_usage(s->cl.program, &text);
	return cmd_print(&text, stdout, 1);
}

static int run_inflate(const char *path)
{
	struct err err = {0};

	if (inflate_log(path, stdout, &err) == 0)
		return 0;
	fprintf(stderr, "fathom: error: %s\n", err.text);
	return err_exit_code(err.cls);
}

/* Options that print something and end. -1: none of them was given. */
static int run_informational(struct session *s)
{
	struct str text;
	int status = 0;

	if (s->cl.version) {
		cmd_print_version(s->cl.program);
		return 0;
	}
	if (s->cl.inflate_log)
		return run_inflate(s->cl.inflate_log);
	if (!s->cl.help && !s->cl.cmdhelp && !s->cl.enghelp)
		return -1;
	str_init(&text, 4 << 20);
	if (s->cl.help)
		help_usage(s->cl.program, &text);
	else if (s->cl.cmdhelp && s->cl.cmdhelp_option)
		status = !help_option(s->schema, s->cl.cmdhelp_option, &text);
	else if (s->cl.cmdhelp)
		help_options(&text);
	else
		status = cmd_engine_help(s->cl.enghelp_engine, &text) < 0;
	return cmd_print(&text, status ? stderr : stdout, status);
}

static int run_show_command(const struct session *s)
{
	struct str text;

	str_init(&text, 16 << 20);
	showcmd(&s->cl, &s->jobs, &text);
	return cmd_print(&text, stdout, 0);
}

/* Somebody may have to be waited for to write the jobs: a terminal, or a pipe. */
static bool run_reads_slowly(int argc, char **argv)
{
	struct stat st;

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-") || (!stat(argv[i], &st) && S_ISFIFO(st.st_mode)) ||
		    !strcmp(argv[i], "/dev/stdin"))
			return true;
	return false;
}

static int run(unsigned words, int argc, char **argv)
{
	struct session s;
	int ret, status;

	if (!run_reads_slowly(argc, argv))
		run_hold_signals();
	ret = session_open_after(&s, words, argc, argv);
	status = ret < 0 ? -1 : run_informational(&s);
	if (ret < 0)
		status = cmd_fail(&s, NULL, 1);
	else if (status >= 0)
		;
	else if (s.jobs.n == 0)
		status = run_usage(&s);
	else if (s.cl.showcmd)
		status = run_show_command(&s);
	else if (s.cl.parse_only)
		status = 0;
	else
		status = run_plan_and(&s);
	session_close(&s);
	return status;
}

int cmd_run(int argc, char **argv)
{
	return run(0, argc, argv);
}

int cmd_run_word(int argc, char **argv)
{
	return run(1, argc, argv);
}
