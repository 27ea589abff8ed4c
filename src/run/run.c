/* From a plan to a result. */
#include "run/run.h"
#include "run/device_share.h"
#include "base/signals.h"
#include "monitor/owncost.h"
#include "monitor/watch.h"
#include "run/isolate.h"
#include "run/pool.h"
#include "run/prepare.h"
#include "run/realtime.h"
#include "run/results.h"
#include "run/simulate.h"
#include "run/supervisor.h"
#include "worker/create.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A simulated run happens at a fixed moment, so that its output is the same each time: 2026-01-01
 * 00:00:00 UTC. */
#define VIRTUAL_EPOCH_NS 1767225600000000000ull

static int run_wanted_clock(const struct plan *p)
{
	for (unsigned i = 0; i < p->jobs_n; i++)
		if (p->jobs[i].o->clocksource == CLOCKSOURCE_CLOCK_GETTIME ||
		    p->jobs[i].o->clocksource == CLOCKSOURCE_GETTIMEOFDAY)
			return CLOCK_KIND_MONOTONIC;
	return -1;
}

static void run_signals_of(sigset_t *set)
{
	signals_ending(set);
	sigaddset(set, SIGUSR1);
	sigaddset(set, SIGCONT); /* tells that we were stopped */
}

/* Workers must inherit the blocked set: only the supervising thread looks at these signals. */
static void run_block_signals(sigset_t *old)
{
	sigset_t set;

	run_signals_of(&set);
	pthread_sigmask(SIG_BLOCK, &set, old);
}

/* What ended the layout or came too late is still pending, and would end the process before its
 * report. */
static void run_unblock_signals(const sigset_t *old)
{
	const struct timespec now = {0};
	sigset_t set;

	run_signals_of(&set);
	while (sigtimedwait(&set, NULL, &now) > 0)
		;
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

static int run_make_workers(struct pool *c)
{
	c->log = log_writer_new(&c->hooks->log, c->plan->jobs_n, c->plan->virtual_clock);
	if (!c->log)
		return -ENOMEM;
	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		struct err err = {0};
		c->env.workers[i] = worker_create(&c->env, &c->plan->jobs[i], &err);
		if (!c->env.workers[i]) {
			diag_add_err(c->diag, "memory", (int)i, &err);
			return -ENOMEM;
		}
		log_writer_add(c->log, &c->env.workers[i]->log);
	}
	return 0;
}

static bool run_did_nothing(const struct worker *w)
{
	uint64_t ios = 0;

	for (unsigned d = 0; d < DIRS; d++)
		ios += w->stats[d].ios + w->issued[d];
	return !ios && !w->outcome.error &&
	       (w->outcome.end == END_SIZE || w->outcome.end == END_COUNT ||
		w->outcome.end == END_TIME);
}

/* A job without I/O proves nothing; nobody means it (create_only says so when they do). */
static void run_judge_idle(struct pool *c)
{
	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		struct worker *w = c->env.workers[i];
		if (!w || !run_did_nothing(w))
			continue;
		bool ramp = w->phase[PHASE_RAMP].ios[0] + w->phase[PHASE_RAMP].ios[1] +
				    w->phase[PHASE_RAMP].ios[2] >
			    0;
		w->outcome.error = ENODATA;
		w->outcome.error_class = ERR_SETUP;
		w->outcome.error_text = "no I/O was done";
		diag_add(c->diag, DIAG_ERROR, ERR_SETUP, "no-io", &w->pj->job->at, (int)i,
			 ramp ? "make ramp_time shorter or the run longer"
			      : "make the region or the time larger",
			 "%s: the job ended without a single measured I/O", w->pj->name);
	}
}

static int run_exit_code(const struct pool *c, bool interrupted)
{
	enum err_class worst = ERR_NONE;

	if (interrupted)
		return err_exit_code(ERR_INTERRUPTED);
	for (unsigned i = 0; i < c->plan->jobs_n; i++)
		if (c->env.workers[i] && c->env.workers[i]->outcome.error &&
		    c->env.workers[i]->outcome.error_class > worst)
			worst = c->env.workers[i]->outcome.error_class;
	return err_exit_code(worst);
}

static int run_finish(struct pool *c, bool interrupted, bool ran, struct result *out)
{
	int ret, log_rc = c->log ? log_writer_stop(c->log) : 0;

	if (ran && !interrupted)
		run_judge_idle(c);
	if (log_rc)
		diag_add(c->diag, DIAG_ERROR, ERR_IO, "log-write", NULL, -1,
			 "free space where the logs go", "a log file could not be written: %s",
			 strerror(-log_rc));
	ret = results_build(c, clock_now(&c->env.clock), true, out);
	if (ret)
		return ret;
	isolate_tell(c->isolate, out);
	device_share_record(c, out);
	out->interrupted = interrupted;
	out->exit_code = run_exit_code(c, interrupted);
	if (!out->exit_code && log_rc)
		out->exit_code = err_exit_code(ERR_IO);
	return 0;
}

static int run_execute(struct pool *c, struct result *out)
{
	atomic_int stop = 0;
	struct supervisor *s;
	bool interrupted;
	int ret;

	if (c->hooks->starting)
		c->hooks->starting(c->hooks->ctx, c->plan->jobs_n);
	ret = c->plan->virtual_clock ? 0 : prepare_targets(c, &stop);
	if (ret == -EINTR && atomic_load(&stop))
		return run_finish(c, true, false, out);
	if (ret)
		return ret;
	ret = run_make_workers(c);
	if (ret)
		return ret;
	s = supervisor_new(c);
	if (!s)
		return -ENOMEM;
	c->disks = c->plan->virtual_clock ? NULL : disks_start(&c->env);
	if (!c->plan->virtual_clock) {
		clock_restart(&c->env.clock);
		c->watch = watch_new(&c->env, c->disks);
		c->isolate = isolate_begin(c);
	}
	ret = log_writer_start(c->log);
	if (!ret)
		ret = c->plan->virtual_clock ? simulate_run(c, s) : realtime_run(c, s);
	interrupted = supervisor_interrupted(s);
	isolate_end(c->isolate);
	if (!ret)
		ret = run_finish(c, interrupted, true, out);
	if (!ret)
		supervisor_live_end(s, out);
	supervisor_free(s);
	return ret;
}

int run_plan(const struct plan *p, const struct run_options *ro, const struct run_hooks *hooks,
	     struct result *out, struct diag *diag)
{
	struct pool c;
	sigset_t old;
	int ret = pool_init(&c, p, ro, hooks, diag);

	if (ret)
		return ret;
	if (p->virtual_clock)
		clock_init_virtual(&c.env.clock, VIRTUAL_EPOCH_NS);
	else
		ret = clock_init(&c.env.clock, run_wanted_clock(p));
	if (!ret) {
		c.clock_resolution_ns = clock_resolution(&c.env.clock);
		c.own_ns = owncost_measure(&c.env.clock);
	}
	run_block_signals(&old);
	if (!ret)
		ret = run_execute(&c, out);
	isolate_free(c.isolate);
	prepare_release(&c);
	watch_free(c.watch);
	disks_free(c.disks);
	log_writer_free(c.log);
	pool_release(&c);
	run_unblock_signals(&old);
	return ret;
}
