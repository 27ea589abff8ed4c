/* Log files: single I/Os, as text at once or later. */
#ifndef FATHOM_LOG_LOGS_IOS_H
#define FATHOM_LOG_LOGS_IOS_H

#include "base/must_check.h"
#include "log/logs.h"
#include "log/logs_write.h"

/* Single I/Os of a job, as logs_write(). hurry: take them without the work of making text of them,
 * which is put off where that can be. */
MUST_CHECK int logs_ios(struct logs *l, unsigned job, const struct log_block *blocks, unsigned n,
			bool hurry);
/* Do some of what was put off; false when there is nothing. */
bool logs_idle(struct logs *l);

#endif
