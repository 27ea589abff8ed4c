/* Start rules, periodic hooks, stops: a state machine over the run's clock, the same in real and in
 * simulated time. */
#include "base/time.h"
#include "result/merge.h"
#include "run/supervisor.h"
#include "monitor/watch.h"
#include "run/bandwidth.h"
#include "run/progress.h"
#include "run/results.h"
#include "worker/state.h"
#include "worker/worker.h"
#include "worker/messages.h"
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STOP_GRACE_NS                                                                              \
	600000000u /* a stop waits so long for I/Os in flight before it gives them up */
#define ABANDON_GRACE_NS 200000000u /* and so long for a worker that does not answer at all */
#define REMIND_NS	 50000000u /* a wake-up can be lost between a check and a sleep: say it again */
#define SNAPSHOT_WAIT_NS 200000000u

#define WATCH_NS     NS_PER_SEC
#define WATCH_LAG_NS 2000000u
#define SILENT_NS    10000000000u /* no completion for so long with I/Os in flight: worth a word */
#define GIVE_UP_NS   30000000000u /* and for so long after the end of the job: they will not come */

enum job_state { JOB_WAITING, JOB_LAUNCHED, JOB_GONE, JOB_ENDED };

/* When a worker last completed anything. */
struct heartbeat {
	uint64_t ios, since;
	bool told;
};

struct supervisor {
	struct pool *c;
	enum job_state *state;
	struct heartbeat *heard;
	uint64_t next_watch;
	char *letters;
	unsigned *entries; /* report entry of each worker */
	unsigned ended;
	uint64_t next_progress, next_status, next_live, next_bandwidth;
	struct bandwidth *bandwidth; /* NULL: no such log */
	uint64_t stop_at;	     /* when the stop was asked for, UINT64_MAX: not */
	bool interrupted, no_more;
	uint64_t next_remind;
};

/* The only way a job's state changes. */
static void supervisor_set_job(struct supervisor *s, unsigned i, enum job_state to)
{
	enum job_state from = s->state[i];

	assert(i < s->c->plan->jobs_n);
	assert(to == JOB_ENDED ? from != JOB_ENDED : to == from + 1);
	s->state[i] = to;
	if (to == JOB_ENDED)
		s->ended++;
	assert(s->ended <= s->c->plan->jobs_n);
}

struct supervisor *supervisor_new(struct pool *c)
{
	struct supervisor *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->c = c;
	s->state = calloc(c->plan->jobs_n, sizeof(*s->state));
	s->heard = calloc(c->plan->jobs_n, sizeof(*s->heard));
	s->letters = calloc(c->plan->jobs_n + 1, 1);
	s->entries = calloc(c->plan->jobs_n, sizeof(*s->entries));
	s->next_watch = c->plan->virtual_clock ? UINT64_MAX : WATCH_NS + WATCH_LAG_NS;
	if (c->ro->bandwidth_log)
		s->bandwidth = bandwidth_new(c);
	if (!s->state || !s->letters || !s->entries || !s->heard ||
	    (c->ro->bandwidth_log && !s->bandwidth)) {
		supervisor_free(s);
		return NULL;
	}
	for (unsigned i = 0; i < c->plan->jobs_n; i++)
		s->entries[i] = c->plan->jobs[i].entry;
	s->next_progress = c->ro->progress_ns ? c->ro->progress_ns : UINT64_MAX;
	s->next_status = c->ro->status_interval_ns ? c->ro->status_interval_ns : UINT64_MAX;
	s->next_live = c->ro->live_ns ? c->ro->live_ns : UINT64_MAX;
	s->stop_at = s->next_remind = s->next_bandwidth = UINT64_MAX;
	return s;
}

void supervisor_free(struct supervisor *s)
{
	if (!s)
		return;
	free(s->state);
	free(s->letters);
	free(s->entries);
	free(s->heard);
	bandwidth_free(s->bandwidth);
	free(s);
}

static unsigned supervisor_state_of(const struct worker *w)
{
	return atomic_load_explicit(&w->shared.state, memory_order_acquire);
}

