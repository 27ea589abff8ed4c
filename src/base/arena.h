/* Memory with one lifetime: allocate many, release all. Not thread safe. A limit at birth bounds
 * it. */
#ifndef FATHOM_BASE_ARENA_H
#define FATHOM_BASE_ARENA_H

#include "base/must_check.h"
#include <stddef.h>

struct arena_block;
struct arena {
	struct arena_block *head;
	size_t used, limit;
};

/* limit in bytes, 0: 256 MiB. */
void arena_init(struct arena *a, size_t limit);
void arena_release(struct arena *a);
/* Zeroed memory aligned to `align` (power of two, 0: 16). NULL when over the limit or out of
 * memory. */
MUST_CHECK void *arena_alloc(struct arena *a, size_t size, size_t align);
MUST_CHECK char *arena_strdup(struct arena *a, const char *s);
MUST_CHECK char *arena_strndup(struct arena *a, const char *s, size_t n);
MUST_CHECK char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* n elements of `size` bytes; NULL also when the product overflows. */
MUST_CHECK void *arena_array(struct arena *a, size_t n, size_t size, size_t align);
#define arena_new(a, type, n) ((type *)arena_array((a), (size_t)(n), sizeof(type), _Alignof(type)))

#endif
