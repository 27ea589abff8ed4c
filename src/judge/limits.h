/* What doctor says of a job before a run and the verdict after it, in one place. */
#ifndef FATHOM_JUDGE_LIMITS_H
#define FATHOM_JUDGE_LIMITS_H

#define SPAN_SMALL   (1ull << 30)   /* bytes that caches of a device may hold */
#define RUN_SHORT_NS 10000000000ull /* a run below measures caches and chance */
#define SAMPLES_BEYOND                                                                             \
	10.0 /* a percentile with fewer samples beyond it is chance: ten make it                   \
		repeatable to about a third */

#endif
