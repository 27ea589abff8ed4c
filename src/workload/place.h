/* Where in a file the next I/O is. Inside of workload. */
#ifndef FATHOM_WORKLOAD_PLACE_H
#define FATHOM_WORKLOAD_PLACE_H

#include "workload/inner.h"

/* Where and how long the next I/O of direction dir in file is. False: nothing fits any more in this
 * pass. */
bool place_next(struct workload *l, uint16_t file, unsigned dir, struct pick *p);
/* The file has no room for another I/O in this pass. */
static inline bool place_full(const struct workload *l, const struct workload_file *f)
{
	return f->bytes - f->used < l->smallest || f->used > f->bytes;
}

#endif
