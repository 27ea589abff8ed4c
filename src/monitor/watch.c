/* The thresholds below are what a careful engineer would still call a quiet machine;
 * docs/verdicts.md explains them. */
#include "base/time.h"
#include "monitor/watch.h"
#include "host/cpu.h"
#include "monitor/disks.h"
#include "monitor/watch_cpu.h"
#include "monitor/watch_device.h"
#include "host/times.h"
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WATCHED_WORKERS 128u /* more are not looked at one by one */
#define WAIT_LIMIT	0.01 /* share of a second */
#define STEAL_LIMIT	0.01
#define IRQ_LIMIT	0.25 /* a device's own interrupts are no disturbance */
#define IOWQ_LIMIT	0.01
#define MEMORY_LIMIT	0.02
#define SLOW_LIMIT	100u	  /* per mille below the highest frequency seen */
#define PREEMPT_LIMIT	100u	  /* times a second */
#define LATE_NS		20000000u /* beyond what the thread waited for a CPU */
#define OTHER_SHARE	0.05	  /* of our own bytes */
#define OTHER_BYTES	(256u * 1024)
#define WHO_SHARE	0.1 /* of the time a worker waited: a task that took less is not the reason */

struct watch {
	const struct worker_env *env;
	const struct disks *disks; /* may be NULL */
	unsigned n;		   /* workers looked at */
	struct one {
		struct watched w;
		struct thread_times times;
		uint64_t wait_ns; /* for a CPU since the tasks were looked at */
		bool running;
		uint64_t disks; /* bit k: uses disk k */
		uint64_t throttled;
		unsigned throttled_cpu; /* that counted it, UINT_MAX: none yet */
	} * of;				/* [plan->jobs_n] */
	struct watch_device device[DISKS_MAX];
	struct machine_times machine;
	uint64_t iowq_ns;
	struct disk_counters disk[DISKS_MAX];
	uint64_t disk_bytes[DISKS_MAX][2]; /* ours, so far */
	struct busiest *busiest;
	bool tasks_seen; /* in this tick */
	struct arena arena;
	struct cpuset allowed; /* of workers that name no CPUs */
	uint64_t last;	       /* time of the tick before */
	uint64_t stops;
	uint64_t went_on;  /* the second in which the last stop ended, UINT64_MAX: none */
	uint64_t own_wait; /* of this thread for a CPU, at the tick before */
};

static void watch_open_devices(struct watch *w)
{
	const struct disks *ds = w->disks;
	struct cpuset allowed = {0};
	struct arena a;

	arena_init(&a, 1 << 20);
	IGNORE_RESULT(cpu_allowed(&a, &allowed));
	for (unsigned k = 0; ds && k < ds->n; k++) {
		w->disk[k] = ds->v[k].before;
		watch_device_open(&w->env->host, ds->v[k].dev.name, &allowed, &w->device[k]);
	}
	arena_release(&a);
	for (unsigned j = 0; j < w->n; j++) {
		const struct plan_job *pj = &w->env->plan->jobs[j];
		w->of[j].throttled_cpu = UINT_MAX;
		for (unsigned i = 0; ds && i < pj->files_n; i++)
			if (ds->of_target[pj->files[i].target] != UINT_MAX)
				w->of[j].disks |= 1ull << ds->of_target[pj->files[i].target];
	}
}

static uint64_t watch_own_wait(const struct worker_env *env)
{
	struct thread_times t;

	return thread_times(&env->host, gettid(), &t) < 0 ? 0 : t.wait_ns;
}

struct watch *watch_new(const struct worker_env *env, const struct disks *disks)
{
	struct watch *w = calloc(1, sizeof(*w));

	assert(env && env->plan);
	if (!w)
		return NULL;
	w->env = env;
	w->disks = disks;
	w->n = env->plan->jobs_n < WATCHED_WORKERS ? env->plan->jobs_n : WATCHED_WORKERS;
	w->of = calloc(env->plan->jobs_n, sizeof(*w->of));
	if (!w->of) {
		free(w);
		return NULL;
	}
	arena_init(&w->arena, 1 << 20);
	machine_times(&env->host, &w->machine);
	w->iowq_ns = kernel_worker_time();
	watch_open_devices(w);
	w->went_on = UINT64_MAX;
	w->own_wait = watch_own_wait(env);
	return w;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	busiest_free(w->busiest);
	arena_release(&w->arena);
	free(w->of);
	free(w);
}

const struct watched *watch_of(const struct watch *w, unsigned i)
{
	assert(w);
	return &w->of[i].w;
}

/* What jobs that use this disk alone and past the page cache have moved, and what they may have
 * moved and not counted yet. */
struct ours {
	uint64_t bytes[2], pending;
};

