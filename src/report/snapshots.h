/* The reports of a running run, kept until the end so that the JSON output is one document. They
 * wait in a file without a name, not in memory. Used by one thread. */
#ifndef FATHOM_REPORT_SNAPSHOTS_H
#define FATHOM_REPORT_SNAPSHOTS_H

#include "base/must_check.h"
#include <stdio.h>

struct snapshots {
	FILE *file; /* NULL before the first */
	unsigned n;
};

void snapshots_init(struct snapshots *s);
/* The stream on which to write the next one (a JSON object), with the comma before it; NULL with
 * errno set. */
MUST_CHECK FILE *snapshots_next(struct snapshots *s);
/* Copy all to a stream. 0 or -errno. */
MUST_CHECK int snapshots_copy(struct snapshots *s, FILE *to);
void snapshots_release(struct snapshots *s);

#endif
