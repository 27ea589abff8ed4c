/* A bounded time series: values gathered in windows of one length that tile the time from 0 on.
 * When a value falls beyond the last window there is room for, neighbours are merged two by two and
 * the windows become twice as long, so that a run of any length keeps between half the cap and the
 * cap of points. Single writer.
 */
#ifndef FATHOM_BASE_SERIES_H
#define FATHOM_BASE_SERIES_H

#include <stddef.h>
#include <stdint.h>

struct series_point {
	uint64_t n;	      /* values in the window; the others are 0 without any */
	double sum, min, max; /* of the values */
};

struct series {
	uint64_t period_ns; /* length of a window; doubles */
	size_t cap;	    /* even */
	size_t n;	    /* points used: 1 + the last window that has a value */
	struct series_point *points;
};

/* period_ns >= 1; cap: most points, rounded up to an even number >= 2. -EINVAL, -ENOMEM. All memory
 * is taken here. */
int series_init(struct series *s, uint64_t period_ns, size_t cap);
void series_release(struct series *s);
/* Add a value at t ns. Any order of times. */
void series_add(struct series *s, uint64_t t, double value);
/* Mean of the values in a window, 0 without any. */
double series_mean(const struct series_point *p);

#endif
