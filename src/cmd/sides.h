/* Reports on the command line: FILE, FILE,FILE (repeats), a folder or a pattern. */
#ifndef FATHOM_CMD_SIDES_H
#define FATHOM_CMD_SIDES_H

#include "base/must_check.h"
#include "judge/compare.h"

/* All reports a word names, one configuration: repeats of each other. -errno with words; at least
 * one run otherwise. */
MUST_CHECK int side_read(const char *word, struct arena *a, struct compare_side *out,
			 struct err *err);

#endif
