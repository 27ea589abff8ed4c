/* Inside of the normal format: the verdict. */
#ifndef FATHOM_REPORT_NORMAL_VERDICT_H
#define FATHOM_REPORT_NORMAL_VERDICT_H

#include "result/result.h"
#include <stdio.h>

/* The verdict and its findings, after them. */
void normal_verdict(const struct result *r, const struct result_job *j, FILE *to);

#endif
