/* Can this number be believed, what disturbed it, by how much, and what to do about it. Pure
 * functions over a result.
 *
 * A finding is one function, one row in the table of its file (finding_*.c) and one in
 * base/findings.def, from which docs/verdicts.md is generated. Codes are stable words.
 */
#ifndef FATHOM_JUDGE_VERDICT_H
#define FATHOM_JUDGE_VERDICT_H

#include "base/finding.h"
#include "result/result.h"

/* The texts of a finding lie beside it: f points to them once the verdict is made. */
struct verdict_finding {
	struct finding f;
	char evidence[400];
	char effect[160]; /* on mean and p99; "": that of the table */
	char seconds[96];
	char remedy[240]; /* "": that of the table */
};

#define FINDINGS_MAX 32
/* Every finding is made at most once a job. */
_Static_assert(FINDING_KINDS_OF_RUN <= FINDINGS_MAX, "room for each kind of finding");

/* Not to be copied: its findings point into it. */
struct verdict {
	const char *word; /* "quiet", "disturbed", "invalid"; "none" for a job that did not run */
	struct verdict_finding v[FINDINGS_MAX]; /* the worst first */
	unsigned n;
};

void verdict_judge(const struct result *r, const struct result_job *j, struct verdict *out);

#endif
