/* The workers as threads: make them, set them up, start them together, stop them, take them down.
 */
#include "base/time.h"
#include "run/pool.h"
#include "base/relax.h"
#include "run/commands.h"
#include "run/isolate.h"
#include "worker/place.h"
#include "worker/check.h"
#include "worker/create.h"
#include "worker/events.h"
#include "worker/state.h"
#include "worker/worker.h"
#include "worker/messages.h"
#include "worker/open.h"
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LATE_NS	     20000000u
#define WORKER_STACK (256u * 1024)
#define SPIN_NS	     30000u /* a timer wakes us up some tens of us late: spin the rest */

/* Wakes a thread out of a blocking call; does nothing else. */
static void pool_on_wake(int signo)
{
	(void)signo;
}

/* The worker this thread is (virtual clock: takes the turns of just now), and where to go on
 * without it; for the handler of crashes only. */
static __thread struct worker *self;
static __thread sigjmp_buf without_it;

sigjmp_buf *pool_guard(struct worker *w)
{
	self = w;
	return &without_it;
}

static void pool_notify(struct pool *c)
{
	uint64_t one = 1;
	ssize_t n = write(c->event_fd, &one, sizeof(one));

	(void)n; /* a full counter wakes the reader just as well */
}

/* A worker that crashed must not take the others and the report along: it says so and stands still,
 * or is left out of the simulation. */
static void pool_on_crash(int signo)
{
	struct worker *w = self;

	if (!w) {
		signal(signo, SIG_DFL);
		raise(signo);
		return;
	}
	w->outcome.error = EFAULT;
	w->outcome.error_class = ERR_IO;
	w->outcome.error_text = "the worker crashed";
	w->outcome.end = END_CRASH;
	w->end_ns = clock_now(w->clock);
	if (w->log.ios)
		pack_close(w->log.ios);
	worker_set_state(w, WORKER_CRASHED);
	if (w->plan->virtual_clock)
		siglongjmp(without_it, 1);
	pool_notify(pool_of(w));
	for (;;)
		pause();
}

static void pool_catch_crashes(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
	struct sigaction sa = {.sa_handler = pool_on_crash, .sa_flags = SA_NODEFER}, old;

	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &sa, NULL);
}

int pool_init(struct pool *c, const struct plan *p, const struct run_options *ro,
	      const struct run_hooks *hooks, struct diag *diag)
{
	struct sigaction sa = {.sa_handler = pool_on_wake};

	assert(p && p->jobs_n && ro && hooks);
	*c = (struct pool){.env = {.plan = p,
				   .diag = diag,
				   .enter = isolate_enter,
				   .periodic = ro->status_interval_ns || ro->live_ns},
			   .plan = p,
			   .ro = ro,
			   .hooks = hooks,
			   .diag = diag,
			   .event_fd = -1};
	c->env.host.root = ro->sysroot ? ro->sysroot : "";
	c->env.workers = calloc(p->jobs_n, sizeof(*c->env.workers));
	c->created = calloc(p->targets_n ? p->targets_n : 1, sizeof(*c->created));
	c->layout = calloc(p->jobs_n, sizeof(*c->layout));
	c->claims = calloc(p->targets_n ? p->targets_n : 1, sizeof(*c->claims));
	c->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	int ret = c->event_fd < 0 ? -errno : 0;
	if (!c->env.workers || !c->created || !c->layout || !c->claims)
		ret = -ENOMEM;
	if (ret) {
		pool_release(c);
		return ret;
	}
	sigaction(SIGUSR2, &sa, NULL);
	pool_catch_crashes();
	return 0;
}

void pool_release(struct pool *c)
{
	for (unsigned i = 0; c->env.workers && i < c->plan->jobs_n; i++)
		worker_destroy(c->env.workers[i]);
	free(c->env.workers);
	free(c->created);
	free(c->layout);
	free(c->claims);
	if (c->event_fd >= 0)
		close(c->event_fd);
}

static bool pool_called(const struct worker *w)
{
	return atomic_load_explicit(&w->requests, memory_order_relaxed) != w->requests_seen;
}

/* Sleep until a time of the run's clock, to the microsecond; a requests ends it early. */
static void pool_sleep_until(const struct worker *w, uint64_t wake)
{
	uint64_t now = clock_now(w->clock);

	while (now < w->spin_until && now < wake && !pool_called(w)) {
		cpu_relax();
		now = clock_now(w->clock);
	}
	if (wake > now + SPIN_NS) {
		uint64_t ns = wake - now - SPIN_NS;
		struct timespec ts = time_split(ns);
		if (nanosleep(&ts, NULL))
			return;
	}
	while (clock_now(w->clock) < wake && !pool_called(w))
		cpu_relax();
}

static void pool_wait_for_go(struct worker *w)
{
	while (!atomic_load_explicit(&w->thread.go, memory_order_acquire) &&
	       !worker_told_to_stop(w))
		sem_wait(&w->thread.gate);
	uint64_t at = atomic_load_explicit(&w->thread.go_at, memory_order_relaxed);
	while (clock_now(w->clock) < at && !worker_told_to_stop(w))
		pool_sleep_until(w, at);
}

/* It never ran: what it had opened is closed again. */
static void pool_worker_give_up(struct worker *w, const struct err *err)
{
	if (err)
		worker_setup_error(w, err);
	worker_close(w);
	worker_set_state(w, WORKER_DONE);
	pool_notify(pool_of(w));
}

