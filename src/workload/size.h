/* Block sizes of one direction: bs, bsrange or bssplit (compatibility 7), in bytes. After
 * sizes_init nothing allocates; const, so that a draw changes the random numbers only. */
#ifndef FATHOM_WORKLOAD_SIZE_H
#define FATHOM_WORKLOAD_SIZE_H

#include "base/arena.h"
#include "base/must_check.h"
#include "base/rng.h"
#include "conf/job.h"

enum sizes_kind { SIZES_ONE, SIZES_RANGE, SIZES_ANY, SIZES_SPLIT };

struct size_share {
	uint32_t size;
	bool wanted;	/* share above 0 */
	uint64_t below; /* drawn by random numbers below this and not below the previous one's */
};

struct sizes {
	enum sizes_kind kind;
	uint64_t lo, hi;	    /* bytes */
	uint64_t count;		    /* RANGE: lo, 2 lo, ... and hi */
	const struct size_share *v; /* SPLIT: ascending in size */
	unsigned n;
};

/* The sizes the options give for direction dir; bssplit goes before bsrange before bs. -ENOMEM,
 * -EINVAL. */
MUST_CHECK int sizes_init(struct sizes *s, const struct job_opts *o, unsigned dir,
			  struct arena *arena);
uint32_t sizes_draw(const struct sizes *s, struct rng *r);
/* The largest size that is at most max; 0 when none is. */
uint32_t sizes_fit(const struct sizes *s, uint64_t max);
/* A drawn size that is at most max, 0 when none fits. */
uint32_t sizes_draw_fit(const struct sizes *s, struct rng *r, uint64_t max);
/* Largest number of bytes all sizes are multiples of (SIZES_ANY: lo, the grain of the map). */
uint64_t sizes_unit(const struct sizes *s);

#endif
