/* Giving back what a run that was killed had changed. */
#ifndef FATHOM_CMD_RECOVER_H
#define FATHOM_CMD_RECOVER_H

#include "base/diag.h"
#include "host/host.h"

/* Does it, and says so. Whoever is going to change the machine asks first. Without the right to
 * look nothing is done and nothing said: the change itself will fail with words. */
void recover_dead_runs(const struct host *h, struct diag *diag);

#endif
