/* Findings about what else the machine did. */
#include "base/units.h"
#include "host/virt.h"
#include "judge/evidence.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Disturbed seconds below this share of the run are told but do not spoil it. */
#define FEW_SECONDS 0.05
#define DRIFT_PPM   100.0
#define OTHER_SHARE 0.01 /* of the I/Os or bytes of a device: less is told and spoils nothing */

static enum finding_severity finding_machine_severity(const struct result_job *j,
						      const struct watched_kind *k)
{
	return j->watched.seconds && (double)k->seconds < FEW_SECONDS * (double)j->watched.seconds
		       ? FINDING_NOTE
		       : FINDING_WARN;
}

/* Percent of the seconds of all workers. */
static double finding_machine_share(const struct result_job *j, enum disturbance kind)
{
	double all = (double)j->watched.seconds;

	return all > 0 ? 100 * (double)j->watched.kind[kind].seconds / all : 0;
}

/* Begin a finding about a disturbance, or NULL when it did not happen. */
static struct verdict_finding *finding_machine_begin(const struct result_job *j, struct verdict *v,
						     enum disturbance kind, const char *code)
{
	const struct watched_kind *k = &j->watched.kind[kind];

	if (!j->watched.on || !k->seconds)
		return NULL;
	struct verdict_finding *f = evidence_add(v, code);
	f->f.severity = finding_machine_severity(j, k);
	evidence_seconds(f, k);
	evidence_effect(f, j);
	return f;
}

/* Who had the CPUs meanwhile, as far as that is known. */
static void finding_machine_competitors(const struct watched *w, char *buf, size_t size)
{
	char time[32], competition[64] = "", who[160] = "";

	if (w->competition.workers)
		snprintf(competition, sizeof(competition), ": %u workers share %u CPU%s",
			 w->competition.workers, w->competition.cpus,
			 w->competition.cpus == 1 ? "" : "s");
	units_print_time(w->who_ns, time, sizeof(time));
	if (w->who[0])
		snprintf(who, sizeof(who), "; busiest other task: %s, %s", w->who, time);
	snprintf(buf, size, "%s%s", competition, who);
}

static void finding_machine_competition(struct verdict_finding *f, const struct watched *w)
{
	snprintf(f->remedy, sizeof(f->remedy),
		 "CPUs oversubscribed: run at most %u workers at a time; time spent waiting for a "
		 "CPU is included in the latencies%s",
		 w->competition.cpus, w->who[0] ? "; stop other programs on these CPUs" : "");
}

static void finding_machine_find_cpu(const struct result *r, const struct result_job *j,
				     struct verdict *v)
{
	struct verdict_finding *f = finding_machine_begin(j, v, DISTURB_CPU_WAIT, "cpu-contention");
	const struct watched *w = &j->watched;
	char wait[32], who[224], slow[80] = "";

	if (!f)
		return;
	units_print_time(w->kind[DISTURB_CPU_WAIT].amount, wait, sizeof(wait));
	finding_machine_competitors(w, who, sizeof(who));
	if (w->outliers.cpu_wait)
		snprintf(slow, sizeof(slow), "; %llu of %llu slow I/Os waited for a CPU",
			 (unsigned long long)w->outliers.cpu_wait,
			 (unsigned long long)w->outliers.n);
	EVIDENCE(f, "workers waited %s for a CPU%s%s", wait, who, slow);
	if (w->competition.workers)
		finding_machine_competition(f, w);
	else if (r->isolation.n)
		REMEDY(f, "stop other programs on those CPUs (the report says what isolate=1 could "
			  "not "
			  "do), or read the percentiles of the undisturbed seconds");
	else
		REMEDY(f, "give the workers CPUs of their own (isolate=1), stop other programs, or "
			  "read the percentiles of the undisturbed seconds");
}

static void finding_machine_find_preempted(const struct result *r, const struct result_job *j,
					   struct verdict *v)
{
	struct verdict_finding *f = finding_machine_begin(j, v, DISTURB_PREEMPT, "preempted");

	if (!f)
		return;
	EVIDENCE(f, "workers were preempted %llu times (involuntary context switches)",
		 (unsigned long long)j->watched.kind[DISTURB_PREEMPT].amount);
	REMEDY(f, r->isolation.n ? "stop other programs on those CPUs"
				 : "pin workers to CPUs that nothing else uses (isolate=1, or "
				   "cpus_allowed)");
}

static void finding_machine_find_steal(const struct result *r, const struct result_job *j,
				       struct verdict *v)
{
	struct verdict_finding *f = finding_machine_begin(j, v, DISTURB_STEAL, "cpu-steal");
	char time[32];

	(void)r;
	if (!f)
		return;
	units_print_time(j->watched.kind[DISTURB_STEAL].amount, time, sizeof(time));
	EVIDENCE(f, "the hypervisor withheld %s of CPU time from this virtual machine", time);
	REMEDY(f, "ask for dedicated CPUs, or measure when the host is quiet");
}

