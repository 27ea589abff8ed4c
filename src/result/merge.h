/* Merging, copying and releasing the results of jobs. */
#ifndef FATHOM_RESULT_MERGE_H
#define FATHOM_RESULT_MERGE_H

#include "base/must_check.h"
#include "result/result.h"

/* An empty result of one job: every minimum and counter ready for adding. Texts and style are left
 * zero. */
void result_job_init(struct result_job *j);
/* Merge `from` into `to` as group_reporting does (compatibility 17.8). Histograms of `to` are
 * allocated when missing. -ENOMEM. Of more than PRIO_STATS_MAX different priorities the later ones
 * are not told apart: they count in the direction only. */
MUST_CHECK int result_job_merge(struct result_job *to, const struct result_job *from);
/* Deep copy of histograms. On -ENOMEM nothing is left allocated. */
MUST_CHECK int result_job_copy(struct result_job *to, const struct result_job *from);
void result_job_release(struct result_job *j); /* frees histograms */
void result_release(struct result *r);

#endif
