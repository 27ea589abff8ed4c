/* The operations that are not transfers, done at once through the file descriptor. */
#ifndef FATHOM_ENGINE_FILEOP_H
#define FATHOM_ENGINE_FILEOP_H

#include "engine/engine.h"

/* IO_FSYNC, IO_FDATASYNC, IO_SYNC_RANGE (setup->sync_range_flags), IO_TRIM (BLKDISCARD; -ENOTTY on
 * what is no block device). Blocks. 0 or -errno, the value for io->result. */
int32_t fileop_run(const struct engine *e, const struct io *io);

#endif
