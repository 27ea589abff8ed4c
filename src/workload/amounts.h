/* How much of the job is done: amounts, passes and the end of a loop. Inside of workload. */
#ifndef FATHOM_WORKLOAD_AMOUNTS_H
#define FATHOM_WORKLOAD_AMOUNTS_H

#include "workload/inner.h"

/* The amount is reached: nothing but the end of the loop or of the job comes next. */
static inline bool amounts_spent(const struct workload *l)
{
	if (l->ended || (l->counting && l->limit_ios && l->total_ios >= l->limit_ios))
		return true;
	/* A trim is followed by its write in any case. */
	if (l->pair_due)
		return false;
	return l->loop_over || (l->counting && l->limit_bytes && l->loop_bytes >= l->limit_bytes);
}
static inline bool amounts_wrap(const struct workload *l)
{
	return !l->counting || l->wraps_always;
}
/* Bring the amounts up to date: the fast path counts only how much is left of its stretch. */
static inline void amounts_settle(struct workload *l)
{
	uint64_t n = l->granted - l->stretch;

	l->granted = l->stretch;
	if (!n)
		return;
	l->files->used += n * l->block;
	l->loop_bytes += n * l->block;
	l->total_ios += n;
	if (!l->mixed)
		l->counts.issued_ios[l->dir] += n;
}
/* From the plan; the files and sizes are known. */
void amounts_init(struct workload *l, const struct workload_setup *setup);
void amounts_begin_pass(struct workload *l);
/* Put why amounts_spent() holds into out->state. */
void amounts_say_spent(struct workload *l, struct workload_fill *out);
/* All files are through. True: a new pass was begun and filling goes on; else out->state says what.
 */
bool amounts_pass_over(struct workload *l, struct workload_fill *out);

#endif