/* false: others use it too, nothing can be told. */
static bool watch_our_bytes(const struct watch *w, unsigned disk, struct ours *out)
{
	const struct plan *p = w->env->plan;
	bool any = false;

	*out = (struct ours){0};
	for (unsigned j = 0; j < p->jobs_n; j++) {
		const struct worker *k = w->env->workers[j];
		const struct plan_job *pj = &p->jobs[j];
		uint64_t longest =
			pj->most_len[0] > pj->most_len[1] ? pj->most_len[0] : pj->most_len[1];
		bool uses = false, other = false;
		for (unsigned i = 0; i < pj->files_n; i++) {
			bool here = w->disks->of_target[pj->files[i].target] == disk;
			uses |= here;
			other |= !here;
		}
		if (!uses)
			continue;
		if (other || !pj->o->direct || pj->trims)
			return false;
		any = true;
		for (unsigned d = 0; k && d < 2; d++)
			out->bytes[d] += worker_bytes(k, d);
		out->pending += k ? longest * (worker_owed(k) ? worker_owed(k) : 1) : 0;
	}
	return any;
}

/* What a disk did in a second, and the part of it that is not ours: I/Os, judged by bytes, as large
 * I/Os are split below us. */
struct traffic {
	uint64_t ios, bytes, foreign_ios, foreign_bytes;
};

static struct traffic watch_traffic_of(struct watch *w, unsigned disk)
{
	struct disk_counters now, diff;
	struct ours o;
	struct traffic t = {0};
	uint64_t ours = 0;

	if (diskstats_read(&w->env->host, w->disks->v[disk].dev.name, &now) < 0)
		return t;
	diff = diskstats_since(&w->disk[disk], &now);
	w->disk[disk] = now;
	if (!watch_our_bytes(w, disk, &o))
		return t;
	for (unsigned d = 0; d < 2; d++) {
		uint64_t mine = o.bytes[d] - w->disk_bytes[disk][d], all = diff.sectors[d] * 512u;
		w->disk_bytes[disk][d] = o.bytes[d];
		ours += mine;
		t.ios += diff.ios[d];
		t.bytes += all;
		if (all <= mine)
			continue;
		t.foreign_bytes += all - mine;
		t.foreign_ios +=
			(uint64_t)((double)diff.ios[d] * ((double)(all - mine) / (double)all));
	}
	/* A file system that writes its journal now and then is not worth a word beside our reads.
	 */
	if (t.foreign_bytes <= OTHER_BYTES + o.pending ||
	    (double)t.foreign_bytes <= OTHER_SHARE * (double)ours)
		t.foreign_bytes = t.foreign_ios = 0;
	return t;
}

/* Of a worker's disks that with most of it. */
static struct traffic watch_worst_traffic(const struct one *o, const struct traffic *of)
{
	struct traffic t = {0};

	for (unsigned k = 0; k < DISKS_MAX; k++)
		if (o->disks >> k & 1 &&
		    (of[k].foreign_bytes > t.foreign_bytes ||
		     (of[k].foreign_bytes == t.foreign_bytes && of[k].bytes > t.bytes)))
			t = of[k];
	return t;
}

struct second {
	uint64_t number, ns; /* ns since the tick before */
	struct machine_times diff;
	uint64_t iowq_ns, stops;
	bool stopped;
	struct traffic traffic[DISKS_MAX];
};

static bool watch_mark(struct watched *w, enum disturbance kind, uint64_t second, uint64_t amount,
		       double limit)
{
	bool above = (double)amount > limit;

	assert((unsigned)kind < DISTURBS);
	watched_mark(&w->kind[kind], second, amount, above);
	return above;
}

/* How far below its best the CPU of this worker runs, per mille; 0 where the kernel does not tell.
 */
static uint64_t watch_slowness(struct watch *w, struct one *o)
{
	uint64_t khz;

	if (host_read_u64(&w->env->host, &khz,
			  "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq",
			  o->times.cpu) < 0 ||
	    !khz)
		return 0;
	watched_sample(&o->w.khz, khz);
	return 1000 - khz * 1000 / o->w.khz.max;
}

/* Is one of its disks at its limit, or did its CPU slow itself down? */
static bool watch_temperature(struct watch *w, struct one *o, uint64_t second)
{
	uint64_t times, more = 0;
	bool hot = false;

	for (unsigned k = 0; k < DISKS_MAX; k++) {
		const struct watch_device *d = &w->device[k];
		struct watched one = {0};
		if (!(o->disks >> k & 1) || !d->milli_c)
			continue;
		watched_sample(&one.heat.milli_c, d->milli_c);
		one.heat.limit_milli_c = d->limit_milli_c;
		memcpy(one.heat.disk, d->hottest, sizeof(one.heat.disk));
		IGNORE_RESULT(watched_merge(&o->w, &one));
		hot |= watch_device_hot(d);
	}
	if (watch_throttled(&w->env->host, o->times.cpu, &times)) {
		if (o->throttled_cpu == o->times.cpu && times > o->throttled)
			more = times - o->throttled;
		o->throttled = times;
		o->throttled_cpu = o->times.cpu;
	}
	watched_mark(&o->w.kind[DISTURB_TEMPERATURE], second, more, hot || more);
	return hot || more;
}