static bool supervisor_gone(const struct supervisor *s, unsigned i)
{
	return s->state[i] == JOB_LAUNCHED || s->state[i] == JOB_GONE;
}

/* End others because job `by` ended: its group, all that run now, or everything. */
static void supervisor_exit_others(struct supervisor *s, unsigned by)
{
	const struct plan *p = s->c->plan;
	int what = p->jobs[by].o->exit_what;

	assert(by < p->jobs_n);
	if (what == EXIT_ALL)
		s->no_more = true;
	for (unsigned i = 0; i < p->jobs_n; i++) {
		if (i == by || !supervisor_gone(s, i))
			continue;
		if (what != EXIT_GROUP || p->jobs[i].group == p->jobs[by].group)
			pool_request(s->c->env.workers[i], REQUEST_STOP_EXITALL);
	}
}

static void supervisor_say_stuck(struct supervisor *s, unsigned i)
{
	const struct worker *w = s->c->env.workers[i];

	unsigned n = worker_owed(w);

	if (n)
		diag_add(s->c->diag, DIAG_WARNING, ERR_NONE, "stuck", NULL, (int)i, "",
			 "%s: %u I/Os never completed; they are not in the results", w->pj->name,
			 n);
	else
		diag_add(s->c->diag, DIAG_WARNING, ERR_NONE, "stuck", NULL, (int)i, "",
			 "%s: the worker did not stop in time; results cover the time until then",
			 w->pj->name);
}

static void supervisor_end_job(struct supervisor *s, unsigned i)
{
	const struct plan *p = s->c->plan;
	struct worker *w = s->c->env.workers[i];

	assert(i < p->jobs_n);
	supervisor_set_job(s, i, JOB_ENDED);
	if (w && supervisor_state_of(w) == WORKER_CRASHED)
		diag_add(s->c->diag, DIAG_ERROR, ERR_IO, "crash", &p->jobs[i].job->at, (int)i,
			 "please report this with the job file",
			 "%s: the worker crashed; its numbers end there", p->jobs[i].name);
	else if (w && w->abandoned)
		supervisor_say_stuck(s, i);
	if (w && (p->exitall || (p->jobs[i].o->exitall_on_error && w->outcome.error)))
		supervisor_exit_others(s, i);
}

static void supervisor_notice_ends(struct supervisor *s)
{
	for (unsigned i = 0; i < s->c->plan->jobs_n; i++) {
		if (!supervisor_gone(s, i))
			continue;
		unsigned state = supervisor_state_of(s->c->env.workers[i]);
		if (state == WORKER_DONE || state == WORKER_CRASHED)
			supervisor_end_job(s, i);
	}
}

static bool supervisor_may_start(const struct supervisor *s, unsigned i, unsigned stage)
{
	const struct plan_job *pj = &s->c->plan->jobs[i];

	assert(pj->wait_n <= 0 || (pj->wait_first >= 0 &&
				   (unsigned)(pj->wait_first + pj->wait_n) <= s->c->plan->jobs_n));
	if (s->state[i] != JOB_WAITING || pj->stage != stage)
		return false;
	for (int k = 0; k < pj->wait_n; k++)
		if (s->state[pj->wait_first + k] != JOB_ENDED)
			return false;
	return true;
}

static unsigned supervisor_current_stage(const struct supervisor *s)
{
	unsigned stage = UINT32_MAX;

	for (unsigned i = 0; i < s->c->plan->jobs_n; i++)
		if (s->state[i] != JOB_ENDED && s->c->plan->jobs[i].stage < stage)
			stage = s->c->plan->jobs[i].stage;
	return stage;
}

static void supervisor_launch(struct supervisor *s, unsigned i)
{
	struct pool *c = s->c;
	struct worker *w = c->env.workers[i];

	assert(s->state[i] == JOB_WAITING);
	supervisor_set_job(s, i, JOB_LAUNCHED);
	int ret = pool_launch(c, w);
	if (ret < 0) {
		struct err err = {0};
		err_set(&err, ERR_SETUP, -ret, "%s: no thread for a worker: %s", w->pj->name,
			strerror(-ret));
		err_remedy(&err, "raise the limit of processes (ulimit -u, or pids.max of the "
				 "control group), or lower numjobs");
		worker_setup_error(w, &err);
		worker_set_state(w, WORKER_DONE);
	}
}

