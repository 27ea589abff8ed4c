/* Adding, merging and copying timelines. */
#include "result/timeline.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void timeline_point_add(struct timeline_point *to, const struct timeline_point *from)
{
	for (unsigned d = 0; d < DIRS; d++) {
		to->ios[d] += from->ios[d];
		to->bytes[d] += from->bytes[d];
		to->lat_n[d] += from->lat_n[d];
		to->lat_sum[d] += from->lat_sum[d];
	}
}

/* A last step without a partner is given up: it would stand for half the time of the others. */
static void timeline_halve(struct timeline *t)
{
	assert(t->n <= TIMELINE_POINTS && t->period_ns);
	for (unsigned i = 0; i < t->n / 2; i++) {
		struct timeline_point p = t->point[2 * i];
		timeline_point_add(&p, &t->point[2 * i + 1]);
		t->point[i] = p;
	}
	t->n /= 2;
	t->period_ns *= 2;
}

void timeline_add(struct timeline *t, const struct timeline_point *p)
{
	assert(t->point && t->n < TIMELINE_POINTS);
	t->point[t->n++] = *p;
	if (t->n == TIMELINE_POINTS)
		timeline_halve(t);
}

int timeline_copy(struct timeline *to, const struct timeline *from)
{
	assert(to != from && from->n <= TIMELINE_POINTS);
	*to = (struct timeline){0};
	if (!from->n)
		return 0;
	to->point = calloc(TIMELINE_POINTS, sizeof(*to->point));
	if (!to->point)
		return -ENOMEM;
	memcpy(to->point, from->point, from->n * sizeof(*to->point));
	to->n = from->n;
	to->period_ns = from->period_ns;
	return 0;
}

static void timeline_add_shifted(struct timeline *to, const struct timeline *from, int64_t shift_ns)
{
	uint64_t period = to->period_ns, late = shift_ns > 0 ? (uint64_t)shift_ns : 0;
	unsigned shift = late / period < TIMELINE_POINTS ? (unsigned)((late + period / 2) / period)
							 : TIMELINE_POINTS;

	assert(to->period_ns == from->period_ns && to->period_ns);
	for (unsigned i = 0; i < from->n && i + shift < TIMELINE_POINTS; i++) {
		while (to->n <= i + shift)
			memset(&to->point[to->n++], 0, sizeof(*to->point));
		timeline_point_add(&to->point[i + shift], &from->point[i]);
	}
}

int timeline_merge(struct timeline *to, const struct timeline *from, int64_t shift_ns)
{
	struct timeline other;

	assert(to != from);
	if (!from->n)
		return 0;
	if (!to->n) {
		timeline_release(to);
		return timeline_copy(to, from);
	}
	if (timeline_copy(&other, from))
		return -ENOMEM;
	while (to->period_ns < other.period_ns)
		timeline_halve(to);
	while (other.period_ns < to->period_ns)
		timeline_halve(&other);
	/* What began much later needs longer steps to fit. */
	while (shift_ns > 0 && other.n &&
	       (uint64_t)shift_ns / to->period_ns + 1 + other.n > TIMELINE_POINTS) {
		timeline_halve(to);
		timeline_halve(&other);
	}
	timeline_add_shifted(to, &other, shift_ns);
	timeline_release(&other);
	return 0;
}

void timeline_release(struct timeline *t)
{
	free(t->point);
	*t = (struct timeline){0};
}
