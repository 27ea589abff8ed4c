/* Null objects: the entries of an engine that has nothing to do or say there, so that no caller
 * tests for NULL. */
#ifndef FATHOM_ENGINE_DEFAULTS_H
#define FATHOM_ENGINE_DEFAULTS_H

#include "base/must_check.h"
#include "engine/engine.h"

MUST_CHECK int default_probe(char *found, size_t size,
			     struct err *err); /* usable, nothing to tell */
MUST_CHECK int default_check(const struct engine_setup *s, struct err *err); /* refuses atomic */
unsigned default_caps(const struct engine_ops *ops, const void *options, unsigned depth);
void default_traits(const void *options, struct engine_traits *out); /* none */
uint64_t default_capacity(const void *options);
MUST_CHECK int default_attach(struct engine *e, unsigned file, struct err *err);
void default_detach(struct engine *e, unsigned file);
uint64_t default_next(const struct engine *e);
void default_cancel(struct engine *e);
void default_close(struct engine *e);

/* The rules of hipri (RWF_HIPRI: direct I/O) and uncached (RWF_DONTCACHE: buffered I/O). */
int default_check_flags(const struct engine_setup *s, bool hipri, bool uncached, struct err *err);

#endif