/* Workers that may start are set up first and then begin together. Returns true when something
 * changed. */
static bool supervisor_start_jobs(struct supervisor *s, uint64_t now)
{
	const struct plan *p = s->c->plan;
	unsigned stage = supervisor_current_stage(s);
	bool changed = false, busy = false;

	for (unsigned i = 0; i < p->jobs_n; i++) {
		if (!supervisor_may_start(s, i, stage))
			continue;
		changed = true;
		if (s->no_more || s->c->plan->jobs[i].o->create_only) {
			/* Layout was all it wanted, or nothing more shall start. */
			s->c->env.workers[i]->outcome.end = END_NOT_STARTED;
			supervisor_end_job(s, i);
		} else {
			supervisor_launch(s, i);
		}
	}
	for (unsigned i = 0; i < p->jobs_n; i++)
		busy |= s->state[i] == JOB_LAUNCHED &&
			supervisor_state_of(s->c->env.workers[i]) == WORKER_SETUP;
	for (unsigned i = 0; i < p->jobs_n && !busy; i++) {
		if (s->state[i] != JOB_LAUNCHED ||
		    supervisor_state_of(s->c->env.workers[i]) != WORKER_READY)
			continue;
		uint64_t at = p->jobs[i].delay_ns > now ? p->jobs[i].delay_ns : now;
		supervisor_set_job(s, i, JOB_GONE);
		if (s->bandwidth)
			bandwidth_begin(s->bandwidth, at + p->jobs[i].ramp_ns);
		pool_go(s->c->env.workers[i], at);
	}
	return changed;
}

/* Only the loop answers; one that is still waiting for its start or flushing has nothing new. */
static bool supervisor_answers(const struct supervisor *s, unsigned i)
{
	unsigned state =
		s->state[i] == JOB_GONE ? supervisor_state_of(s->c->env.workers[i]) : WORKER_NONE;

	return state == WORKER_RUN || state == WORKER_DRAIN;
}

/* Have every running worker copy its numbers; wait a little for those that can answer. */
static void supervisor_gather(struct supervisor *s, uint64_t wait_ns)
{
	struct pool *c = s->c;
	struct timespec nap = {0, 1000000};
	uint64_t until = clock_now(&c->env.clock) + wait_ns;
	unsigned n = c->plan->jobs_n;
	unsigned *before = calloc(n, sizeof(*before));

	if (!before || c->plan->virtual_clock) {
		free(before);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		struct worker *w = c->env.workers[i];
		if (!supervisor_answers(s, i))
			continue;
		before[i] = snapshot_count(w);
		pool_ask_snapshot(w);
	}
	for (unsigned i = 0; i < n; i++) {
		struct worker *w = c->env.workers[i];
		while (supervisor_answers(s, i) && clock_now(&c->env.clock) < until &&
		       snapshot_count(w) == before[i])
			nanosleep(&nap, NULL);
	}
	free(before);
}

static void supervisor_report_state(struct supervisor *s, uint64_t now)
{
	struct result r;

	if (!s->c->hooks->snapshot)
		return;
	supervisor_gather(s, SNAPSHOT_WAIT_NS);
	if (results_build(s->c, now, false, &r) == 0) {
		s->c->hooks->snapshot(s->c->hooks->ctx, &r);
		result_release(&r);
	}
}

static void supervisor_show_live(struct supervisor *s, uint64_t now)
{
	uint64_t wait_ns = s->c->ro->live_ns / 4;
	struct progress p;
	struct result r;

	if (!s->c->hooks->live)
		return;
	supervisor_gather(s, wait_ns < SNAPSHOT_WAIT_NS ? wait_ns : SNAPSHOT_WAIT_NS);
	if (results_live(s->c, now, &r))
		return;
	progress_fill(s->c, now, &p, s->letters);
	p.entries = s->entries;
	s->c->hooks->live(s->c->hooks->ctx, &r, &p);
	result_release(&r);
}

