/* Does a distribution have two humps with next to nothing between them? Pure. */
#ifndef FATHOM_JUDGE_MODES_H
#define FATHOM_JUDGE_MODES_H

#include "base/hist.h"
#include <stdbool.h>

struct modes {
	uint64_t low, high; /* where the two humps are highest */
	double share;	    /* of the values that belong to the lower one, 0..1 */
};
/* False when there are no two: of both sides of the valley there must be at least a twentieth of
 * the values, and the valley must be ten times lower than the smaller hump. Fewer than a thousand
 * values have no humps to speak of. */
bool modes_find(const struct hist *h, struct modes *out);

#endif
