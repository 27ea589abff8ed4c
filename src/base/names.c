#include "base/names.h"

#include <assert.h>
#include <string.h>

#define NAMES_LENGTH_MAX 127u /* longer words are taken as far from everything */

static unsigned names_min2(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: insert, delete, replace, swap of neighbours; each place edited once. */
unsigned names_distance(const char *a, const char *b, unsigned cap)
{
	unsigned rows[3][NAMES_LENGTH_MAX + 1];
	size_t la = strlen(a), lb = strlen(b);
	size_t gap = la > lb ? la - lb : lb - la;

	if (gap >= cap || la > NAMES_LENGTH_MAX || lb > NAMES_LENGTH_MAX)
		return strcmp(a, b) == 0 ? 0 : cap;
	for (unsigned j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (unsigned i = 1; i <= la; i++) {
		unsigned *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
		row[0] = i;
		for (unsigned j = 1; j <= lb; j++) {
			unsigned d = up[j - 1] + (a[i - 1] != b[j - 1]);
			d = names_min2(d, names_min2(up[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d = names_min2(d, up2[j - 2] + 1);
			row[j] = d;
		}
	}
	return names_min2(rows[la % 3][lb], cap);
}

int names_nearest(const char *word, const char *const *names, size_t n)
{
	size_t len = strlen(word);
	unsigned limit = len >= 6 ? 3 : (unsigned)(len + 1) / 2;
	unsigned best = limit + 1;
	int at = -1;

	assert(names || !n);
	for (size_t i = 0; i < n; i++) {
		unsigned d = names_distance(word, names[i], best);
		if (d < best) {
			best = d;
			at = (int)i;
		}
	}
	return at;
}
