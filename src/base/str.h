/* A growing string with a maximum at birth. On overflow or lack of memory it is marked bad and
 * stays as it is. */
#ifndef FATHOM_BASE_STR_H
#define FATHOM_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

struct str {
	char *s; /* always terminated; "" when empty, never NULL after str_init */
	size_t len, room, max;
	bool bad;
};

/* max: the most bytes it may hold without the terminator, 0: 64 MiB. */
void str_init(struct str *s, size_t max);
void str_release(struct str *s);
/* Empty and good again; the memory is kept. */
void str_clear(struct str *s);
void str_add(struct str *s, const char *text);
void str_addn(struct str *s, const char *text, size_t n);
void str_addc(struct str *s, char c);
void str_printf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
