/* isolate=1: the CPUs planned for the workers are taken from everything else for the time of the
 * run, and given back: a cpuset partition, interrupts moved away, real-time priority, locked
 * memory. Each step that the rights do not allow is left out and said.
 *
 * Supervision stays outside on the other CPUs. All calls from the supervising thread, but for
 * those that a worker makes for itself. */
#ifndef FATHOM_RUN_ISOLATE_H
#define FATHOM_RUN_ISOLATE_H

#include "base/must_check.h"
#include "run/pool.h"

/* NULL when no job asks for it, or without memory. Before the first worker starts. */
MUST_CHECK struct isolate *isolate_begin(struct pool *c);
/* Of a worker: go to its own CPUs before anything is placed there; priority comes with it. */
void isolate_enter(struct worker *w);
/* Back among all others, for a command that it runs: what that leaves behind has no business on
 * the isolated CPUs. */
void isolate_leave(struct worker *w);
void isolate_return(struct worker *w);
/* All that it works with is there: it stays in memory. */
void isolate_lock(struct worker *w);
/* Give everything back; again does nothing. */
void isolate_end(struct isolate *s);
void isolate_tell(struct isolate *s, struct result *out);
void isolate_free(struct isolate *s);

#endif