/* The one node all disks of a worker are on; -1 unknown. */
static int watch_node_of(const struct watch *w, const struct one *o,
			 const struct watch_device **first)
{
	int node = -1;

	*first = NULL;
	for (unsigned k = 0; k < DISKS_MAX; k++) {
		if (!(o->disks >> k & 1))
			continue;
		if (*first && w->device[k].node != node)
			return -1;
		node = w->device[k].node;
		*first = *first ? *first : &w->device[k];
	}
	return node;
}

/* Did it run away from its device? Where a worker is says nothing of a second in particular, so the
 * second is not taken for disturbed. */
static void watch_nodes(struct watch *w, struct one *o, const struct worker *k, uint64_t second)
{
	const struct watch_device *d;
	int node = watch_node_of(w, o, &d);

	if (node < 0)
		return;
	int cpu = cpu_node(&w->env->host, o->times.cpu),
	    memory = watch_memory_node(k->buffers.start);
	bool remote = (cpu >= 0 && cpu != node) || (memory >= 0 && memory != node);
	watched_mark(&o->w.kind[DISTURB_REMOTE], second, remote, remote);
	if (!remote || o->w.nodes.known)
		return;
	o->w.nodes =
		(struct watched_nodes){.known = true, .device = node, .cpu = cpu, .memory = memory};
	memcpy(o->w.nodes.disk, d->disk[0], sizeof(o->w.nodes.disk));
	memcpy(o->w.nodes.near, d->near, sizeof(o->w.nodes.near));
}

/* Who had the CPU that this worker waited for? */
static void watch_name_competitors(struct watch *w, unsigned i)
{
	struct one *o = &w->of[i];
	const struct cpuset *named = &w->env->plan->jobs[i].cpus,
			    *cpus = named->n ? named : &w->allowed;
	struct watched_competition competition = {workers_within(w->env, &w->allowed, cpus),
						  cpus->n};
	char who[96];

	if (!w->tasks_seen)
		busiest_look(&w->env->host, &w->busiest);
	w->tasks_seen = true;
	uint64_t ns = busiest_on(w->busiest, cpus, who, sizeof(who));
	if ((double)ns > WHO_SHARE * (double)o->wait_ns && ns > o->w.who_ns) {
		memcpy(o->w.who, who, sizeof(who));
		o->w.who_ns = ns;
	}
	if (cpus->n && competition.workers > competition.cpus)
		watched_competition_keep(&o->w.competition, &competition);
}

static bool watch_device_shared(struct one *o, const struct second *s)
{
	struct traffic t = watch_worst_traffic(o, s->traffic);

	o->w.device.ios += t.ios;
	o->w.device.bytes += t.bytes;
	o->w.device.foreign_bytes += t.foreign_bytes;
	watched_mark(&o->w.kind[DISTURB_OTHER_IO], s->number, t.foreign_ios, t.foreign_bytes > 0);
	return t.foreign_bytes > 0;
}

