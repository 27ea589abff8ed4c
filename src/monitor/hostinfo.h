/* Where a run took place: kernel, processor, devices. */
#ifndef FATHOM_MONITOR_HOSTINFO_H
#define FATHOM_MONITOR_HOSTINFO_H

#include "base/must_check.h"
#include "monitor/disks.h"

/* Nothing for a simulated run. -ENOMEM. */
MUST_CHECK int hostinfo_collect(const struct worker_env *env, const struct disks *ds,
				struct result *out);

#endif
