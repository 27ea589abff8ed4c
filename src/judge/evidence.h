/* For the finding functions: how one is made and what it is backed by. Not for other folders. */
#ifndef FATHOM_JUDGE_EVIDENCE_H
#define FATHOM_JUDGE_EVIDENCE_H

#include "base/must_check.h"
#include "judge/verdict.h"

/* Looks at one kind of finding and adds it to the verdict, at most once. */
typedef void evidence_find(const struct result *r, const struct result_job *j, struct verdict *v);

/* One table a file; ends with NULL. */
extern evidence_find *const finding_machine_rows[],
	*const finding_work_rows[], *const finding_write_rows[], *const finding_series_rows[];

/* Add a finding, with the severity of its row in base/findings.def. */
MUST_CHECK struct verdict_finding *evidence_add(struct verdict *v, const char *code);
/* Seconds of the run in which it was so. */
void evidence_seconds(struct verdict_finding *f, const struct watched_kind *k);
/* The difference between the whole run and its undisturbed seconds, as words; "" without such
 * seconds. */
void evidence_effect(struct verdict_finding *f, const struct result_job *j);

/* Did the device transfer less of the jobs' bytes than it should have? Not of so few that its other
 * I/O could decide. */
bool evidence_short(const struct result_share *s);

#define EVIDENCE(found, ...) snprintf((found)->evidence, sizeof((found)->evidence), __VA_ARGS__)
#define REMEDY(found, text)  snprintf((found)->remedy, sizeof((found)->remedy), "%s", text)

#endif
