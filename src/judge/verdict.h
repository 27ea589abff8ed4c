/* Can this number be believed, what disturbed it, by how much, and what to do about it. Pure
 * functions over a result.
 *
 * A finding is one function and one row in verdict.c; docs/verdicts.md explains each code. Codes
 * are stable words.
 */
#ifndef FATHOM_JUDGE_VERDICT_H
#define FATHOM_JUDGE_VERDICT_H

#include "result/result.h"

enum severity { SEVERITY_NOTE, SEVERITY_DISTURBED, SEVERITY_INVALID };
const char *severity_word(enum severity s); /* "note", "disturbed", "invalid" */

struct finding {
	const char *code;
	enum severity severity;
	char evidence[400]; /* what was seen, with numbers */
	char effect[160];   /* on mean and p99, or in general; "" unknown */
	bool general; /* the effect is what such a thing commonly does, not what was seen here */
	char seconds[96]; /* "3, 7-9" of the run's clock; "" not tied to seconds */
	char remedy[240];
};

#define FINDINGS_MAX 32
struct verdict {
	const char *word; /* "quiet", "disturbed", "invalid"; "none" for a job that did not run */
	struct finding v[FINDINGS_MAX];
	unsigned n;
};

void verdict_judge(const struct result *r, const struct result_job *j, struct verdict *out);

/* For the finding functions. */
struct finding *verdict_add(struct verdict *v, const char *code, enum severity s);
void finding_seconds(struct finding *f, const struct watched_kind *k);
/* The difference between the whole run and its undisturbed seconds, as words; "" without such
 * seconds. */
void finding_effect(struct finding *f, const struct result_job *j);

/* finding_machine.c */
void find_cpu(const struct result *r, const struct result_job *j, struct verdict *v);
void find_preempted(const struct result *r, const struct result_job *j, struct verdict *v);
void find_steal(const struct result *r, const struct result_job *j, struct verdict *v);
void find_interrupts(const struct result *r, const struct result_job *j, struct verdict *v);
void find_other_io(const struct result *r, const struct result_job *j, struct verdict *v);
void find_iowq(const struct result *r, const struct result_job *j, struct verdict *v);
void find_frequency(const struct result *r, const struct result_job *j, struct verdict *v);
void find_stopped(const struct result *r, const struct result_job *j, struct verdict *v);
void find_memory(const struct result *r, const struct result_job *j, struct verdict *v);
void find_thermal(const struct result *r, const struct result_job *j, struct verdict *v);
void find_remote(const struct result *r, const struct result_job *j, struct verdict *v);
void find_clock(const struct result *r, const struct result_job *j, struct verdict *v);

/* finding_work.c */
void find_polling(const struct result *r, const struct result_job *j, struct verdict *v);
void find_page_cache(const struct result *r, const struct result_job *j, struct verdict *v);
void find_unwritten(const struct result *r, const struct result_job *j, struct verdict *v);
void find_depth(const struct result *r, const struct result_job *j, struct verdict *v);
void find_rate(const struct result *r, const struct result_job *j, struct verdict *v);
void find_samples(const struct result *r, const struct result_job *j, struct verdict *v);
void find_short(const struct result *r, const struct result_job *j, struct verdict *v);
void find_span(const struct result *r, const struct result_job *j, struct verdict *v);
void find_tool(const struct result *r, const struct result_job *j, struct verdict *v);
void find_saturation(const struct result *r, const struct result_job *j, struct verdict *v);
void find_mixed(const struct result *r, const struct result_job *j, struct verdict *v);

/* finding_series.c */
void find_steady(const struct result *r, const struct result_job *j, struct verdict *v);
void find_ramp(const struct result *r, const struct result_job *j, struct verdict *v);

/* finding_write.c */
void find_write_cache(const struct result *r, const struct result_job *j, struct verdict *v);
void find_write_missed(const struct result *r, const struct result_job *j, struct verdict *v);

#endif
