#include "run/isolate.h"
#include "worker/place.h"
#include "worker/worker.h"
#include "host/irq.h"
#include "host/irqmove.h"
#include "host/journal.h"
#include "host/journal_undo.h"
#include "host/kernel.h"
#include "host/partition.h"
#include "monitor/disks.h"
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RT_PRIORITY 1

/* What keeps a worker from having real-time priority. */
enum rt { RT_HAS, RT_NICE, RT_CRAMPED, RT_SHARED, RT_SQTHREAD, RT_THROTTLED, RT_REFUSED, RT_KINDS };

struct isolate {
	struct pool *pool;
	struct arena arena;
	struct journal *journal; /* NULL: nothing that needs one can be done */
	struct partition partition;
	cpu_set_t *mask; /* of the supervising thread before, NULL: it was not changed */
	size_t mask_size;
	unsigned throttle_ms; /* a second, of a real-time thread that never sleeps; 0: none */
	bool over;
	struct result_isolation said;
	/* Counted by the workers. */
	_Atomic unsigned rt[RT_KINDS], entered, not_entered, locked, not_locked;
	_Atomic bool buffers_loose;
	_Atomic int rt_error, lock_error, enter_error;
};

static void isolate_note(struct isolate *s, const char *what, bool done, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void isolate_note(struct isolate *s, const char *what, bool done, const char *fmt, ...)
{
	va_list ap;

	if (s->said.n == RESULT_STEPS)
		return;
	struct result_step *step = &s->said.step[s->said.n++];
	step->what = what;
	step->done = done;
	va_start(ap, fmt);
	vsnprintf(step->why, sizeof(step->why), fmt, ap);
	va_end(ap);
}

/* Why a step was not made: the words of the error and its remedy. */
static void isolate_note_err(struct isolate *s, const char *what, const struct err *e)
{
	isolate_note(s, what, false, "%s%s%s", e->text, e->remedy[0] ? "; " : "", e->remedy);
}

static void isolate_note_cpus(struct isolate *s)
{
	const struct plan_isolation *iso = s->pool->plan->isolation;
	char cpus[64], idle[64], rest[64];

	cpuset_print(&iso->cpus, cpus, sizeof(cpus));
	cpuset_print(&iso->idle, idle, sizeof(idle));
	cpuset_print(&iso->rest, rest, sizeof(rest));
	if (iso->cpus.n)
		isolate_note(s, "cpus", true,
			     "CPU %s for the workers%s%s%s, CPU %s for everything else", cpus,
			     iso->idle.n ? " (" : "", idle,
			     iso->idle.n ? " kept idle as siblings)" : "", rest);
	else
		isolate_note(s, "cpus", false, "the only CPU is left to everything");
}

/* This thread, and all that it starts, on the CPUs that are left, of its own if it can: workers
 * would otherwise keep it waiting. */
static void isolate_step_aside(struct isolate *s)
{
	const struct cpuset *rest = &s->pool->plan->isolation->rest;
	unsigned bits = CPUSET_MAX + 1, n = 0;
	cpu_set_t *mask = CPU_ALLOC(bits), *mine = CPU_ALLOC(bits);
	size_t size = CPU_ALLOC_SIZE(bits);

	if (mask && mine && sched_getaffinity(0, size, mask) == 0) {
		CPU_ZERO_S(size, mine);
		for (unsigned i = 0; i < rest->n; i++)
			if (CPU_ISSET_S(rest->cpu[i], size, mask) && ++n)
				CPU_SET_S(rest->cpu[i], size, mine);
		if (n ? sched_setaffinity(0, size, mine) == 0 : place_on(rest) == 0) {
			s->mask = mask;
			s->mask_size = size;
			mask = NULL;
		}
	}
	CPU_FREE(mask);
	CPU_FREE(mine);
}

static void isolate_make_partition(struct isolate *s)
{
	const struct plan_isolation *iso = s->pool->plan->isolation;
	struct err err = {0};
	char left[300];

	if (partition_make(&s->pool->env.host, s->journal, &iso->cpus, &s->partition, &err) < 0) {
		/* Of a partition that is none nothing is kept. */
		IGNORE_RESULT(journal_undo(s->journal, NULL));
		isolate_note_err(s, "partition", &err);
		return;
	}
	left[0] = 0;
	if (strcmp(s->partition.from, "/") != 0)
		snprintf(left, sizeof(left), "; meanwhile this process is not in %.100s",
			 s->partition.from);
	isolate_note(s, "partition", true, "%s keeps all other tasks off these CPUs%s",
		     s->partition.folder, left);
}

/* Vectors of the devices that are measured stay with the CPUs whose I/Os they complete. */
static unsigned isolate_own_vectors(struct isolate *s, unsigned **out)
{
	const struct disks *d = s->pool->disks;
	unsigned n = 0, room = 0;

	*out = NULL;
	for (unsigned i = 0; d && i < d->n; i++) {
		struct irq_vectors v = {0};
		if (irq_of_stack(&s->pool->env.host, d->v[i].dev.name, &s->arena, &v) < 0)
			continue;
		if (n + v.n > room) {
			unsigned *more = realloc(*out, (n + v.n) * 2 * sizeof(**out));
			if (!more)
				break;
			*out = more;
			room = (n + v.n) * 2;
		}
		for (unsigned k = 0; k < v.n; k++)
			(*out)[n++] = v.v[k].irq;
	}
	return n;
}

static void isolate_move_interrupts(struct isolate *s)
{
	const struct plan_isolation *iso = s->pool->plan->isolation;
	struct irq_moved m;
	struct err err = {0};
	unsigned *keep, n = isolate_own_vectors(s, &keep);
	int ret = irq_move_away(&s->pool->env.host, s->journal, &iso->cpus, &iso->rest, keep, n, &m,
				&err);

	free(keep);
	if (ret < 0) {
		isolate_note_err(s, "interrupts", &err);
		return;
	}
	isolate_note(s, "interrupts", !m.failed,
		     "%u moved away; there remain %u of the measured devices and %u that the "
		     "kernel keeps "
		     "in place%s",
		     m.moved, m.kept, m.fixed,
		     m.moved && irq_balancer(&s->pool->env.host) == 1
			     ? "; irqbalance runs and may move them back"
			     : "");
}

/* How long a second a real-time thread that never sleeps is kept from running even when nobody
 * else wants to: since 6.12 not at all, as only tasks that wait get the time. */
static unsigned isolate_throttle_of(const struct host *h)
{
	struct kernel k;
	int64_t runtime, period;

	if (host_read_i64(h, &runtime, "/proc/sys/kernel/sched_rt_runtime_us") < 0 ||
	    host_read_i64(h, &period, "/proc/sys/kernel/sched_rt_period_us") < 0 || runtime < 0 ||
	    runtime >= period || period <= 0)
		return 0;
	if (kernel_read(h, &k) == 0 && kernel_at_least(&k, 6, 12))
		return 0;
	return (unsigned)((period - runtime) * 1000 / period);
}

struct isolate *isolate_begin(struct pool *c)
{
	struct isolate *s;
	struct err err = {0};

	assert(c && c->plan);
	if (!c->plan->isolation)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->pool = c;
	arena_init(&s->arena, 0);
	isolate_note_cpus(s);
	if (!c->plan->isolation->cpus.n)
		return s;
	s->throttle_ms = isolate_throttle_of(&c->env.host);
	isolate_step_aside(s);
	if (journal_open(&c->env.host, NULL, &s->journal, &err) < 0) {
		isolate_note_err(s, "partition", &err);
		isolate_note_err(s, "interrupts", &err);
		return s;
	}
	isolate_make_partition(s);
	isolate_move_interrupts(s);
	return s;
}

/* May its thread be busy without a pause? Reads around the cache of a device that has to answer
 * leave pauses; memory answers at once. */
static bool isolate_never_sleeps(const struct plan_job *pj)
{
	return pj->caps & (ENGINE_POLL | ENGINE_NO_FILES) || pj->traits.polls || !pj->o->direct;
}

static enum rt isolate_may_have(const struct isolate *s, const struct plan_job *pj)
{
	if (pj->o->nice)
		return RT_NICE;
	if (!s->mask)
		return RT_CRAMPED;
	if (!pj->own_cpus)
		return RT_SHARED;
	if (pj->traits.extra_cpus)
		return RT_SQTHREAD;
	return s->throttle_ms && isolate_never_sleeps(pj) ? RT_THROTTLED : RT_HAS;
}

/* The lowest priority is above every ordinary task. Threads and commands that come from this one
 * are ordinary. */
static void isolate_priority(struct isolate *s, struct worker *w)
{
	const struct sched_param p = {.sched_priority = RT_PRIORITY};
	enum rt how = isolate_may_have(s, w->pj);

	if (how == RT_HAS && sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &p)) {
		atomic_store(&s->rt_error, errno);
		how = RT_REFUSED;
	}
	if (!w->thread.isolated)
		atomic_fetch_add(&s->rt[how], 1);
}

