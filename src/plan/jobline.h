/* fio's line about a job before the run. */
#ifndef FATHOM_PLAN_JOBLINE_H
#define FATHOM_PLAN_JOBLINE_H

#include "plan/explain.h"

/* fio's job line: "NAME: (g=0): rw=..., bs=(R) ..., ioengine=..., iodepth=..." without newline. */
void explain_job_line(const struct plan_job *pj, struct str *out);

#endif
