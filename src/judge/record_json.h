/* A report from its text: by libjansson (record_json.c), or refused without it (record_none.c). */
#ifndef FATHOM_JUDGE_RECORD_JSON_H
#define FATHOM_JUDGE_RECORD_JSON_H

#include "base/must_check.h"
#include "judge/record.h"

/* All reports of a text: the last document in it, or when that holds repeats, each of them. What
 * stands before the first brace or between documents is skipped. `file` names it in messages and is
 * kept. -EINVAL with words: no JSON, cut off, no report; -ENOSYS when built without libjansson;
 * -ENOMEM. */
MUST_CHECK int record_parse(const char *text, size_t n, const char *file, struct arena *a,
			    struct record_list *out, struct err *err);

#endif
