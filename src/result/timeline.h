/* What a job did in each of equal steps of its measured time: what intervals of confidence are made
 * of. Bounded: when full, neighbours are added up two by two and the steps become twice as long.
 * Single writer.
 */
#ifndef FATHOM_RESULT_TIMELINE_H
#define FATHOM_RESULT_TIMELINE_H

#include "base/direction.h"
#include "base/must_check.h"
#include <stdint.h>

#define TIMELINE_POINTS	   600	      /* at most; even */
#define TIMELINE_PERIOD_NS 100000000u /* at first */

struct timeline_point {
	uint64_t ios[DIRS], bytes[DIRS];
	uint64_t lat_n[DIRS], lat_sum[DIRS]; /* total latency, ns */
};

struct timeline {
	uint64_t period_ns; /* TIMELINE_PERIOD_NS times a power of two; 0: no timeline */
	unsigned n;
	struct timeline_point *point; /* room for TIMELINE_POINTS */
};

/* The next step is over. Needs room at t->point. */
void timeline_add(struct timeline *t, const struct timeline_point *p);
/* A copy in memory of its own; an empty one copies to an empty one. -ENOMEM leaves `to` empty. */
MUST_CHECK int timeline_copy(struct timeline *to, const struct timeline *from);
/* Add what another job did at the same time; shift_ns: how much later it began than `to`, negative:
 * earlier (then it is taken to have begun with it). An empty `to` becomes a copy. -ENOMEM. */
MUST_CHECK int timeline_merge(struct timeline *to, const struct timeline *from, int64_t shift_ns);
void timeline_release(struct timeline *t);

#endif