void isolate_enter(struct worker *w)
{
	struct isolate *s = pool_of(w)->isolate;

	if (!s || !w->pj->isolate)
		return;
	if (s->partition.made) {
		int ret = partition_enter(&s->partition, w->thread.tid);
		if (ret < 0)
			atomic_store(&s->enter_error, -ret);
		if (!w->thread.isolated)
			atomic_fetch_add(ret < 0 ? &s->not_entered : &s->entered, 1);
	}
	isolate_priority(s, w);
	w->thread.isolated = true;
}

void isolate_leave(struct worker *w)
{
	const struct sched_param p = {0};
	struct isolate *s = pool_of(w)->isolate;

	if (!s || !w->thread.isolated)
		return;
	if (w->pj->own_cpus)
		(void)sched_setscheduler(0, SCHED_OTHER, &p);
	if (s->partition.made)
		IGNORE_RESULT(partition_leave(&s->partition, w->thread.tid));
	IGNORE_RESULT(place_on(&w->env->plan->isolation->rest));
}

void isolate_return(struct worker *w)
{
	if (!w->thread.isolated)
		return;
	isolate_enter(w);
	IGNORE_RESULT(place_on(&w->pj->cpus));
}

/* What is there now stays in memory; what is not gets there when it is first touched, by who
 * touches it. */
