/* Files and devices before the first worker starts, and what is undone after the last. */
#ifndef FATHOM_RUN_PREPARE_H
#define FATHOM_RUN_PREPARE_H

#include "base/must_check.h"
#include "run/pool.h"

/* On failure (words are in diag) every file is as it was. */
MUST_CHECK int prepare_targets(struct pool *c, atomic_int *stop);
void prepare_release(struct pool *c); /* claims go, unlink=1 is carried out */

#endif
