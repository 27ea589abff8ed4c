/* What the machine did to a job while it ran, as the watcher saw it second by second. Pure values;
 * merge is addition.
 *
 * A second is one of the run's clock. A disturbance has an amount (its unit depends on the kind)
 * and the seconds in which it went above its threshold; the first few hundred of them are kept by
 * number.
 */
#ifndef FATHOM_RESULT_WATCHED_H
#define FATHOM_RESULT_WATCHED_H

#include "base/hist.h"
#include "base/moment.h"
#include "conf/value.h"
#include <stdbool.h>
#include <stdint.h>

enum disturbance {
	DISTURB_CPU_WAIT,  /* ns a worker was runnable and waited for a CPU (schedstat) */
	DISTURB_PREEMPT,   /* times a worker was taken off its CPU (involuntary switches) */
	DISTURB_STEAL,	   /* ns the hypervisor kept from the workers' CPUs */
	DISTURB_IRQ,	   /* ns of interrupts and softirqs on the workers' CPUs */
	DISTURB_OTHER_IO,  /* I/Os of the device that are not ours */
	DISTURB_IOWQ,	   /* ns of CPU time in kernel workers of our rings: punted I/Os */
	DISTURB_FREQUENCY, /* lowest frequency of a worker's CPU against the highest seen, in per
			      mille below */
	DISTURB_MEMORY,	   /* ns of memory pressure (some) of the system */
	DISTURBS
};

#define WATCHED_SECONDS 1024u
struct watched_kind {
	uint64_t amount;
	uint64_t seconds;		     /* above the threshold */
	uint64_t first, last;		     /* of those */
	uint64_t bits[WATCHED_SECONDS / 64]; /* which of the first ones */
};

/* Completions slower than the 99.9th percentile so far, looked at one by one. */
struct watched_outliers {
	uint64_t n, cpu_wait, preempted, device;
	uint64_t cpu_wait_ns; /* latency that was really waiting for a CPU */
};

struct watched {
	bool on;
	uint64_t seconds, disturbed; /* full seconds watched; of them with any disturbance */
	struct watched_kind kind[DISTURBS];
	struct watched_outliers outliers;
	struct moment quiet_lat[DIRS]; /* completion latency of the undisturbed seconds */
	struct hist *quiet[DIRS];      /* NULL: none */
	uint64_t run_ns;	       /* CPU time of the workers meanwhile */
	char who[96]; /* the busiest other task on the workers' CPUs, "name (pid)", "" unknown */
	uint64_t who_ns;
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

/* Add `from` to `to`; histograms of `to` are made when missing. -ENOMEM. Bits and first/last are
 * united. */
int watched_merge(struct watched *to, const struct watched *from);
int watched_copy(struct watched *to, const struct watched *from);
void watched_release(struct watched *w);

#endif
