/* Cores: which CPUs share one (SMT), and which are of another kind (hybrid processors). */
#ifndef FATHOM_HOST_SMT_H
#define FATHOM_HOST_SMT_H

#include "base/must_check.h"
#include "host/cpu.h"

/* The CPUs of a core, itself included. -ENOENT (offline, unknown). */
MUST_CHECK int smt_siblings(const struct host *h, unsigned cpu, struct arena *a,
			    struct cpuset *out);
/* The first CPU of every core that has one in `in`; CPUs whose core is unknown stand for
 * themselves. -ENOMEM. */
MUST_CHECK int smt_one_per_core(const struct host *h, const struct cpuset *in, struct arena *a,
				struct cpuset *out);

/* Cores of different speed: fast and slow CPUs. Told by the PMUs cpu_core and cpu_atom (x86), else
 * by cpu_capacity (Arm), the largest being fast. 1 when there are two kinds (lists filled), 0 when
 * all are alike, -ENOENT unknown, -ENOMEM. */
MUST_CHECK int smt_kinds(const struct host *h, struct arena *a, struct cpuset *fast,
			 struct cpuset *slow);

#endif
