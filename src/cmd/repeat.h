/* Repeats of a run and its comparison with a baseline: what is kept from one run to the next. */
#ifndef FATHOM_CMD_REPEAT_H
#define FATHOM_CMD_REPEAT_H

#include "base/must_check.h"
#include "cmd/output.h"
#include "judge/repeat.h"

#define EXIT_SLOWER 5

struct repeater {
	const struct cmdline *cl;
	struct arena arena; /* records */
	const struct record **run;
	unsigned n, most;
	uint64_t elapsed_ns;	  /* of all repeats */
	struct compare_side base; /* of --baseline; n 0: none */
	struct repeat_summary summary;
	struct comparison comparison;
	struct snapshots kept; /* JSON of the repeats */
	bool compared, refused;
	bool enough; /* set by the caller: somebody wants it to end */
};

/* Reads the baseline, so that a bad one is noticed before the run. -errno with words. */
MUST_CHECK int repeater_open(struct repeater *p, const struct cmdline *cl, struct err *err);
void repeater_close(struct repeater *p);
/* Take a result in; true when another run has to follow. Sets what the output has to say of all of
 * them when none has. */
bool repeater_add(struct repeater *p, const struct result *r, struct output *o, struct diag *diag);
/* What normal output says at the end. */
void repeater_print(const struct repeater *p, struct output *o);
/* 0, 1 when the baseline has other options, EXIT_SLOWER. */
int repeater_status(const struct repeater *p);

#endif