void supervisor_live_end(struct supervisor *s, const struct result *final)
{
	struct progress p;

	if (!s->c->hooks->live || !s->c->ro->live_ns)
		return;
	progress_fill(s->c, final->elapsed_ns, &p, s->letters);
	p.entries = s->entries;
	s->c->hooks->live(s->c->hooks->ctx, final, &p);
}

static void supervisor_periodic(struct supervisor *s, uint64_t now)
{
	if (now >= s->next_progress) {
		struct progress p;
		progress_fill(s->c, now, &p, s->letters);
		if (s->c->hooks->progress)
			s->c->hooks->progress(s->c->hooks->ctx, &p);
		while (s->next_progress <= now)
			s->next_progress += s->c->ro->progress_ns;
	}
	if (now >= s->next_status) {
		supervisor_report_state(s, now);
		while (s->next_status <= now)
			s->next_status += s->c->ro->status_interval_ns;
	}
	if (now >= s->next_live) {
		supervisor_show_live(s, now);
		while (s->next_live <= now)
			s->next_live += s->c->ro->live_ns;
	}
}

static void supervisor_request_running(struct supervisor *s, unsigned bits)
{
	assert(bits);
	for (unsigned i = 0; i < s->c->plan->jobs_n; i++)
		if (supervisor_gone(s, i))
			pool_request(s->c->env.workers[i], bits);
}

/* A worker that does not come back from the kernel: its numbers are taken as they stand. */
static void supervisor_leave_behind(struct supervisor *s, unsigned i)
{
	struct worker *w = s->c->env.workers[i];

	assert(supervisor_gone(s, i));
	supervisor_say_stuck(s, i);
	if (w->outcome.end == END_NONE)
		w->outcome.end = END_SIGNAL;
	w->abandoned = true;
	w->end_ns = clock_now(&s->c->env.clock);
	supervisor_set_job(s, i, JOB_ENDED);
}

static void supervisor_leave_all_behind(struct supervisor *s)
{
	for (unsigned i = 0; i < s->c->plan->jobs_n; i++)
		if (supervisor_gone(s, i))
			supervisor_leave_behind(s, i);
}

/* When a worker should have ended by the clock, UINT64_MAX: not by the clock. */
static uint64_t supervisor_clock_end(const struct worker *w)
{
	const struct plan_job *pj = w->pj;

	if (supervisor_state_of(w) == WORKER_DRAIN)
		return 0;
	return pj->run_ns ? atomic_load_explicit(&w->thread.go_at, memory_order_relaxed) +
				    pj->ramp_ns + pj->run_ns
			  : UINT64_MAX;
}

static void supervisor_watch_one(struct supervisor *s, unsigned i, uint64_t now)
{
	struct worker *w = s->c->env.workers[i];
	struct heartbeat *k = &s->heard[i];
	uint64_t ios = 0;

	for (unsigned d = 0; d < DIRS; d++)
		ios += worker_ios(w, d);
	unsigned state = supervisor_state_of(w), n = worker_owed(w);
	/* A synchronous I/O is counted when it is over; a worker that nothing holds back is always
	 * in one. */
	if (!n && !w->pj->is_async && !job_paced(w->pj))
		n = 1;
	if (ios != k->ios || !n || (state != WORKER_RUN && state != WORKER_DRAIN)) {
		*k = (struct heartbeat){.ios = ios, .since = now, .told = k->told};
		return;
	}
	if (now - k->since >= SILENT_NS && !k->told) {
		k->told = true;
		diag_add(s->c->diag, DIAG_WARNING, ERR_NONE, "silent", NULL, (int)i,
			 "look at the kernel log for the device; Ctrl-C ends the run with a report",
			 "%s: no I/O completed for 10 s, %u in flight", w->pj->name, n);
	}
	uint64_t end = supervisor_clock_end(w), limit = w->pj->o->stuck_io_timeout;
	bool overdue = now - k->since >= GIVE_UP_NS && end != UINT64_MAX && now >= end + GIVE_UP_NS;
	if (overdue || (limit && now - k->since >= limit)) {
		w->outcome.error = ETIMEDOUT;
		w->outcome.error_class = ERR_IO;
		w->outcome.end = END_ERROR;
		supervisor_leave_behind(s, i);
	}
}

