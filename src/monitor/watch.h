/* Watching what else the machine does while workers run. Called by the supervisor once a second of
 * the run's clock; reads /proc and /sys only, costs the workers nothing but the CPU time of that
 * thread.
 */
#ifndef FATHOM_MONITOR_WATCH_H
#define FATHOM_MONITOR_WATCH_H

#include "base/must_check.h"
#include "monitor/disks.h"
#include "worker/worker.h"

struct watch;

/* disks may be NULL. NULL: no memory; a run goes on without. */
MUST_CHECK struct watch *watch_new(const struct worker_env *env, const struct disks *disks);
void watch_free(struct watch *w);
/* The running second ends about now. */
void watch_tick(struct watch *w, uint64_t now);
/* All workers have ended: looks at what is left since the last tick, when it is half a second or
 * more. */
void watch_end(struct watch *w, uint64_t now);
/* The process was stopped and goes on now. */
void watch_stopped(struct watch *w, uint64_t now);
/* The thread that ticks woke up so many ns too late: was it, and all others, held? */
void watch_late(struct watch *w, uint64_t ns, uint64_t now);
/* What was seen of worker i so far. */
const struct watched *watch_of(const struct watch *w, unsigned i);

#endif
