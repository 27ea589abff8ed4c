#include "base/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int series_init(struct series *s, uint64_t period_ns, size_t cap)
{
	if (!period_ns)
		return -EINVAL;
	if (cap < 2)
		cap = 2;
	cap += cap & 1;
	struct series_point *points = calloc(cap, sizeof(*points));
	if (!points)
		return -ENOMEM;
	*s = (struct series){.period_ns = period_ns, .cap = cap, .points = points};
	return 0;
}

void series_release(struct series *s)
{
	free(s->points);
	memset(s, 0, sizeof(*s));
}

static void point_merge(struct series_point *to, const struct series_point *from)
{
	if (!from->n)
		return;
	if (!to->n) {
		*to = *from;
		return;
	}
	to->n += from->n;
	to->sum += from->sum;
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
}

static void series_halve(struct series *s)
{
	for (size_t i = 0; i < s->cap / 2; i++) {
		struct series_point p = s->points[2 * i];
		point_merge(&p, &s->points[2 * i + 1]);
		s->points[i] = p;
	}
	memset(s->points + s->cap / 2, 0, s->cap / 2 * sizeof(*s->points));
	s->n = (s->n + 1) / 2;
	s->period_ns *= 2;
}

void series_add(struct series *s, uint64_t t, double value)
{
	struct series_point p = {.n = 1, .sum = value, .min = value, .max = value};

	while (t / s->period_ns >= s->cap)
		series_halve(s);
	size_t i = (size_t)(t / s->period_ns);
	point_merge(&s->points[i], &p);
	if (i >= s->n)
		s->n = i + 1;
}

double series_mean(const struct series_point *p)
{
	return p->n ? p->sum / (double)p->n : 0;
}