static void supervisor_watch(struct supervisor *s, uint64_t now)
{
	if (now < s->next_watch)
		return;
	/* On the seconds of the run's clock, a moment after them, so that each tick looks at one
	 * second. */
	s->next_watch = now / WATCH_NS * WATCH_NS + WATCH_NS + WATCH_LAG_NS;
	for (unsigned i = 0; i < s->c->plan->jobs_n; i++)
		if (s->state[i] == JOB_GONE)
			supervisor_watch_one(s, i, now);
	if (s->c->watch)
		watch_tick(s->c->watch, now);
}

static void supervisor_enforce_stop(struct supervisor *s, uint64_t now)
{
	if (s->stop_at == UINT64_MAX || now < s->next_remind)
		return;
	s->next_remind = now + REMIND_NS;
	if (now >= s->stop_at + STOP_GRACE_NS + ABANDON_GRACE_NS && !s->c->plan->virtual_clock)
		supervisor_leave_all_behind(s);
	else
		supervisor_request_running(s, now >= s->stop_at + STOP_GRACE_NS
						      ? REQUEST_STOP_SIGNAL | REQUEST_ABANDON
						      : REQUEST_STOP_SIGNAL);
}

void supervisor_signal(struct supervisor *s, int signo, uint64_t now)
{
	if (signo == SIGCONT) {
		if (s->c->watch)
			watch_stopped(s->c->watch, now);
		return;
	}
	if (signo == SIGUSR1) {
		supervisor_report_state(s, now);
		return;
	}
	s->interrupted = s->no_more = true;
	if (s->stop_at != UINT64_MAX) {
		supervisor_leave_all_behind(s);
		return;
	}
	s->stop_at = now;
	s->next_remind = now;
	supervisor_enforce_stop(s, now);
}

void supervisor_late(struct supervisor *s, uint64_t ns)
{
	if (s->c->watch)
		watch_late(s->c->watch, ns, clock_now(&s->c->env.clock));
}

static uint64_t supervisor_earliest(const struct supervisor *s)
{
	uint64_t next =
		time_earlier(s->next_remind, time_earlier(s->next_watch, s->next_bandwidth));

	return time_earlier(time_earlier(next, s->next_live),
			    time_earlier(s->next_progress, s->next_status));
}

static void supervisor_finish_bandwidth(struct supervisor *s)
{
	uint64_t end = 0;

	for (unsigned i = 0; s->bandwidth && i < s->c->plan->jobs_n; i++) {
		const struct worker *w = s->c->env.workers[i];
		uint64_t at = supervisor_state_of(w) == WORKER_DONE
				      ? w->measure_ns + w->phase[PHASE_WORKLOAD].ns
				      : w->end_ns;
		end = at > end ? at : end;
	}
	if (s->bandwidth)
		bandwidth_finish(s->bandwidth, end);
}

uint64_t supervisor_step(struct supervisor *s, uint64_t now)
{
	assert(s->ended <= s->c->plan->jobs_n);
	do
		supervisor_notice_ends(s);
	while (supervisor_start_jobs(s, now));
	if (supervisor_over(s)) {
		supervisor_finish_bandwidth(s);
		if (s->c->watch)
			watch_end(s->c->watch, now);
		return UINT64_MAX;
	}
	if (s->bandwidth)
		s->next_bandwidth = bandwidth_step(s->bandwidth, now);
	supervisor_periodic(s, now);
	supervisor_watch(s, now);
	supervisor_enforce_stop(s, now);
	return supervisor_earliest(s);
}

bool supervisor_over(const struct supervisor *s)
{
	return s->ended == s->c->plan->jobs_n;
}

bool supervisor_interrupted(const struct supervisor *s)
{
	return s->interrupted;
}
