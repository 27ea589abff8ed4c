/* The private options of a job's engine: carried as text until the engine is known, then checked
 * and typed. Messages go to diag. */
#ifndef FATHOM_CONF_ENGINE_OPTS_H
#define FATHOM_CONF_ENGINE_OPTS_H

#include "base/must_check.h"
#include "conf/schema.h"

/* The engine name of a job without what follows ':' ("external:/path"). */
void engine_opts_engine(const struct job *job, char *buf, size_t size);
/* Check what the job carries for its engine, report what the engine lacks. */
void engine_opts_check(const struct conf_schema *schema, const struct job *job, struct arena *arena,
		       struct diag *diag);
/* The typed options of the job's engine, defaults filled in, from the text the job carries. -EINVAL
 * (messages in diag) or -ENOMEM. */
MUST_CHECK int engine_opts_typed(const struct job *job, const struct conf_engine *engine,
				 struct arena *arena, void **out, struct diag *diag);

#endif
