/* A bounded text under construction: what the printers of all types of options append to. Inside of
 * conf. What does not fit is cut off. */
#ifndef FATHOM_CONF_OPT_OUT_H
#define FATHOM_CONF_OPT_OUT_H

#include <stddef.h>

struct opt_out {
	char *buf;
	size_t size, len;
};

void opt_out_printf(struct opt_out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A double in the shortest form that reads back equal. */
void opt_out_double(struct opt_out *o, double v);

#endif
