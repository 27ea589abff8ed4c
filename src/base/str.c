#include "base/str.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STR_MAX_DEFAULT ((size_t)64 << 20)

static const char str_nothing[1] =
	""; /* what an empty string without memory points to; never written */

void str_init(struct str *s, size_t max)
{
	s->s = (char *)(uintptr_t)str_nothing;
	s->len = s->room = 0;
	s->max = max ? max : STR_MAX_DEFAULT;
	s->bad = false;
}

void str_release(struct str *s)
{
	if (s->room)
		free(s->s);
	str_init(s, s->max);
}

void str_clear(struct str *s)
{
	s->len = 0;
	s->bad = false;
	if (s->room)
		s->s[0] = '\0';
}

/* Room for `more` bytes and the terminator; false and bad when that cannot be. */
static bool str_reserve(struct str *s, size_t more)
{
	assert(s->len <= s->max && (!s->room || s->len < s->room));
	if (s->bad)
		return false;
	if (more > s->max - s->len) {
		s->bad = true;
		return false;
	}
	size_t need = s->len + more + 1;
	if (need <= s->room)
		return true;
	size_t room = s->room ? s->room : 64;
	while (room < need)
		room *= 2;
	char *p = realloc(s->room ? s->s : NULL, room);
	if (!p) {
		s->bad = true;
		return false;
	}
	p[s->len] = '\0';
	s->s = p;
	s->room = room;
	return true;
}

void str_addn(struct str *s, const char *text, size_t n)
{
	assert(text || !n);
	if (n == 0 || !str_reserve(s, n))
		return;
	memcpy(s->s + s->len, text, n);
	s->len += n;
	s->s[s->len] = '\0';
}

void str_add(struct str *s, const char *text)
{
	assert(text);
	str_addn(s, text, strlen(text));
}

void str_addc(struct str *s, char c)
{
	str_addn(s, &c, 1);
}

void str_printf(struct str *s, const char *fmt, ...)
{
	va_list ap, again;

	assert(fmt);
	va_start(ap, fmt);
	va_copy(again, ap);
	size_t left = s->room ? s->room - s->len : 0;
	int len = vsnprintf(left ? s->s + s->len : NULL, left, fmt, ap);
	va_end(ap);
	if (left)
		s->s[s->len] = '\0'; /* undo a partial or refused print */
	if (len < 0) {
		s->bad = true;
	} else if (len > 0 && str_reserve(s, (size_t)len)) {
		(void)vsnprintf(s->s + s->len, (size_t)len + 1, fmt, again);
		s->len += (size_t)len;
	}
	va_end(again);
}
