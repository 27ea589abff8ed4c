/* What of the doctor's advice can be done and undone: settings to turn, and what only a person can
 * do. docs/tune.md explains it. */
#ifndef FATHOM_DOCTOR_TUNE_H
#define FATHOM_DOCTOR_TUNE_H

#include "base/must_check.h"
#include "host/journal.h"
#include "doctor/doctor.h"

enum tune_outcome {
	TUNE_WANTED,
	TUNE_DONE,
	TUNE_KEPT,  /* the kernel does not let it be changed: managed interrupts */
	TUNE_FAILED /* words tell */
};

struct tune_item {
	const char *code, *title, *subject, *effect; /* of the doctor's finding */
	const char *path, *want;
	const char *now; /* what is in force */
	enum tune_outcome outcome;
	const char *words;
};
/* Said, not done. */
struct tune_remark {
	const char *code, *subject, *text;
	const char *remedy; /* lines, may be "" */
};
/* A disk that must not be touched. */
struct tune_refusal {
	const char *disk;
	const char *what; /* "holds the root file system" */
};

struct tune_plan {
	struct tune_item *item; /* in the order they have to be done */
	unsigned items;
	struct tune_remark *remark;
	unsigned remarks;
	struct tune_refusal *refusal;
	unsigned refusals;
	struct doctor_module *module; /* each line once */
	unsigned modules;
	bool sleeps; /* CPUs sleep so deeply that their idle states should be held for a run */
};

/* What the doctor would have changed; settings of refused disks are left out. Only reads. All of it
 * lives in the arena. -ENODEV: no such device; -ENOMEM. */
MUST_CHECK int tune_make(const struct doctor_input *in, struct arena *a, struct tune_plan *out);
/* Turn every attribute, each through the journal, whatever becomes of the others. How many failed.
 */
unsigned tune_apply(struct tune_plan *t, const struct host *h, struct journal *j, struct arena *a);

#endif
