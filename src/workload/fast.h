/* The fill functions of the common case: one file, one block size, nothing else. Inside of
 * workload. */
#ifndef FATHOM_WORKLOAD_FAST_H
#define FATHOM_WORKLOAD_FAST_H

#include "workload/inner.h"

/* Can this workload be filled here? */
bool fast_can(const struct workload *l);
/* Choose the fill function. */
void fast_init(struct workload *l);

#endif
