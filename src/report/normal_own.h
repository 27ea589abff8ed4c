/* Inside of the normal format: Fathom's own lines. */
#ifndef FATHOM_REPORT_NORMAL_OWN_H
#define FATHOM_REPORT_NORMAL_OWN_H

#include "result/result.h"
#include <stdio.h>

/* Fathom's own lines at the end of a job block. */
void normal_own(const struct result_job *j, FILE *to);

#endif
