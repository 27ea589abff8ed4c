/* --tune: the machine as a run wants it, for as long as the run takes. */
#ifndef FATHOM_CMD_TUNED_H
#define FATHOM_CMD_TUNED_H

#include "base/must_check.h"
#include "cmd/cmd.h"
#include <signal.h>

struct journal;
struct tuned {
	struct arena arena;	 /* of the list */
	struct journal *journal; /* NULL: nothing is changed */
	int latency;		 /* descriptor that keeps CPUs awake, -1 none */
	struct result_tuned *list;
	unsigned n;
	sigset_t before;
	bool on;
};

/* Gives back what killed runs have left, then changes what the jobs of the plan profit from. The
 * caller holds the signals that would end the process until after tuned_end. -errno with words in
 * s->diag, and nothing is changed, when this process may not. */
MUST_CHECK int tuned_begin(struct tuned *t, struct session *s, const struct plan *plan);
/* Gives everything back; what cannot be is a warning. Call it after tuned_begin succeeded. */
void tuned_end(struct tuned *t, struct session *s);
/* Frees the list. */
void tuned_release(struct tuned *t);

#endif
