/* What repeats of a run say together. */
#ifndef FATHOM_REPORT_REPEATS_H
#define FATHOM_REPORT_REPEATS_H

#include "judge/repeat.h"
#include "report/jsonw.h"

/* A block of text for people. */
void repeats_print(const struct repeat_summary *s, FILE *to);
/* The member "repeat" of what is open. */
void repeats_json(struct jsonw *w, const struct repeat_summary *s);

#endif
