/* The tables of the engines, one file each, for registry.c and for tests that want one of them. All
 * others ask the registry. */
#ifndef FATHOM_ENGINE_TABLES_H
#define FATHOM_ENGINE_TABLES_H

#include "engine/engine.h"

extern const struct engine_ops engine_psync, engine_sync, engine_vsync, engine_pvsync,
	engine_pvsync2;
extern const struct engine_ops engine_libaio, engine_io_uring, engine_mmap, engine_posixaio;
extern const struct engine_ops engine_null, engine_sim;

#endif
