/* What the machine did to a job while it ran, as the watcher saw it second by second. Pure values;
 * merge is addition, but of what the machine did as a whole and all workers saw: there the most is
 * taken.
 *
 * A second is one of the run's clock. A disturbance has an amount (its unit depends on the kind)
 * and the seconds in which it went above its threshold; the first few hundred of them are kept by
 * number.
 */
#ifndef FATHOM_RESULT_WATCHED_H
#define FATHOM_RESULT_WATCHED_H

#include "base/hist.h"
#include "base/runstat.h"
#include "base/direction.h"
#include "base/must_check.h"
#include <stdbool.h>
#include <stdint.h>

enum disturbance {
	DISTURB_CPU_WAIT,    /* ns a worker was runnable and waited for a CPU (schedstat) */
	DISTURB_PREEMPT,     /* times a worker was taken off its CPU (involuntary switches) */
	DISTURB_STEAL,	     /* ns the hypervisor kept from the workers' CPUs */
	DISTURB_IRQ,	     /* ns of interrupts and softirqs on the workers' CPUs */
	DISTURB_OTHER_IO,    /* I/Os of the device that are not ours */
	DISTURB_IOWQ,	     /* ns of CPU time in kernel workers of our rings: punted I/Os */
	DISTURB_FREQUENCY,   /* lowest frequency of a worker's CPU against the highest seen, in per
				mille below */
	DISTURB_MEMORY,	     /* ns of memory pressure (some) of the system */
	DISTURB_TEMPERATURE, /* times a worker's CPU slowed itself down for heat; seconds also count
			in which the disk was at its limit */
	DISTURB_REMOTE,	     /* seconds a worker, or its buffers, were on another NUMA node than its
				device */
	DISTURB_STOPPED,     /* times this process was stopped and went on */
	DISTURBS
};

/* A figure that is looked at now and then. */
struct watched_range {
	uint64_t n, sum, min, max; /* n 0: never seen */
};

static inline void watched_sample(struct watched_range *r, uint64_t v)
{
	r->min = !r->n || v < r->min ? v : r->min;
	r->max = v > r->max ? v : r->max;
	r->sum += v;
	r->n++;
}

#define WATCHED_SECONDS 1024u
struct watched_kind {
	uint64_t amount;
	uint64_t seconds;		     /* above the threshold */
	uint64_t first, last;		     /* of those */
	uint64_t bits[WATCHED_SECONDS / 64]; /* which of the first ones */
};

enum outlier_cause {
	OUTLIER_UNKNOWN, /* not looked at: there were too many in that second */
	OUTLIER_CPU_WAIT,
	OUTLIER_PREEMPTED,
	OUTLIER_DEVICE,
};
struct watched_outlier {
	uint64_t second, latency_ns;
	uint64_t wait_ns; /* of that for a CPU, at most the latency */
	enum outlier_cause cause;
};

/* Completions slower than the 99.9th percentile so far, looked at one by one. */
#define WATCHED_SLOWEST 8u
struct watched_outliers {
	uint64_t n; /* all; those not looked at have no cause */
	uint64_t cpu_wait, preempted, device;
	uint64_t cpu_wait_ns;				 /* latency that was waiting for a CPU */
	struct watched_outlier slowest[WATCHED_SLOWEST]; /* descending; latency_ns 0: none */
};

void watched_outlier_keep(struct watched_outliers *o, const struct watched_outlier *one);

/* Where the device is and where a worker was when it was elsewhere. */
struct watched_nodes {
	bool known; /* false: all together, or nothing is known */
	int device, cpu, memory;
	char disk[64];
	char near[96]; /* CPUs of the device's node that the process may use, "" none */
};

/* The disk of a job that came closest to its limit. */
struct watched_temperature {
	struct watched_range milli_c; /* thousandths of a degree Celsius */
	uint64_t limit_milli_c;	      /* from there on it slows down, 0 unknown */
	char disk[64];
};

/* Workers that were kept waiting by each other: more of them ran than they have CPUs. */
struct watched_competition {
	unsigned workers, cpus; /* workers 0: there were enough CPUs */
};

/* All that the device of a job did while it was watched. */
struct watched_device {
	uint64_t ios, bytes;
	uint64_t foreign_bytes; /* not ours, in the seconds with DISTURB_OTHER_IO */
};

struct watched {
	bool on;
	/* Watched, of each worker (a last part of half a second or more counts as one); of them
	 * with any disturbance. */
	uint64_t seconds, disturbed;
	struct watched_kind kind[DISTURBS];
	struct watched_outliers outliers;
	struct runstat quiet_lat[DIRS]; /* completion latency of the undisturbed seconds */
	struct hist *quiet[DIRS];	/* NULL: none */
	uint64_t run_ns;		/* CPU time of the workers meanwhile */
	uint64_t io_stall_ns;		/* the system's I/O pressure (some), ours included */
	struct watched_range khz;	/* frequency of the workers' CPUs */
	struct watched_temperature heat;
	struct watched_nodes nodes;
	struct watched_device device;
	struct watched_competition competition;
	/* The task that took most of the time workers waited for a CPU, "name (pid)"; "" none took
	 * a part that counts. */
	char who[96];
	uint64_t who_ns; /* CPU time of that */
};

static inline void watched_mark(struct watched_kind *k, uint64_t second, uint64_t amount,
				bool above)
{
	k->amount += amount;
	if (!above)
		return;
	if (!k->seconds++)
		k->first = second;
	k->last = second;
	if (second < WATCHED_SECONDS)
		k->bits[second / 64] |= 1ull << second % 64;
}

void watched_competition_keep(struct watched_competition *to,
			      const struct watched_competition *one);

/* Add `from` to `to`; histograms of `to` are made when missing. -ENOMEM. Bits and first/last are
 * united. */
MUST_CHECK int watched_merge(struct watched *to, const struct watched *from);
void watched_release(struct watched *w);

#endif
