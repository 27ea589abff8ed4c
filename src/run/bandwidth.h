/* --bandwidth-log: the bandwidth of all jobs together. By the supervising thread. */
#ifndef FATHOM_RUN_BANDWIDTH_H
#define FATHOM_RUN_BANDWIDTH_H

#include "base/must_check.h"
#include "run/pool.h"

struct bandwidth;
MUST_CHECK struct bandwidth *bandwidth_new(struct pool *c);
void bandwidth_free(struct bandwidth *b);
/* A worker will measure from then on; the earliest counts. */
void bandwidth_begin(struct bandwidth *b, uint64_t at);
/* Returns when it is due again. */
uint64_t bandwidth_step(struct bandwidth *b, uint64_t now);
/* end: of the last measured I/O */
void bandwidth_finish(struct bandwidth *b, uint64_t end);

#endif
