/* Pauses between groups of I/Os: the thinktime family (compatibility 11.4). Times are ns of the
 * run's clock; the caller counts completed I/Os in `count` when `completions` says so. Part of the
 * loop: nothing allocates or reads a clock. */
#ifndef FATHOM_WORKLOAD_THINK_H
#define FATHOM_WORKLOAD_THINK_H

#include "workload/workload.h"

struct think {
	bool on;
	bool completions; /* groups are counted by completed I/Os, else by issued ones */
	bool by_blocks;
	uint64_t ns, spin_ns;
	uint64_t blocks;      /* I/Os per group */
	uint64_t iotime_ns;   /* or time per group; 0: not used */
	uint64_t count, mark; /* I/Os so far, and when the last pause was called for */
	uint64_t issued;      /* since the last pause */
	uint64_t since;	      /* ns: end of the last pause */
	uint64_t from, wake;  /* of the pause under way */
	bool draining, pausing;
};

void think_init(struct think *t, const struct plan_job *pj);
void think_start(struct think *t, uint64_t now);
/* May another I/O start? False: out->state is WORKLOAD_DRAIN or WORKLOAD_WAIT. *paused: ns of the
 * pause that just ended, else 0. */
bool think_allows(struct think *t, uint64_t now, unsigned in_flight, struct workload_fill *out,
		  uint64_t *paused);

static inline void think_issued(struct think *t)
{
	t->issued++;
	t->count += !t->completions;
}

#endif
