/* ${ENV} and keywords in the option text of job files (compatibility 1.8, 1.9). Inside of conf. */
#ifndef FATHOM_CONF_EXPAND_H
#define FATHOM_CONF_EXPAND_H

#include "base/arena.h"
#include "base/str.h"

/* Append text to out with each ${NAME} replaced by the environment's value, nothing when it is
 * unset. *unset gets the name of the first that is not set (in the arena), else stays. Text without
 * "${...}" is copied. */
void expand_env(const char *text, struct str *out, struct arena *arena, const char **unset);
/* Replace $ncpus, $mb_memory and $pagesize; when one was replaced and the result is plain
 * arithmetic (+ - * / and no
 * '), evaluate it. Appends to out. */
void expand_keywords(const char *text, struct str *out);

#endif
