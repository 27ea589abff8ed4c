/* Compressed logs of fio (log_store_compressed), for --inflate-log. */
#ifndef FATHOM_LOG_INFLATE_H
#define FATHOM_LOG_INFLATE_H

#include "base/err.h"
#include "base/must_check.h"
#include <stdio.h>

/* Print the log at `path` as text. The file is a chain of zlib streams of binary records, as
 * fio 3.33 writes them; records of another layout are refused (-EINVAL) at the first that makes no
 * sense. -ENOTSUP when built without zlib. */
MUST_CHECK int inflate_log(const char *path, FILE *to, struct err *err);

#endif
