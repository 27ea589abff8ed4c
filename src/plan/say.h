/* Inside of plan: messages about a draft, its reasons, and memory for the plan. */
#ifndef FATHOM_PLAN_SAY_H
#define FATHOM_PLAN_SAY_H

#include "base/must_check.h"
#include "plan/build.h"

/* messages with the place of an option (OPT_COUNT: of the section). The same words are said
 * once a job. */
void draft_error(struct draft *d, enum err_class cls, const char *code, enum job_opt opt,
		 const char *remedy, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void draft_warn(struct draft *d, const char *code, enum job_opt opt, const char *remedy,
		const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* An error already in words. */
void draft_err(struct draft *d, const char *code, enum job_opt opt, const struct err *e);
/* Why an effective value differs from the declared one. */
void draft_reason(struct draft *d, enum job_opt opt, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Was something with this code said about the job already? */
bool draft_told(const struct draft *d, const char *code);
/* Was the option given, in [global] or here; in the job's own section? */
bool draft_given(const struct draft *d, enum job_opt opt);
bool draft_own(const struct draft *d, const char *name);
/* Memory from the arena; the builder remembers a failure. */
MUST_CHECK void *build_alloc(struct builder *b, size_t size);
/* An array grown to hold at least n + 1 elements. */
MUST_CHECK void *build_grow(struct builder *b, void *old, unsigned n, unsigned *room,
			    size_t element);

#endif
