/* Where a run took place: kernel, processor, devices. */
#ifndef FATHOM_MONITOR_HOSTINFO_H
#define FATHOM_MONITOR_HOSTINFO_H

#include "monitor/disks.h"

/* Nothing for a simulated run. -ENOMEM. */
int hostinfo_collect(const struct worker_env *env, const struct disks *ds, struct result *out);

#endif
