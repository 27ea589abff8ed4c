/* Start rules, signals, hooks: a state machine over the run's clock. */
#ifndef FATHOM_RUN_SUPERVISOR_H
#define FATHOM_RUN_SUPERVISOR_H

#include "base/must_check.h"
#include "run/pool.h"

struct supervisor;
MUST_CHECK struct supervisor *supervisor_new(struct pool *c);
void supervisor_free(struct supervisor *s);
/* Do what is due; returns when it next has something to do without being notified, UINT64_MAX when
 * the run is over. */
uint64_t supervisor_step(struct supervisor *s, uint64_t now);
bool supervisor_over(const struct supervisor *s);
/* The last wait ended so many ns after it should have, and no signal tells why. */
void supervisor_late(struct supervisor *s, uint64_t ns);
void supervisor_signal(struct supervisor *s, int signo, uint64_t now);
/* Tell the live hook how it ended. */
void supervisor_live_end(struct supervisor *s, const struct result *final);
bool supervisor_interrupted(const struct supervisor *s);

#endif
