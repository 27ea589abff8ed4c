/* What an option does to another one, and checks of text inside a value. Inside of conf. */
#ifndef FATHOM_CONF_RULES_H
#define FATHOM_CONF_RULES_H

#include "base/must_check.h"
#include "conf/job.h"

/* Called after `opt` got a value. 0 or a negative errno with words. */
MUST_CHECK int rules_option_effects(struct job *job, enum job_opt opt, struct arena *arena,
				    struct err *err);

#endif
