/* The engines of this build. Const data, safe from any thread; nothing here has to be freed. */
#ifndef FATHOM_ENGINE_REGISTRY_H
#define FATHOM_ENGINE_REGISTRY_H

#include "engine/engine.h"

/* All engines in the order of --enghelp, entries complete (no NULL function); n may not be NULL. */
const struct engine_ops *const *engine_list(unsigned *n);
const struct engine_ops *engine_find(const char *name); /* NULL when unknown */
/* The one that replaces all others for `explain --simulate`; NULL when this build has none. */
const struct engine_ops *engine_simulator(void);
/* For an engine of fio that is not built: the library it would need, "" when none; else NULL. */
const char *engine_not_built(const char *name);
/* Is the switch on that the need is about? One of the engine itself always applies. */
bool engine_need_applies(const struct engine_ops *ops, const void *options,
			 const struct engine_need *need);

#endif
