/* What this program needs for an I/O that no device takes part in, measured before the run: a block
 * is drawn, the clock read before and after, count, latency and histogram kept by the very code of
 * the loop. A job's own figure (worker.c) is taken in the run, and so with its caches and options.
 */
#include "base/permute.h"
#include "worker/account.h"
#include "monitor/owncost.h"
#include <assert.h>
#include <stdlib.h>

#define BLOCK	  4096u
#define PLACES	  1000003u /* draws as large spans do */
#define ENOUGH_NS 1000000u /* a slow clock gets fewer rounds */
enum { ROUNDS = 8, ROUND_IOS = 512 };

struct trial {
	struct worker w;
	struct hist hist;
	struct permute order;
	uint64_t at;
};

/* One round, ns; the first reading of each I/O is made by the loop as well. */
static uint64_t owncost_trial_round(struct trial *t)
{
	struct worker *w = &t->w;
	struct io io = {.len = BLOCK, .len_asked = BLOCK, .result = BLOCK};
	uint64_t places[PERMUTE_AHEAD], begin = clock_now(w->clock);
	unsigned n = 0;

	for (unsigned i = 0; i < ROUND_IOS; i++) {
		if (!n)
			n = permute_next(&t->order, &t->at, places);
		io.offset = places[--n] * BLOCK;
		io.start = io.issue = clock_now(w->clock);
		w->now = clock_now(w->clock);
		account_one(w, &io, w->now);
	}
	return clock_now(w->clock) - begin;
}

uint64_t owncost_measure(const struct clock *clock)
{
	uint64_t best = UINT64_MAX, total = 0;
	struct trial *t;

	assert(clock);
	if (clock->kind == CLOCK_KIND_VIRTUAL)
		return 0;
	t = calloc(1, sizeof(*t));
	if (!t)
		return 0;
	t->w.clock = clock;
	t->w.acct = ACCT_CLAT | ACCT_CLAT_HIST;
	t->w.seconds.outlier_ns = UINT64_MAX;
	t->w.stats[DIR_READ].hist[LAT_COMPLETE] = &t->hist;
	permute_init(&t->order, PLACES, 1);
	/* The quickest round: whatever else ran can only have added. */
	for (unsigned i = 0; i < ROUNDS && total < ENOUGH_NS; i++) {
		uint64_t ns = owncost_trial_round(t);
		best = ns < best ? ns : best;
		total += ns;
	}
	free(t);
	return (best + ROUND_IOS / 2) / ROUND_IOS;
}