static uint64_t watch_since(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

static bool watch_judge_worker(struct watch *w, unsigned i, const struct second *s,
			       const struct thread_times *now, bool over)
{
	struct one *o = &w->of[i];
	struct worker *k = w->env->workers[i];
	double ns = (double)s->ns;
	bool bad = false;
	uint64_t wait = watch_since(o->times.wait_ns, now->wait_ns),
		 preempt = watch_since(o->times.preempted, now->preempted);

	o->w.run_ns += watch_since(o->times.run_ns, now->run_ns);
	o->wait_ns += wait;
	o->times = *now;
	if (watch_mark(&o->w, DISTURB_CPU_WAIT, s->number, wait, WAIT_LIMIT * ns)) {
		watch_name_competitors(w, i);
		bad = true;
	}
	watched_mark(&o->w.kind[DISTURB_STOPPED], s->number, s->stops, s->stopped);
	bad |= s->stopped;
	bad |= watch_mark(&o->w, DISTURB_PREEMPT, s->number, preempt, PREEMPT_LIMIT);
	bad |= watch_mark(&o->w, DISTURB_STEAL, s->number, s->diff.steal_ns,
			  STEAL_LIMIT * ns * s->diff.cpus);
	bad |= watch_mark(&o->w, DISTURB_IRQ, s->number, s->diff.irq_ns,
			  IRQ_LIMIT * ns * s->diff.cpus);
	bad |= watch_mark(&o->w, DISTURB_MEMORY, s->number, s->diff.memory_ns, MEMORY_LIMIT * ns);
	bad |= watch_device_shared(o, s);
	bad |= watch_mark(&o->w, DISTURB_FREQUENCY, s->number, watch_slowness(w, o), SLOW_LIMIT);
	bad |= watch_temperature(w, o, s->number);
	if (!over)
		watch_nodes(w, o, k, s->number); /* its buffers are gone then */
	o->w.io_stall_ns += s->diff.io_ns;
	if (k->pj->caps & ENGINE_IO_URING)
		bad |= watch_mark(&o->w, DISTURB_IOWQ, s->number, s->iowq_ns, IOWQ_LIMIT * ns);
	return bad;
}

/* Its counters so far, or at its end; false when it does not run and has not ended meanwhile. */
static bool watch_times_of(const struct watch *w, unsigned i, struct thread_times *now, bool *over)
{
	const struct worker *k = w->env->workers[i];
	unsigned state =
		k ? atomic_load_explicit(&k->shared.state, memory_order_acquire) : WORKER_NONE;

	*over = state == WORKER_FLUSH || state == WORKER_DONE;
	if (*over && w->of[i].running && k->seconds.ended) {
		*now = k->seconds.at_end;
		return true;
	}
	return (state == WORKER_RUN || state == WORKER_DRAIN) &&
	       thread_times(&w->env->host, k->thread.tid, now) == 0;
}

static void watch_tick_worker(struct watch *w, unsigned i, const struct second *s)
{
	struct worker *k = w->env->workers[i];
	struct one *o = &w->of[i];
	struct thread_times now;
	bool over, first = !o->running;

	o->running = watch_times_of(w, i, &now, &over);
	/* The first second of the run counts from its start; a worker that began later from the
	 * next one on. */
	if (first && o->running && s->number) {
		o->times = now;
		return;
	}
	if (!o->running)
		return;
	bool bad = watch_judge_worker(w, i, s, &now, over);
	o->running = !over;
	o->w.on = true;
	o->w.seconds++;
	o->w.disturbed += bad;
	atomic_store_explicit(&k->seconds.flags[s->number % SECOND_RING],
			      SECOND_FLAG(s->number, bad ? SECOND_DISTURBED : SECOND_QUIET),
			      memory_order_release);
}

void watch_stopped(struct watch *w, uint64_t now)
{
	w->stops++;
	w->went_on = now / NS_PER_SEC;
}

/* Waiting for a CPU is another matter than being stopped. */
void watch_late(struct watch *w, uint64_t ns, uint64_t now)
{
	if (ns > LATE_NS && ns - LATE_NS > watch_own_wait(w->env) - w->own_wait)
		watch_stopped(w, now);
}

static void watch_tick_workers(struct watch *w, uint64_t now, uint64_t number)
{
	struct second s = {.number = number, .ns = now - w->last};
	struct machine_times machine;
	uint64_t iowq = kernel_worker_time();

	if (!w->allowed.n)
		IGNORE_RESULT(cpu_allowed(&w->arena, &w->allowed));
	machine_times(&w->env->host, &machine);
	s.diff = machine_since(&w->machine, &machine);
	w->machine = machine;
	s.iowq_ns = iowq > w->iowq_ns ? iowq - w->iowq_ns : 0;
	w->iowq_ns = iowq;
	w->last = now;
	/* I/Os that a stop made slow may end in the second after the one that is over. */
	s.stops = w->stops;
	s.stopped = w->stops || w->went_on == s.number;
	w->stops = 0;
	w->own_wait = watch_own_wait(w->env);
	for (unsigned k = 0; w->disks && k < w->disks->n; k++) {
		s.traffic[k] = watch_traffic_of(w, k);
		watch_device_look(&w->env->host, &w->device[k], now);
	}
	w->tasks_seen = false;
	for (unsigned i = 0; i < w->n; i++)
		watch_tick_worker(w, i, &s);
	/* Without an earlier look the first disturbed second would have no name. */
	if (!w->busiest) {
		busiest_look(&w->env->host, &w->busiest);
		w->tasks_seen = true;
	}
	for (unsigned i = 0; w->tasks_seen && i < w->n; i++)
		w->of[i].wait_ns = 0;
}

void watch_tick(struct watch *w, uint64_t now)
{
	watch_tick_workers(w, now, now / NS_PER_SEC ? now / NS_PER_SEC - 1 : 0);
}

void watch_end(struct watch *w, uint64_t now)
{
	/* A tick comes a moment after its second: the part may be all but a moment of one. */
	if (now - w->last >= LAST_PART_NS)
		watch_tick_workers(w, now, (now + NS_PER_SEC / 2) / NS_PER_SEC - 1);
}
