/* Findings about what else the machine did. */
#include "base/units.h"
#include "host/virt.h"
#include "judge/verdict.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Disturbed seconds below this share of the run are told but do not spoil it. */
#define FEW_SECONDS 0.05
#define DRIFT_PPM   100.0
#define OTHER_SHARE 0.01 /* of the I/Os or bytes of a device: less is told and spoils nothing */

static enum severity by_share(const struct result_job *j, const struct watched_kind *k)
{
	return j->watched.seconds && (double)k->seconds < FEW_SECONDS * (double)j->watched.seconds
		       ? SEVERITY_NOTE
		       : SEVERITY_DISTURBED;
}

/* Percent of the seconds of all workers. */
static double share(const struct result_job *j, enum disturbance kind)
{
	double all = (double)j->watched.seconds;

	return all > 0 ? 100 * (double)j->watched.kind[kind].seconds / all : 0;
}

/* Begin a finding about a disturbance, or NULL when it did not happen. */
static struct finding *begin(const struct result_job *j, struct verdict *v, enum disturbance kind,
			     const char *code)
{
	const struct watched_kind *k = &j->watched.kind[kind];

	if (!j->watched.on || !k->seconds)
		return NULL;
	struct finding *f = verdict_add(v, code, by_share(j, k));
	finding_seconds(f, k);
	finding_effect(f, j);
	return f;
}

#define EVIDENCE(f, ...) snprintf((f)->evidence, sizeof((f)->evidence), __VA_ARGS__)
#define REMEDY(f, text)	 snprintf((f)->remedy, sizeof((f)->remedy), "%s", text)

/* Who had the CPUs meanwhile, as far as that is known. */
static void rivals(const struct watched *w, char *buf, size_t size)
{
	char time[32], crowd[64] = "", who[160] = "";

	if (w->crowd.workers)
		snprintf(crowd, sizeof(crowd), ": %u workers share %u CPU%s", w->crowd.workers,
			 w->crowd.cpus, w->crowd.cpus == 1 ? "" : "s");
	units_print_time(w->who_ns, time, sizeof(time));
	if (w->who[0])
		snprintf(who, sizeof(who), "; busiest other task: %s, %s", w->who, time);
	snprintf(buf, size, "%s%s", crowd, who);
}

static void mend_crowd(struct finding *f, const struct watched *w)
{
	snprintf(f->remedy, sizeof(f->remedy),
		 "not more jobs at a time than CPUs (%u here): these wait for each other, which "
		 "their latencies include%s",
		 w->crowd.cpus, w->who[0] ? "; stop what else runs there" : "");
}

void find_cpu(const struct result *r, const struct result_job *j, struct verdict *v)
{
	struct finding *f = begin(j, v, DISTURB_CPU_WAIT, "cpu-contention");
	const struct watched *w = &j->watched;
	char wait[32], who[224], slow[80] = "";

	if (!f)
		return;
	units_print_time(w->kind[DISTURB_CPU_WAIT].amount, wait, sizeof(wait));
	rivals(w, who, sizeof(who));
	if (w->outliers.cpu_wait)
		snprintf(slow, sizeof(slow), "; %llu of %llu slow I/Os waited for a CPU",
			 (unsigned long long)w->outliers.cpu_wait,
			 (unsigned long long)w->outliers.n);
	EVIDENCE(f, "workers waited %s for a CPU%s%s", wait, who, slow);
	if (w->crowd.workers)
		mend_crowd(f, w);
	else if (r->isolation.n)
		REMEDY(f,
		       "stop what else runs on those CPUs (what isolate=1 could not do is in the "
		       "report), or read the percentiles of the undisturbed seconds");
	else
		REMEDY(f, "give the workers CPUs of their own (isolate=1), stop what else runs "
			  "there, or read the percentiles of the undisturbed seconds");
}

void find_preempted(const struct result *r, const struct result_job *j, struct verdict *v)
{
	struct finding *f = begin(j, v, DISTURB_PREEMPT, "preempted");

	if (!f)
		return;
	EVIDENCE(f, "workers were taken off their CPU %llu times",
		 (unsigned long long)j->watched.kind[DISTURB_PREEMPT].amount);
	REMEDY(f, r->isolation.n ? "stop what else runs on those CPUs"
				 : "pin workers to CPUs that nothing else uses (isolate=1, or "
				   "cpus_allowed)");
}

void find_steal(const struct result *r, const struct result_job *j, struct verdict *v)
{
	struct finding *f = begin(j, v, DISTURB_STEAL, "cpu-steal");
	char time[32];

	(void)r;
	if (!f)
		return;
	units_print_time(j->watched.kind[DISTURB_STEAL].amount, time, sizeof(time));
	EVIDENCE(f, "the hypervisor kept %s from the CPUs of this virtual machine", time);
	REMEDY(f, "ask for dedicated CPUs, or measure when the host is quiet");
}