void isolate_lock(struct worker *w)
{
	struct isolate *s = pool_of(w)->isolate;

	if (!s || !w->pj->isolate)
		return;
	int ret = mlockall(MCL_CURRENT | MCL_ONFAULT);
	if (ret && errno == EINVAL) /* before 4.4 */
		ret = mlockall(MCL_CURRENT);
	if (ret)
		atomic_store(&s->lock_error, errno);
	atomic_fetch_add(ret ? &s->not_locked : &s->locked, 1);
	/* What is limited is the whole of it; the buffers alone may fit. */
	if (ret && mlock(w->buffers.memory, w->buffers.memory_bytes))
		atomic_store(&s->buffers_loose, true);
}

static void isolate_tell_entered(struct isolate *s)
{
	if (!s->partition.made)
		return;
	if (s->not_entered)
		isolate_note(s, "enter", false, "%u workers could not enter the partition: %s",
			     s->not_entered, strerror(s->enter_error));
	else if (!partition_holds(&s->partition))
		isolate_note(s, "enter", false,
			     "somebody took the CPUs back from the partition meanwhile");
}

static void isolate_tell_priority(struct isolate *s)
{
	unsigned not = 0;
	char why[160] = "";

	for (unsigned i = RT_HAS + 1; i < RT_KINDS; i++)
		not += s->rt[i];
	if (!not &&!s->rt[RT_HAS])
		return;
	if (s->rt[RT_REFUSED])
		snprintf(why, sizeof(why), "%s; run as root or with CAP_SYS_NICE",
			 strerror(s->rt_error));
	else if (s->rt[RT_THROTTLED])
		snprintf(why, sizeof(why),
			 "RT throttling would stop a busy SCHED_FIFO thread for %u ms per second "
			 "(sched_rt_runtime_us)",
			 s->throttle_ms);
	else if (s->rt[RT_SQTHREAD])
		snprintf(why, sizeof(why),
			 "the sqthread_poll kernel thread does not run with real-time priority");
	else if (s->rt[RT_CRAMPED])
		snprintf(why, sizeof(why), "no other CPU is left for supervision");
	else if (s->rt[RT_SHARED])
		snprintf(why, sizeof(why), "workers that share CPUs would block each other");
	else if (s->rt[RT_NICE])
		snprintf(why, sizeof(why), "nice is set");
	if (not &&s->rt[RT_HAS])
		isolate_note(s, "priority", false, "SCHED_FIFO %d for %u workers, not for %u: %s",
			     RT_PRIORITY, s->rt[RT_HAS], not, why);
	else if (not )
		isolate_note(s, "priority", false, "%s", why);
	else
		isolate_note(s, "priority", true, "SCHED_FIFO %d for %u worker%s", RT_PRIORITY,
			     s->rt[RT_HAS], s->rt[RT_HAS] == 1 ? "" : "s");
}

static void isolate_tell_memory(struct isolate *s)
{
	if (s->not_locked)
		isolate_note(s, "memory", false, "%s locked: %s; raise 'ulimit -l' or run as root",
			     s->buffers_loose ? "not" : "only the buffers are",
			     strerror(s->lock_error));
	else if (s->locked)
		isolate_note(s, "memory", true, "locked, buffers prefaulted");
}

static void isolate_give_back(struct isolate *s)
{
	struct journal_report r;

	if (!s->journal)
		return;
	if (s->partition.made)
		partition_clear(&s->partition);
	journal_report_init(&r);
	int ret = journal_undo(s->journal, &r);
	if (ret || r.failed || r.foreign)
		isolate_note(s, "restore", false, "not everything was restored: %.160s",
			     ret ? strerror(-ret) : r.words.s);
	journal_report_release(&r);
	journal_close(s->journal);
	s->journal = NULL;
}

/* Once for each step that was not made. */
static void isolate_warn_of_undone(struct isolate *s)
{
	for (unsigned i = 0; i < s->said.n; i++) {
		const struct result_step *step = &s->said.step[i];
		if (!step->done)
			diag_add(s->pool->diag, DIAG_WARNING, ERR_NONE, "isolate", NULL, -1, "",
				 "isolate: %s: %s", step->what, step->why);
	}
}

void isolate_end(struct isolate *s)
{
	if (!s || s->over)
		return;
	s->over = true;
	isolate_tell_entered(s);
	isolate_tell_priority(s);
	isolate_tell_memory(s);
	isolate_give_back(s);
	if (s->locked)
		munlockall();
	if (s->mask)
		(void)sched_setaffinity(0, s->mask_size, s->mask);
	isolate_warn_of_undone(s);
}

void isolate_tell(struct isolate *s, struct result *out)
{
	if (s)
		out->isolation = s->said;
}

void isolate_free(struct isolate *s)
{
	if (!s)
		return;
	isolate_end(s);
	CPU_FREE(s->mask);
	arena_release(&s->arena);
	free(s);
}