static void finding_machine_find_interrupts(const struct result *r, const struct result_job *j,
					    struct verdict *v)
{
	struct verdict_finding *f = finding_machine_begin(j, v, DISTURB_IRQ, "interrupt-load");
	char time[32];

	(void)r;
	if (!f)
		return;
	units_print_time(j->watched.kind[DISTURB_IRQ].amount, time, sizeof(time));
	EVIDENCE(f, "interrupts and softirqs took %s of CPU time", time);
	REMEDY(f, "move interrupts of other devices away from the workers' CPUs "
		  "(/proc/irq/N/smp_affinity_list)");
}

static void finding_machine_percent(uint64_t part, uint64_t of, char *buf, size_t size)
{
	double p = of ? 100 * (double)part / (double)of : 0;

	snprintf(buf, size, p < 1 ? "%.2f" : "%.0f", p);
}

static void finding_machine_find_other_io(const struct result *r, const struct result_job *j,
					  struct verdict *v)
{
	struct verdict_finding *f = finding_machine_begin(j, v, DISTURB_OTHER_IO, "other-io");
	const struct watched_device *d = &j->watched.device;
	uint64_t ios = j->watched.kind[DISTURB_OTHER_IO].amount;
	char bytes[32], of_bytes[16], of_ios[16];

	(void)r;
	if (!f)
		return;
	if ((double)ios < OTHER_SHARE * (double)d->ios &&
	    (double)d->foreign_bytes < OTHER_SHARE * (double)d->bytes)
		f->f.severity = FINDING_NOTE;
	units_print(d->foreign_bytes, 1, 4, true, UNITS_BYTES, bytes, sizeof(bytes));
	finding_machine_percent(d->foreign_bytes, d->bytes, of_bytes, sizeof(of_bytes));
	finding_machine_percent(ios, d->ios, of_ios, sizeof(of_ios));
	EVIDENCE(f,
		 "other processes transferred %s in %llu I/Os on this device: %s %% of its bytes, "
		 "%s %% of its I/Os",
		 bytes, (unsigned long long)ios, of_bytes, of_ios);
	REMEDY(f, "find who uses the device (iotop, lsof) and stop it while measuring");
}

static void finding_machine_find_iowq(const struct result *r, const struct result_job *j,
				      struct verdict *v)
{
	struct verdict_finding *f = finding_machine_begin(j, v, DISTURB_IOWQ, "iowq-punt");
	char time[32];

	(void)r;
	if (!f)
		return;
	units_print_time(j->watched.kind[DISTURB_IOWQ].amount, time, sizeof(time));
	EVIDENCE(f,
		 "io_uring handed I/Os to kernel worker threads, which used %s of CPU time: the "
		 "target cannot do them without blocking",
		 time);
	REMEDY(f, "use ioengine=psync on this target, or a target that supports nowait I/O: the "
		  "latencies include the hand-over");
}

static void finding_machine_find_frequency(const struct result *r, const struct result_job *j,
					   struct verdict *v)
{
	struct verdict_finding *f = finding_machine_begin(j, v, DISTURB_FREQUENCY, "frequency");

	(void)r;
	if (!f)
		return;
	EVIDENCE(f,
		 "the workers' CPUs ran more than 10 %% below their best frequency in %.0f %% of "
		 "the time",
		 finding_machine_share(j, DISTURB_FREQUENCY));
	REMEDY(f, "set the performance governor (fathom doctor shows how)");
}

static void finding_machine_find_stopped(const struct result *r, const struct result_job *j,
					 struct verdict *v)
{
	struct verdict_finding *f = finding_machine_begin(j, v, DISTURB_STOPPED, "stopped");

	(void)r;
	if (!f)
		return;
	EVIDENCE(f,
		 "the process was suspended and resumed, %llu time%s; latencies of I/Os in flight "
		 "include the pause",
		 (unsigned long long)j->watched.kind[DISTURB_STOPPED].amount,
		 j->watched.kind[DISTURB_STOPPED].amount == 1 ? "" : "s");
	REMEDY(f, "avoid SIGSTOP and Ctrl-Z, debuggers, cgroup freezers and pauses of the virtual "
		  "machine during a run");
}

static void finding_machine_find_memory(const struct result *r, const struct result_job *j,
					struct verdict *v)
{
	struct verdict_finding *f = finding_machine_begin(j, v, DISTURB_MEMORY, "memory-pressure");
	char time[32];

	(void)r;
	if (!f)
		return;
	units_print_time(j->watched.kind[DISTURB_MEMORY].amount, time, sizeof(time));
	EVIDENCE(f, "tasks were stalled for memory for %s", time);
	REMEDY(f, "free memory: less iodepth x bs, or stop what uses it");
}