void pool_not_started(struct worker *w)
{
	assert(!w->began && w->outcome.end == END_NONE);
	w->outcome.end = END_NOT_STARTED;
	pool_worker_give_up(w, NULL);
}

/* The job's clock starts with its first turn, not with the wish to start it: waking up takes some
 * time. But with hundreds of workers a CPU the last one's first turn comes seconds later, and
 * counting from there would add those seconds to everybody's run. */
static void pool_begin(struct worker *w)
{
	uint64_t now = clock_now(w->clock);
	uint64_t at = atomic_load_explicit(&w->thread.go_at, memory_order_relaxed);
	bool late = now > at + LATE_NS && !w->pj->o->exec_prerun;

	assert(w->state == WORKER_READY);
	worker_begin(w, late ? at : now);
	w->now = now;
}

/* What a command of the job starts has no business where the job runs. */
static int pool_command(struct worker *w, const char *text, const char *when, bool ends,
			struct err *err)
{
	isolate_leave(w);
	int ret = run_command(w, text, when, ends, err);
	isolate_return(w);
	return ret;
}

/* steps: taken so far. */
static uint64_t pool_step(struct worker *w, unsigned *steps)
{
	uint64_t wake = worker_step(w, true);

	(void)steps;
#ifdef FATHOM_CHECKS
	worker_check(w, (*steps)++);
#endif
	return wake;
}

static void *pool_worker_main(void *arg)
{
	struct worker *w = arg;
	struct err err = {0};
	unsigned steps = 0;
	uint64_t wake;

	self = w;
	worker_set_state(w, WORKER_SETUP);
	if (place_thread(w, &err) < 0 || worker_open(w, &err) < 0) {
		pool_worker_give_up(w, &err);
		return NULL;
	}
	isolate_lock(w);
	worker_set_state(w, WORKER_READY);
	pool_notify(pool_of(w));
	pool_wait_for_go(w);
	if (worker_told_to_stop(w)) {
		pool_not_started(w);
		return NULL;
	}
	if (w->pj->o->exec_prerun) {
		int ret = pool_command(w, w->pj->o->exec_prerun, "prerun", true, &err);
		if (ret == -EINTR)
			pool_not_started(w);
		else if (ret < 0)
			pool_worker_give_up(w, &err);
		if (ret < 0)
			return NULL;
	}
	pool_begin(w);
	while ((wake = pool_step(w, &steps)) != WAKE_DONE) {
		if (wake == WAKE_NOW)
			continue;
		pool_sleep_until(w, wake);
		w->now = clock_now(w->clock);
		/* What came due meanwhile goes before new I/Os: the end of the ramp or the run. */
		if (worker_called(w, w->now))
			worker_events(w, w->now);
	}
	if (w->pj->o->exec_postrun &&
	    pool_command(w, w->pj->o->exec_postrun, "postrun", false, &err) < 0)
		diag_add_err(w->env->diag, "postrun", (int)w->pj->number, &err);
	pool_notify(pool_of(w));
	return NULL;
}

/* On the virtual clock there are no threads: set up in place. */
static int pool_launch_virtual(struct worker *w)
{
	struct err err = {0};

	w->thread.tid = (long)w->pj->number + 1;
	if (worker_open(w, &err) < 0)
		pool_worker_give_up(w, &err);
	else
		worker_set_state(w, WORKER_READY);
	return 0;
}

int pool_launch(struct pool *c, struct worker *w)
{
	assert(w->state == WORKER_NONE && !w->thread.exists);
	pthread_attr_t attr;
	int ret;

	worker_set_state(w, WORKER_SETUP);
	if (c->plan->virtual_clock)
		return pool_launch_virtual(w);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, WORKER_STACK);
	ret = pthread_create(&w->thread.id, &attr, pool_worker_main, w);
	pthread_attr_destroy(&attr);
	w->thread.exists = ret == 0;
	return -ret;
}

void pool_go(struct worker *w, uint64_t at)
{
	assert(!atomic_load_explicit(&w->thread.go, memory_order_relaxed));
	atomic_store_explicit(&w->thread.go_at, at, memory_order_relaxed);
	atomic_store_explicit(&w->thread.go, true, memory_order_release);
	sem_post(&w->thread.gate);
}

/* Get it out of a blocking call; harmless when it is not in one. */
static void pool_interrupt(struct worker *w)
{
	if (w->thread.exists)
		pthread_kill(w->thread.id, SIGUSR2);
}

void pool_request(struct worker *w, unsigned bits)
{
	unsigned old = atomic_load_explicit(&w->requests, memory_order_relaxed);

	assert(bits && bits < REQUEST_SNAPSHOT);
	atomic_store_explicit(&w->requests, old | bits, memory_order_release);
	sem_post(&w->thread.gate);
	pool_interrupt(w);
}

void pool_ask_snapshot(struct worker *w)
{
	unsigned old = atomic_load_explicit(&w->requests, memory_order_relaxed);

	atomic_store_explicit(&w->requests, old + REQUEST_SNAPSHOT, memory_order_release);
	pool_interrupt(w);
}

void pool_join(struct worker *w)
{
	if (w->thread.exists)
		pthread_join(w->thread.id, NULL);
	w->thread.exists = false;
}
