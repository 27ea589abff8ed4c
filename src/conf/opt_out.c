#include "conf/opt_out.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void opt_out_printf(struct opt_out *o, const char *fmt, ...)
{
	va_list ap;

	assert(!o->size || o->len < o->size);
	if (o->len + 1 >= o->size)
		return;
	va_start(ap, fmt);
	int n = vsnprintf(o->buf + o->len, o->size - o->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		o->len = o->len + (size_t)n < o->size ? o->len + (size_t)n : o->size - 1;
}

void opt_out_double(struct opt_out *o, double v)
{
	char text[40];

	snprintf(text, sizeof(text), "%.15g", v);
	if (strtod(text, NULL) != v)
		snprintf(text, sizeof(text), "%.17g", v);
	opt_out_printf(o, "%s", text);
}
