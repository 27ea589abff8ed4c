/* The tables of the engines, from engines.def, for registry.c and for tests that want one of them.
 * All others ask the registry. */
#ifndef FATHOM_ENGINE_TABLES_H
#define FATHOM_ENGINE_TABLES_H

#include "engine/engine.h"

#define ENGINE(symbol) extern const struct engine_ops engine_##symbol;
#define KNOWN(name, library)
#include "engine/engines.def"
#undef ENGINE
#undef KNOWN

#endif
