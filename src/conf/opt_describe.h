/* What an option takes, in words, for help and for messages about a wrong value. */
#ifndef FATHOM_CONF_OPT_DESCRIBE_H
#define FATHOM_CONF_OPT_DESCRIBE_H

#include "conf/option.h"

/* "int, 1-65536, default 1", cut off at size. */
void opt_describe(const struct opt_row *row, char *buf, size_t size);

#endif
