/* When the next I/O is due: rate, rate_iops, rate_process (compatibility 11.1, 11.2).
 *
 * A schedule per direction in whole nanoseconds, with the remainder of each division carried on: no
 * drift however long the run. What is late is made up for at full speed.
 */
#ifndef FATHOM_WORKLOAD_PACE_H
#define FATHOM_WORKLOAD_PACE_H

#include "base/rng.h"
#include "conf/job.h"

struct pace_schedule {
	uint64_t rate; /* bytes or I/Os per second, 0: no limit */
	uint64_t due;  /* ns: when the next may start */
	uint64_t rest; /* in 1/rate ns */
};

struct pace {
	bool on;
	bool poisson;
	bool limited[DIRS];
	struct pace_schedule bytes[DIRS], ios[DIRS];
	double rest; /* poisson: fraction of a ns carried on */
	struct rng rng;
	uint64_t late_ios, behind_ns_max;
};

void pace_init(struct pace *p, const struct job_opts *o, uint64_t seed);
/* All schedules begin now. */
void pace_start(struct pace *p, uint64_t now);
/* A pause of ns is not made up for (rate_ignore_thinktime). */
void pace_shift(struct pace *p, uint64_t ns);
/* An I/O of len bytes is issued that was due at `due`. */
void pace_issued(struct pace *p, unsigned dir, uint32_t len, uint64_t due, uint64_t now);

/* When the next I/O of the direction is due; 0: at once, it has no rate or the clock begins now. */
static inline uint64_t pace_due(const struct pace *p, unsigned dir)
{
	if (!p->limited[dir])
		return 0;
	uint64_t a = p->bytes[dir].due, b = p->ios[dir].due;
	return a > b ? a : b;
}

#endif
