/* Folders of a path: find, make, remove. Cold calls of planning and layout, safe from any thread as
 * long as no two work on the same folders. */
#ifndef FATHOM_TARGET_PATH_H
#define FATHOM_TARGET_PATH_H

#include "base/must_check.h"
#include "target/sys.h"

/* The real path of the deepest folder above path that exists; malloc'ed. NULL when there is none or
 * no memory. */
MUST_CHECK char *path_existing_folder(const char *path);
/* Make the missing folders above path with mode 0700. *made: how many of the innermost ones are
 * ours. -errno; the ones made are removed again then. */
MUST_CHECK int path_make_folders(const struct sys_ops *sys, const char *path, unsigned *made);
/* Remove the n innermost folders above path; stops at the first that is not empty. */
void path_remove_folders(const struct sys_ops *sys, const char *path, unsigned n);

#endif
