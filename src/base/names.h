/* Which of the known words was meant? For messages about words that are not known. Pure; words
 * above 127 bytes are taken as far from everything. */
#ifndef FATHOM_BASE_NAMES_H
#define FATHOM_BASE_NAMES_H

#include <stddef.h>

/* Damerau-Levenshtein distance, capped at `cap`. */
unsigned names_distance(const char *a, const char *b, unsigned cap);
/* Index of the entry of names[0..n) nearest to `word`, -1 when none is within half the length
 * (rounded up, at most 3). */
int names_nearest(const char *word, const char *const *names, size_t n);

#endif
