/* What the devices of a job counted during a run, beside what its workers counted: bytes,
 * interrupts of polled I/O. Numbers only; judge decides what they mean. Called once by the
 * supervising thread after the results are built.
 */
#ifndef FATHOM_RUN_DEVICE_SHARE_H
#define FATHOM_RUN_DEVICE_SHARE_H

#include "run/pool.h"

/* Fills device_reads, device_writes, write_back, device_bytes and poll of the jobs; what cannot be
 * read stays 0. */
void device_share_record(struct pool *c, struct result *out);

#endif
