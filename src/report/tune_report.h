/* What tuning would change, has changed or has given back, as text and as JSON. */
#ifndef FATHOM_REPORT_TUNE_REPORT_H
#define FATHOM_REPORT_TUNE_REPORT_H

#include "base/must_check.h"
#include "host/journal_undo.h"
#include "doctor/tune.h"
#include <stdio.h>

/* A change of before, and what became of it. */
struct tune_state {
	const char *path, *from, *to;
	const char *now; /* "" when it is gone */
	bool gone;	 /* it cannot be read any more: its device was taken away */
	bool foreign;	 /* somebody else changed it since */
};

struct tune_report {
	const char *action; /* "dry-run", "apply", "restore", "status" */
	const char *version, *kernel;
	const struct tune_plan *plan;	/* dry-run, apply; else NULL */
	const char *modprobe;		/* file that was written, NULL none */
	const struct tune_state *state; /* status: all; restore: what was given back */
	unsigned states;
	const struct journal_report *undo; /* restore; else NULL */
};

/* 0 or -EIO. */
MUST_CHECK int tune_print_text(FILE *to, const struct tune_report *r);
/* {"version", "kernel", "action", "changes": [{"file", "from", "to", ...}], ...}: docs/tune.md. */
MUST_CHECK int tune_print_json(FILE *to, const struct tune_report *r);

#endif