void find_interrupts(const struct result *r, const struct result_job *j, struct verdict *v)
{
	struct finding *f = begin(j, v, DISTURB_IRQ, "interrupts");
	char time[32];

	(void)r;
	if (!f)
		return;
	units_print_time(j->watched.kind[DISTURB_IRQ].amount, time, sizeof(time));
	EVIDENCE(f, "interrupts and softirqs took %s", time);
	REMEDY(f, "move interrupts of other devices away from the workers' CPUs "
		  "(/proc/irq/N/smp_affinity_list)");
}

static void percent(uint64_t part, uint64_t of, char *buf, size_t size)
{
	double p = of ? 100 * (double)part / (double)of : 0;

	snprintf(buf, size, p < 1 ? "%.2f" : "%.0f", p);
}

void find_other_io(const struct result *r, const struct result_job *j, struct verdict *v)
{
	struct finding *f = begin(j, v, DISTURB_OTHER_IO, "other-io");
	const struct watched_device *d = &j->watched.device;
	uint64_t ios = j->watched.kind[DISTURB_OTHER_IO].amount;
	char bytes[32], of_bytes[16], of_ios[16];

	(void)r;
	if (!f)
		return;
	if ((double)ios < OTHER_SHARE * (double)d->ios &&
	    (double)d->foreign_bytes < OTHER_SHARE * (double)d->bytes)
		f->severity = SEVERITY_NOTE;
	units_print(d->foreign_bytes, 1, 4, true, UNITS_BYTES, bytes, sizeof(bytes));
	percent(d->foreign_bytes, d->bytes, of_bytes, sizeof(of_bytes));
	percent(ios, d->ios, of_ios, sizeof(of_ios));
	EVIDENCE(
		f,
		"%s in %llu I/Os of the device are not ours: %s %% of its bytes, %s %% of its I/Os",
		bytes, (unsigned long long)ios, of_bytes, of_ios);
	REMEDY(f, "find who uses the device (iotop, lsof) and stop it while measuring");
}

void find_iowq(const struct result *r, const struct result_job *j, struct verdict *v)
{
	struct finding *f = begin(j, v, DISTURB_IOWQ, "iowq-punt");
	char time[32];

	(void)r;
	if (!f)
		return;
	units_print_time(j->watched.kind[DISTURB_IOWQ].amount, time, sizeof(time));
	EVIDENCE(f,
		 "io_uring handed I/Os to kernel worker threads, which used %s of CPU time: the "
		 "target cannot do them "
		 "without blocking",
		 time);
	REMEDY(f, "use ioengine=psync on this target, or one that takes nowait I/O; what is "
		  "measured is the hand-over");
}

void find_frequency(const struct result *r, const struct result_job *j, struct verdict *v)
{
	struct finding *f = begin(j, v, DISTURB_FREQUENCY, "frequency");

	(void)r;
	if (!f)
		return;
	EVIDENCE(f,
		 "the workers' CPUs ran more than 10 %% below their best frequency in %.0f %% of "
		 "the time",
		 share(j, DISTURB_FREQUENCY));
	REMEDY(f, "set the performance governor (fathom doctor shows how)");
}

void find_stopped(const struct result *r, const struct result_job *j, struct verdict *v)
{
	struct finding *f = begin(j, v, DISTURB_STOPPED, "stopped");

	(void)r;
	if (!f)
		return;
	EVIDENCE(f,
		 "the whole process stood still and went on, %llu times; I/Os in flight lasted "
		 "as long as the stop",
		 (unsigned long long)j->watched.kind[DISTURB_STOPPED].amount);
	REMEDY(f, "keep SIGSTOP and Ctrl-Z, debuggers, cgroup freezers and pauses of the virtual "
		  "machine away from a run");
}

void find_memory(const struct result *r, const struct result_job *j, struct verdict *v)
{
	struct finding *f = begin(j, v, DISTURB_MEMORY, "memory-pressure");
	char time[32];

	(void)r;
	if (!f)
		return;
	units_print_time(j->watched.kind[DISTURB_MEMORY].amount, time, sizeof(time));
	EVIDENCE(f, "tasks were stalled for memory for %s", time);
	REMEDY(f, "free memory: less iodepth x bs, or stop what uses it");
}

