/* The engines of this build. Const data, safe from any thread; nothing here has to be freed. */
#ifndef FATHOM_ENGINE_REGISTRY_H
#define FATHOM_ENGINE_REGISTRY_H

#include "engine/engine.h"

/* All engines in the order of --enghelp, entries complete (no NULL function); n may not be NULL. */
const struct engine_ops *const *engine_list(unsigned *n);
const struct engine_ops *engine_find(const char *name); /* NULL when unknown */
/* Engines of fio that are not here (yet): true and why, for messages. */
bool engine_known_elsewhere(const char *name);
/* The value of an engine's option by name, of the row's C type; NULL when the engine has no such
 * option. */
const void *engine_option(const struct engine_ops *ops, const void *options, const char *name);

#endif
