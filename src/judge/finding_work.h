/* A judgement that others than the verdict ask for. */
#ifndef FATHOM_JUDGE_FINDING_WORK_H
#define FATHOM_JUDGE_FINDING_WORK_H

#include "result/result.h"

/* Polling was asked for and did not happen. */
bool verdict_poll_inactive(const struct result_job *j);

#endif
