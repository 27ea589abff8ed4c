/* What must hold of a worker between two steps of its loop. By the thread that takes its steps;
 * nothing is changed, allocated or printed.
 *
 * Simulated runs check after every step, real ones where FATHOM_CHECKS is defined (base/check.h).
 */
#ifndef FATHOM_WORKER_CHECK_H
#define FATHOM_WORKER_CHECK_H

#include "worker/worker.h"

/* What is checked by adding up or by looking at every slot is checked this often: in steps. */
#define WORKER_CHECK_ALL 256u

/* The first thing that is wrong, in words for somebody who knows the code; NULL: nothing is. The
 * first function looks at a few words; the second one goes over slots and histograms as well. */
const char *worker_check_fault(const struct worker *w);
const char *worker_check_all_fault(const struct worker *w);

/* Aborts with these words when something is wrong, unless assertions are off. `steps` is how many
 * the worker has taken: it selects the check. */
void worker_check(const struct worker *w, unsigned steps);

#endif
