/* exec_prerun and exec_postrun; output goes to NAME.WHEN.txt. */
#ifndef FATHOM_RUN_COMMANDS_H
#define FATHOM_RUN_COMMANDS_H

#include "base/must_check.h"
#include "worker/worker.h"

/* With `ends` a stop of the job ends the command too: -EINTR. */
MUST_CHECK int run_command(const struct worker *w, const char *command, const char *when, bool ends,
			   struct err *err);

#endif
