/* Percentiles from histograms. */
#include "base/rng.h"
#include "judge/bins.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define BEYOND_LEAST 10 /* independent values needed on the thinner side of a percentile */

static double bins_normal(struct rng *r)
{
	double u = 1 - rng_unit(r), v = rng_unit(r);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* Marsaglia and Tsang (2000), for shapes of at least 1. */
static double bins_gamma_draw(struct rng *r, double shape)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

	assert(shape >= 1);
	for (;;) {
		double x = bins_normal(r), v = 1 + c * x;
		if (v <= 0)
			continue;
		v = v * v * v;
		if (log(1 - rng_unit(r)) < 0.5 * x * x + d - d * v + d * log(v))
			return d * v;
	}
}

static double bins_total(const struct record_lat *l)
{
	double sum = 0;

	for (unsigned i = 0; i < l->bins_n; i++)
		sum += l->bin[i].count;
	return sum;
}

/* The value below which a share of all lies; bins are named after their middle, so within one it
 * goes from halfway to the neighbours. */
static double bins_quantile(const struct record_lat *l, double total, double share)
{
	double want = share * total, sum = 0;

	assert(share >= 0 && share <= 1);
	for (unsigned i = 0; i < l->bins_n; i++) {
		double here = l->bin[i].ns, count = l->bin[i].count;
		if (sum + count < want && i + 1 < l->bins_n) {
			sum += count;
			continue;
		}
		double below =
			i ? fmax((l->bin[i - 1].ns + here) / 2, here * (1 - 1.0 / 128)) : here;
		double above = i + 1 < l->bins_n
				       ? fmin((here + l->bin[i + 1].ns) / 2, here * (1 + 1.0 / 128))
				       : here;
		double in = (want - sum) / count;
		return below + (above - below) * (in < 0 ? 0 : in > 1 ? 1 : in);
	}
	return 0;
}

double bins_percentile(const struct record_lat *l, double p)
{
	assert(p >= 0 && p <= 100);
	return l->bins_n ? bins_quantile(l, bins_total(l), p / 100) : 0;
}

static int bins_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The share of values below the sample quantile is distributed as a beta variable. */
static double bins_draw(struct rng *r, const struct record_lat *l, double total, double n, double p)
{
	double x = bins_gamma_draw(r, p * n + 1), y = bins_gamma_draw(r, (1 - p) * n + 1);

	return bins_quantile(l, total, x / (x + y));
}

int bins_ratio(const struct record_lat *a, double spread_a, const struct record_lat *b,
	       double spread_b, double percentile, const struct compare_options *o,
	       struct stats_interval *out)
{
	double p = percentile / 100, ta = bins_total(a), tb = bins_total(b);
	double na = ta / spread_a, nb = tb / spread_b, thin = fmin(p, 1 - p);
	unsigned reps = o->reps ? o->reps : STATS_REPS;
	struct rng rng;

	assert(spread_a > 0 && spread_b > 0 && percentile > 0 && percentile < 100);
	if (!a->bins_n || !b->bins_n || fmin(na, nb) * thin < BEYOND_LEAST)
		return -EINVAL;
	double qa = bins_quantile(a, ta, p), qb = bins_quantile(b, tb, p);
	if (qa <= 0 || qb <= 0)
		return -EINVAL;
	double *t = malloc(reps * sizeof(*t));
	if (!t)
		return -ENOMEM;
	rng_seed(&rng, o->seed);
	for (unsigned i = 0; i < reps; i++)
		t[i] = log(fmax(bins_draw(&rng, b, tb, nb, p), 1e-3) /
			   fmax(bins_draw(&rng, a, ta, na, p), 1e-3));
	struct stats_values all = {t, reps};
	out->se = sqrt(stats_variance(&all));
	out->df = 0;
	out->value = log(qb / qa);
	qsort(t, reps, sizeof(*t), bins_by_value);
	out->low = t[(reps + 1) / 50 - 1];
	out->high = t[reps - (reps + 1) / 50];
	free(t);
	return 0;
}
