/* Mann and Kendall's trend, Pettitt's change of level. */
#include "judge/trend.h"
#include "judge/student.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int trend_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int trend_sign(double d)
{
	return (d > 0) - (d < 0);
}

/* How much wider sums of ranks spread than those of independent values. */
static double trend_inflation(const double *v, unsigned n)
{
	struct stats_values x = {v, n};
	double rho = stats_rho(&x);

	assert(n >= 2);
	return (1 + rho) / (1 - rho);
}

static double trend_normal_p(double z)
{
	return erfc(fabs(z) / M_SQRT2);
}

static double trend_median_slope(const struct stats_values *x, double *slopes)
{
	size_t n = 0;

	assert(x->n >= 2);
	for (unsigned i = 0; i < x->n; i++)
		for (unsigned k = i + 1; k < x->n; k++)
			slopes[n++] = (x->v[k] - x->v[i]) / (k - i);
	qsort(slopes, n, sizeof(*slopes), trend_by_value);
	return n % 2 ? slopes[n / 2] : (slopes[n / 2 - 1] + slopes[n / 2]) / 2;
}

/* Pairs of equal values say nothing. */
static double trend_ties(double *sorted, unsigned n)
{
	double sum = 0;

	qsort(sorted, n, sizeof(*sorted), trend_by_value);
	for (unsigned i = 0, run; i < n; i += run) {
		for (run = 1; i + run < n && sorted[i + run] <= sorted[i]; run++)
			;
		sum += (double)run * (run - 1.0) * (2.0 * run + 5);
	}
	return sum;
}

int trend_find(const struct stats_values *x, struct trend *out)
{
	double n = x->n, s = 0;

	if (x->n < STATS_LEAST)
		return -EINVAL;
	double *work = malloc(((size_t)x->n * (x->n - 1) / 2 + x->n) * sizeof(*work));
	if (!work)
		return -ENOMEM;
	out->slope = trend_median_slope(x, work);
	for (unsigned i = 0; i < x->n; i++)
		for (unsigned k = i + 1; k < x->n; k++)
			s += trend_sign(x->v[k] - x->v[i]);
	for (unsigned i = 0; i < x->n; i++)
		work[i] = x->v[i] - out->slope * i;
	double grow = trend_inflation(work, x->n);
	for (unsigned i = 0; i < x->n; i++)
		work[i] = x->v[i];
	double variance = (n * (n - 1) * (2 * n + 5) - trend_ties(work, x->n)) / 18;
	out->p = variance > 0 ? trend_normal_p((s - trend_sign(s)) / sqrt(variance * grow)) : 1;
	free(work);
	return 0;
}

/* max over t of |sum over i < t <= k of trend_sign(x_k - x_i)|; *at gets the t. */
static double trend_pettitt(const struct stats_values *x, unsigned *at)
{
	double u = 0, most = 0;

	*at = x->n / 2;
	for (unsigned t = 0; t + 1 < x->n; t++) {
		/* Value t changes to the left side. */
		for (unsigned k = 0; k < x->n; k++)
			u += trend_sign(x->v[k] - x->v[t]);
		if (fabs(u) > most) {
			most = fabs(u);
			*at = t + 1;
		}
	}
	return most;
}

int trend_change(const struct stats_values *x, struct trend_change *out)
{
	double n = x->n;

	if (x->n < STATS_LEAST)
		return -EINVAL;
	double *work = malloc(x->n * sizeof(*work));
	if (!work)
		return -ENOMEM;
	double k = trend_pettitt(x, &out->at);
	out->before = stats_mean(&(struct stats_values){x->v, out->at});
	out->after = stats_mean(&(struct stats_values){x->v + out->at, x->n - out->at});
	for (unsigned i = 0; i < x->n; i++)
		work[i] = x->v[i] - (i < out->at ? out->before : out->after);
	double p = 2 * exp(-6 * k * k / ((n * n * n + n * n) * trend_inflation(work, x->n)));
	out->p = p < 1 ? p : 1;
	free(work);
	return 0;
}

static int trend_median_of(const double *v, unsigned n, double *out)
{
	double *work = malloc(n * sizeof(*work));

	assert(n);
	if (!work)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		work[i] = v[i];
	qsort(work, n, sizeof(*work), trend_by_value);
	*out = n % 2 ? work[n / 2] : (work[n / 2 - 1] + work[n / 2]) / 2;
	free(work);
	return 0;
}

/* Where the sum of what is above or below the later level is as good as largest: there the series
 * meets it. */
static unsigned trend_meets(const double *v, unsigned n, double level)
{
	double sum = 0, most = 0;

	for (unsigned i = 0; i < n; i++) {
		sum += v[i] - level;
		most = fmax(most, fabs(sum));
	}
	sum = 0;
	for (unsigned i = 0; i < n; i++) {
		sum += v[i] - level;
		if (fabs(sum) >= 0.95 * most)
			return i + 1;
	}
	return n;
}

#define SETTLE_LEAST 20u

int trend_settling(const struct stats_values *x, struct trend_settle *out)
{
	static const unsigned parts[] = {20, 10, 5};
	unsigned part = x->n / 5, best = part;

	if (x->n < SETTLE_LEAST)
		return -EINVAL;
	struct stats_values tail = {x->v + part, x->n - part};
	double level = stats_mean(&tail), sd = sqrt(stats_variance(&tail)), rho = stats_rho(&tail);
	double worth = (1 - rho) / (1 + rho), rest = stats_effective(&tail);

	out->p = 1;
	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]) && rest >= 2; i++) {
		unsigned n = x->n / parts[i] > 2 ? x->n / parts[i] : 2;
		double own = n * worth > 1 ? n * worth : 1;
		double d = stats_mean(&(struct stats_values){x->v, n}) - level;
		double se = sd * sqrt(1 / own + 1 / rest);
		double p = se > 0 ? 3 * stats_student_p(rest - 1, d / se) : fabs(d) > 0 ? 0 : 1;
		if (p < out->p) {
			out->p = p;
			best = n;
		}
	}
	out->until = trend_meets(x->v, part, level);
	int ret = trend_median_of(x->v, best, &out->head);
	return ret ? ret : trend_median_of(tail.v, tail.n, &out->tail);
}
