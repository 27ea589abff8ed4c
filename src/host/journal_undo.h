/* Taking changes to the machine back, from the journal (journal.h). */
#ifndef FATHOM_HOST_JOURNAL_UNDO_H
#define FATHOM_HOST_JOURNAL_UNDO_H

#include "base/must_check.h"
#include "host/journal.h"

struct journal_report {
	unsigned undone;  /* changes taken back, or found to be so */
	unsigned foreign; /* left alone: somebody else changed it since */
	unsigned failed;  /* the kernel refused */
	unsigned owners;  /* journals of processes that are gone (journal_recover) */
	struct str words; /* a line for each that was left, unless it was said before */
};

void journal_report_init(struct journal_report *r);
void journal_report_release(struct journal_report *r);
/* Take back everything, the last change first. What cannot be taken back stays in the journal; 0
 * also then. r (may be NULL) is added to. -errno: the journal itself cannot be written. */
MUST_CHECK int journal_undo(struct journal *j, struct journal_report *r);
/* The same for all processes that are gone. 0 also when there are none; -EACCES. */
MUST_CHECK int journal_recover(const struct host *h, struct journal_report *r);

#endif
