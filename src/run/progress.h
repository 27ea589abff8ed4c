/* How far the run is, for the status line. */
#ifndef FATHOM_RUN_PROGRESS_H
#define FATHOM_RUN_PROGRESS_H

#include "run/pool.h"

/* states: room for a letter of each worker and the terminator. */
void progress_fill(const struct pool *c, uint64_t now, struct progress *p, char *states);

#endif