static void finding_machine_find_thermal(const struct result *r, const struct result_job *j,
					 struct verdict *v)
{
	struct verdict_finding *f = finding_machine_begin(j, v, DISTURB_TEMPERATURE, "thermal");
	const struct watched_temperature *h = &j->watched.heat;
	uint64_t times = j->watched.kind[DISTURB_TEMPERATURE].amount;
	bool hot = h->limit_milli_c && h->milli_c.max >= h->limit_milli_c;
	char disk[120] = "", cpu[80] = "";

	(void)r;
	if (!f)
		return;
	if (hot)
		snprintf(disk, sizeof(disk),
			 "%s reached %.0f degrees Celsius, it throttles near %.0f", h->disk,
			 (double)h->milli_c.max / 1e3, (double)h->limit_milli_c / 1e3);
	if (times)
		snprintf(cpu, sizeof(cpu), "the workers' CPUs throttled %llu times",
			 (unsigned long long)times);
	EVIDENCE(f, "%s%s%s", disk, hot && times ? "; " : "", cpu);
	REMEDY(f, "more cooling; wait until it is cold, and pause between runs");
}

static void finding_machine_find_remote(const struct result *r, const struct result_job *j,
					struct verdict *v)
{
	const struct watched_nodes *n = &j->watched.nodes;
	struct verdict_finding *f =
		n->known ? finding_machine_begin(j, v, DISTURB_REMOTE, "remote-numa") : NULL;
	char cpu[48] = "", memory[48] = "";

	(void)r;
	if (!f)
		return;
	if (n->cpu >= 0 && n->cpu != n->device)
		snprintf(cpu, sizeof(cpu), ", a worker ran on node %d", n->cpu);
	if (n->memory >= 0 && n->memory != n->device)
		snprintf(memory, sizeof(memory), ", its buffers were on node %d", n->memory);
	EVIDENCE(f, "%s is on node %d%s%s, in %.0f %% of the time", n->disk, n->device, cpu, memory,
		 finding_machine_share(j, DISTURB_REMOTE));
	f->effect[0] = 0; /* its seconds count as undisturbed: the difference is not of this */
	if (n->near[0])
		snprintf(f->remedy, sizeof(f->remedy),
			 "cpus_allowed=%s (memory follows unless numa_mem_policy is given)",
			 n->near);
	else
		REMEDY(f, "let this process run on CPUs of the device's node (taskset, cpuset)");
}

#define CLOCK_SHARE 0.05 /* of the latency, for two readings an I/O */

static double finding_machine_latency(const struct result_job *j)
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
static const char *finding_machine_counter_source(const char *clock_name)
{
	if (clock_name && !strcmp(clock_name, "tsc"))
		return "tsc";
	if (clock_name && !strcmp(clock_name, "cntvct"))
		return "arch_sys_counter";
	return NULL;
}

/* One finding, of the worst that is known about the clock. */
static void finding_machine_find_clock(const struct result *r, const struct result_job *j,
				       struct verdict *v)
{
	const char *source = r->host.clock_source;
	const char *ours = finding_machine_counter_source(r->clock_name);
	bool slow = clocksource_slow(source);
	unsigned long long cost = r->clock_read_ns;

	if (fabs(r->clock_drift_ppm) >= DRIFT_PPM) {
		struct verdict_finding *f = evidence_add(v, "clock");
		EVIDENCE(f, "the clock drifted %.0f ppm from the kernel's during the run",
			 r->clock_drift_ppm);
		REMEDY(f, "use clocksource=clock_gettime");
	} else if (ours && source[0] && strcmp(source, ours) != 0) {
		struct verdict_finding *f = evidence_add(v, "clock");
		EVIDENCE(f,
			 "the kernel replaced its clock source %s by %s during the run; times are "
			 "from "
			 "the former",
			 ours, source);
		REMEDY(f, "see the kernel log for the reason; use clocksource=clock_gettime");
	} else if (slow || r->clock_backwards) {
		bool much = 2 * (double)cost > CLOCK_SHARE * finding_machine_latency(j);
		struct verdict_finding *f = evidence_add(v, "clock");
		f->f.severity = much ? FINDING_WARN : FINDING_NOTE;
		EVIDENCE(f, "%s%s; a reading takes %llu ns",
			 slow ? "the kernel's clock source is "
			      : "the TSC ran backwards from one CPU to another and is not used",
			 slow ? source : "", cost);
		REMEDY(f, slow ? "tsc as clock source (fathom doctor shows how)"
			       : "workers on the CPUs of one socket; a newer firmware");
	}
}

evidence_find *const finding_machine_rows[] = {
	finding_machine_find_cpu,
	finding_machine_find_preempted,
	finding_machine_find_steal,
	finding_machine_find_interrupts,
	finding_machine_find_other_io,
	finding_machine_find_iowq,
	finding_machine_find_frequency,
	finding_machine_find_stopped,
	finding_machine_find_memory,
	finding_machine_find_thermal,
	finding_machine_find_remote,
	finding_machine_find_clock,
	NULL,
};
