/* A list of names, each once. It grows in the arena that is given and lives as long; begin with an
 * empty struct. -errno leaves it as it was. */
#ifndef FATHOM_HOST_LIST_H
#define FATHOM_HOST_LIST_H

#include "base/arena.h"
#include "base/must_check.h"
#include "host/host.h"

struct host_names {
	const char **v; /* owned by the arena that was given, as are the words */
	unsigned n;
};

/* Append a copy of name unless it is there already. -ENOMEM. */
MUST_CHECK int host_names_add(struct host_names *l, struct arena *a, const char *name);
bool host_names_has(const struct host_names *l, const char *name);
/* Append the entries of a folder in byte order, without those that begin with a dot. -errno
 * (-ENOENT). */
MUST_CHECK int host_list_dir(const struct host *h, struct arena *a, struct host_names *out,
			     const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
