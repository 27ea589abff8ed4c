/* A record of a result of this process. */
#ifndef FATHOM_JUDGE_RECORD_RESULT_H
#define FATHOM_JUDGE_RECORD_RESULT_H

#include "base/must_check.h"
#include "judge/record.h"

/* The same of a result of this process; strings are copied, label is kept. -ENOMEM. */
MUST_CHECK int record_of_result(const struct result *r, const char *label, struct arena *a,
				struct record *out);

#endif
