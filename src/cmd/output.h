/* Where the reports of a run go, and the live line. Implements the hooks of run. */
#ifndef FATHOM_CMD_OUTPUT_H
#define FATHOM_CMD_OUTPUT_H

#include "base/must_check.h"
#include "base/newfile.h"
#include "cmd/cmd.h"
#include "live/follow.h"
#include "report/format.h"
#include "log/logs.h"
#include "report/snapshots.h"
#include "report/status.h"
#include "run/run.h"

struct output {
	const struct cmdline *cl;
	FILE *to;	     /* report stream */
	struct newfile file; /* that of --output until it has its name */
	bool normal;	     /* the normal format is among those asked for */
	bool live;	     /* show the status line */
	bool line_open;	     /* a status line stands on the terminal */
	bool tty;
	struct status_line status;
	uint64_t next_newline;
	unsigned snapshots_n;
	struct snapshots kept;
	struct format_options fo;
	struct logs *logs;
	struct follow *follow; /* NULL: nobody follows; not owned */
	int error;	       /* first error of the report stream */
};

/* Opens --output. A report is written under another name (base/newfile) until output_close, unless
 * it is one that is read while it grows: JSON lines, and reports of the running state in words.
 * -errno with words. */
MUST_CHECK int output_open(struct output *o, const struct cmdline *cl, struct err *err);
/* A report that could not be written does not take its name, and is an error. */
void output_close(struct output *o, struct diag *diag);
/* Job lines, in the order of the plan; clones are "...". The first job says in which units the live
 * line speaks. */
void output_job_lines(struct output *o, const struct plan *p);
void output_result(struct output *o, const struct result *r);
/* Say which repeat comes, and forget the snapshots of the one before. */
void output_next_repeat(struct output *o, unsigned n);
void output_hooks(struct output *o, struct run_hooks *hooks);
uint64_t output_progress_period(const struct output *o);

#endif