void find_thermal(const struct result *r, const struct result_job *j, struct verdict *v)
{
	struct finding *f = begin(j, v, DISTURB_HEAT, "thermal");
	const struct watched_heat *h = &j->watched.heat;
	uint64_t times = j->watched.kind[DISTURB_HEAT].amount;
	bool hot = h->limit_milli_c && h->milli_c.max >= h->limit_milli_c;
	char disk[120] = "", cpu[80] = "";

	(void)r;
	if (!f)
		return;
	if (hot)
		snprintf(disk, sizeof(disk),
			 "%s reached %.0f degrees Celsius, it slows down near %.0f", h->disk,
			 (double)h->milli_c.max / 1e3, (double)h->limit_milli_c / 1e3);
	if (times)
		snprintf(cpu, sizeof(cpu), "the workers' CPUs slowed themselves down %llu times",
			 (unsigned long long)times);
	EVIDENCE(f, "%s%s%s", disk, hot && times ? "; " : "", cpu);
	REMEDY(f, "more air over what is hot; wait until it has cooled, and leave pauses between "
		  "runs");
}

void find_remote(const struct result *r, const struct result_job *j, struct verdict *v)
{
	const struct watched_nodes *n = &j->watched.nodes;
	struct finding *f = n->known ? begin(j, v, DISTURB_REMOTE, "remote-numa") : NULL;
	char cpu[48] = "", memory[48] = "";

	(void)r;
	if (!f)
		return;
	if (n->cpu >= 0 && n->cpu != n->device)
		snprintf(cpu, sizeof(cpu), ", a worker ran on node %d", n->cpu);
	if (n->memory >= 0 && n->memory != n->device)
		snprintf(memory, sizeof(memory), ", its buffers were on node %d", n->memory);
	EVIDENCE(f, "%s is on node %d%s%s, in %.0f %% of the time", n->disk, n->device, cpu, memory,
		 share(j, DISTURB_REMOTE));
	f->effect[0] = 0; /* its seconds are no disturbed ones: the difference is not of this */
	if (n->near[0])
		snprintf(f->remedy, sizeof(f->remedy),
			 "cpus_allowed=%s (memory follows, unless numa_mem_policy sends it away)",
			 n->near);
	else
		REMEDY(f, "let this process run on CPUs of the device's node (taskset, cpuset)");
}

#define CLOCK_SHARE 0.05 /* of the latency, for two readings an I/O */

static double mean_latency(const struct result_job *j)
{
	double sum = 0, n = 0;

	for (unsigned d = 0; d < DIRS; d++) {
		sum += (double)j->dir[d].lat[LAT_COMPLETE].sum;
		n += (double)j->dir[d].lat[LAT_COMPLETE].n;
	}
	return n > 0 ? sum / n : 0;
}

/* What the kernel calls the processor's counter that a run's clock reads as clock source; NULL when
 * the clock is another. */
static const char *find_counter_source(const char *clock_name)
{
	if (clock_name && !strcmp(clock_name, "tsc"))
		return "tsc";
	if (clock_name && !strcmp(clock_name, "cntvct"))
		return "arch_sys_counter";
	return NULL;
}

/* One finding, of the worst that is known about the clock. */
void find_clock(const struct result *r, const struct result_job *j, struct verdict *v)
{
	const char *source = r->host.clock_source;
	const char *ours = find_counter_source(r->clock_name);
	bool slow = clocksource_slow(source);
	unsigned long long cost = r->clock_read_ns;

	if (fabs(r->clock_drift_ppm) >= DRIFT_PPM) {
		struct finding *f = verdict_add(v, "clock", SEVERITY_DISTURBED);
		EVIDENCE(f, "the clock went %.0f ppm away from the kernel's during the run",
			 r->clock_drift_ppm);
		REMEDY(f, "use clocksource=clock_gettime");
	} else if (ours && source[0] && strcmp(source, ours) != 0) {
		struct finding *f = verdict_add(v, "clock", SEVERITY_DISTURBED);
		EVIDENCE(f,
			 "the kernel gave up the TSC for %s during the run; times are by the TSC",
			 source);
		REMEDY(f, "see the kernel log for the reason; use clocksource=clock_gettime");
	} else if (slow || r->clock_backwards) {
		bool much = 2 * (double)cost > CLOCK_SHARE * mean_latency(j);
		struct finding *f =
			verdict_add(v, "clock", much ? SEVERITY_DISTURBED : SEVERITY_NOTE);
		EVIDENCE(f, "%s%s; a reading takes %llu ns",
			 slow ? "the kernel's clock source is "
			      : "the TSC ran backwards from one CPU to another and is not used",
			 slow ? source : "", cost);
		REMEDY(f, slow ? "tsc as clock source (fathom doctor shows how)"
			       : "workers on the CPUs of one socket; a newer firmware");
	}
}
