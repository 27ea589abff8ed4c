/* I/O buffers: one range per worker, depth x stride. */
#ifndef FATHOM_RUN_MEMORY_H
#define FATHOM_RUN_MEMORY_H

#include "run/worker.h"

/* Fills buffers, buffer_stride, buffer_bytes as mem= and iomem_align= say. -ENOMEM and such with
 * words. */
int memory_get(struct worker *w, struct err *err);
void memory_put(struct worker *w);

#endif
