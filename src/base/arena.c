#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_LIMIT_DEFAULT ((size_t)256 << 20)
#define ARENA_BLOCK	    ((size_t)64 << 10)

struct arena_block {
	struct arena_block *next;
	size_t size, used;
	unsigned char data[];
};

void arena_init(struct arena *a, size_t limit)
{
	assert(a);
	a->head = NULL;
	a->used = 0;
	a->limit = limit ? limit : ARENA_LIMIT_DEFAULT;
}

void arena_release(struct arena *a)
{
	struct arena_block *b = a->head;

	assert(a);
	while (b) {
		struct arena_block *next = b->next;
		free(b);
		b = next;
	}
	a->head = NULL;
	a->used = 0;
}

/* Memory from the block, or NULL when it has no room. */
static void *arena_block_take(struct arena_block *b, size_t size, size_t align)
{
	uintptr_t at = (uintptr_t)b->data + b->used;
	size_t skip = (size_t)(-at & (align - 1));

	assert((align & (align - 1)) == 0 && b->used <= b->size);
	if (skip > b->size - b->used || size > b->size - b->used - skip)
		return NULL;
	b->used += skip + size;
	return (void *)(at + skip);
}

void *arena_alloc(struct arena *a, size_t size, size_t align)
{
	struct arena_block *b = a->head;

	assert(a->used <= a->limit);
	assert((align & (align - 1)) == 0);
	if (!align)
		align = 16;
	if (size > a->limit - a->used || size > SIZE_MAX / 4 || align > SIZE_MAX / 4)
		return NULL;
	void *p = b ? arena_block_take(b, size, align) : NULL;
	if (!p) {
		size_t room = size + align > ARENA_BLOCK ? size + align : ARENA_BLOCK;
		struct arena_block *fresh = calloc(1, sizeof(*fresh) + room);
		if (!fresh)
			return NULL;
		fresh->size = room;
		p = arena_block_take(fresh, size, align);
		/* The block with more room left stays in front. */
		if (b && b->size - b->used > fresh->size - fresh->used) {
			fresh->next = b->next;
			b->next = fresh;
		} else {
			fresh->next = b;
			a->head = fresh;
		}
	}
	a->used += size;
	return p;
}

void *arena_array(struct arena *a, size_t n, size_t size, size_t align)
{
	size_t total;

	if (__builtin_mul_overflow(n, size, &total))
		return NULL;
	return arena_alloc(a, total, align);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = arena_alloc(a, len + 1, 1);

	assert(s);
	if (p)
		memcpy(p, s, len);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	assert(s);
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;

	assert(a && fmt);
	va_start(ap, fmt);
	va_copy(again, ap);
	int len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *p = len < 0 ? NULL : arena_alloc(a, (size_t)len + 1, 1);
	if (p)
		(void)vsnprintf(p, (size_t)len + 1, fmt, again);
	va_end(again);
	return p;
}
