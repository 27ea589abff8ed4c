/* Inside of doctor: what the checks look at, from the input: devices, CPUs and uses. */
#ifndef FATHOM_DOCTOR_SCOPE_H
#define FATHOM_DOCTOR_SCOPE_H

#include "base/must_check.h"
#include "doctor/check.h"

/* Add more to a list. -ENOMEM. */
MUST_CHECK int scope_join(struct doctor *d, struct cpuset *to, const struct cpuset *more);
/* scope.c: devices, CPUs and uses from the input. */
MUST_CHECK int scope_find(struct doctor *d);
/* The file system a path lies on, or would; NULL unknown. */
const struct mount *scope_mount(struct doctor *d, const char *path);

#endif
