/* Means of series and of repeats. */
#include "judge/stats.h"
#include "judge/student.h"
#include "base/rng.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL	    0.95
#define LEVEL_RATIO 0.96
#define RHO_MOST    0.97
#define POWER	    0.8 /* nine times in ten, as a two-sided level */

double stats_mean(const struct stats_values *x)
{
	double sum = 0;

	for (unsigned i = 0; i < x->n; i++)
		sum += x->v[i];
	return x->n ? sum / x->n : 0;
}

double stats_variance(const struct stats_values *x)
{
	double m = stats_mean(x), sum = 0;

	for (unsigned i = 0; i < x->n; i++)
		sum += (x->v[i] - m) * (x->v[i] - m);
	return x->n > 1 ? sum / (x->n - 1) : 0;
}

/* What the bootstrap does over and over: mean, correlation of neighbours and standard error of the
 * mean. */
struct fit {
	double mean, rho, se;
};

static double stats_rho_of(double r, unsigned n)
{
	assert(n);
	/* E(r) is about rho - (1 + 4 rho) / n when the mean is estimated too. */
	double rho = n > 4 ? (r * n + 1) / (n - 4) : 0;

	return rho < 0 ? 0 : rho > RHO_MOST ? RHO_MOST : rho;
}

static struct fit stats_fit_series(const double *v, unsigned n)
{
	struct fit f = {0};
	double square = 0, product = 0, before = 0;

	assert(n >= 2);
	for (unsigned i = 0; i < n; i++)
		f.mean += v[i];
	f.mean /= n;
	for (unsigned i = 0; i < n; i++) {
		double d = v[i] - f.mean;
		square += d * d;
		product += d * before;
		before = d;
	}
	/* Rounding is no variance. */
	if (square <= f.mean * f.mean * n * 1e-24)
		return f;
	f.rho = stats_rho_of(product / square, n);
	/* Variance of the mean of a first-order autoregression. The sample variance falls short by
	 * its dependence: its expectation is sigma^2 (1 - inflation / n) n / (n - 1). */
	double inflation = (1 + f.rho) / (1 - f.rho), room = 1 - inflation / n;
	double sigma2 = square / n / (room > 0.2 ? room : 0.2);
	f.se = sqrt(sigma2 * inflation / n);
	return f;
}

double stats_rho(const struct stats_values *x)
{
	return x->n < STATS_LEAST ? 0 : stats_fit_series(x->v, x->n).rho;
}

double stats_effective(const struct stats_values *x)
{
	double rho = stats_rho(x), n = x->n * (1 - rho) / (1 + rho);

	return n < 1 ? 1 : n;
}

static double stats_covariance(const struct stats_values *x, double mean, unsigned lag)
{
	double sum = 0;

	for (unsigned i = lag; i < x->n; i++)
		sum += (x->v[i] - mean) * (x->v[i - lag] - mean);
	return sum / x->n;
}

/* Politis and White: the correlogram is taken as over once k in a row are within c sqrt(log10(n) /
 * n); twice that many lags go into the flat-top estimates of the spectral density at 0 and of its
 * curvature. */
unsigned stats_block_length(const struct stats_values *x)
{
	double mean = stats_mean(x), c0 = stats_covariance(x, mean, 0), n = x->n;
	unsigned k = 5, last = 0, quiet = 0;

	if (x->n < STATS_LEAST || c0 <= 0)
		return 1;
	if (sqrt(log10(n)) > k)
		k = (unsigned)ceil(sqrt(log10(n)));
	double limit = 2 * sqrt(log10(n) / n);
	unsigned most = (unsigned)ceil(sqrt(n)) + k;
	for (unsigned lag = 1; lag <= most && lag < x->n && quiet < k; lag++) {
		bool large = fabs(stats_covariance(x, mean, lag)) / c0 > limit;
		quiet = large ? 0 : quiet + 1;
		last = large ? lag : last;
	}
	unsigned width = 2 * (last ? last : 1);
	double density = c0, curve = 0;
	for (unsigned lag = 1; lag <= width && lag < x->n; lag++) {
		double at = (double)lag / width, taper = at <= 0.5 ? 1 : 2 * (1 - at);
		double c = stats_covariance(x, mean, lag);
		density += 2 * taper * c;
		curve += 2 * taper * lag * c;
	}
	if (!(density > 0))
		return 1;
	double b = cbrt(2 * curve * curve / (4.0 / 3 * density * density) * n);
	double limit_b = n / 3 > 1 ? n / 3 : 1;
	return b < 1 ? 1 : (unsigned)(b > limit_b ? limit_b : b + 0.5);
}

/* A series made ready for drawing others like it. */
struct source {
	struct fit fit;
	unsigned n, residuals_n, block;
	double *residual, *drawn;
};

static int stats_source_init(struct source *s, const struct stats_values *x)
{
	assert(x->n >= 2);
	*s = (struct source){
		.fit = stats_fit_series(x->v, x->n), .n = x->n, .residuals_n = x->n - 1};
	s->residual = malloc(2 * (size_t)x->n * sizeof(double));
	if (!s->residual)
		return -ENOMEM;
	s->drawn = s->residual + x->n;

	double sum = 0, own = 0, target;
	for (unsigned i = 1; i < x->n; i++) {
		double e = x->v[i] - s->fit.mean - s->fit.rho * (x->v[i - 1] - s->fit.mean);
		s->residual[i - 1] = e;
		sum += e;
	}
	for (unsigned i = 0; i < s->residuals_n; i++) {
		s->residual[i] -= sum / s->residuals_n;
		own += s->residual[i] * s->residual[i];
	}
	/* Residuals are smaller than what made the series; the studentised mean does not depend on
	 * it, ratios hardly do. */
	target = s->fit.se * s->fit.se * x->n * (1 - s->fit.rho) * (1 - s->fit.rho);
	double grow = own > 0 ? sqrt(target * s->residuals_n / own) : 0;
	for (unsigned i = 0; i < s->residuals_n; i++)
		s->residual[i] *= grow;
	struct stats_values r = {s->residual, s->residuals_n};
	s->block = stats_block_length(&r);
	return 0;
}

static void stats_source_release(struct source *s)
{
	free(s->residual);
}

/* Another series with the mean and the dependence of the first. */
static struct fit stats_source_draw(const struct source *s, struct rng *rng)
{
	double d = 0, rho = s->fit.rho;
	/* After so many values nothing is left of where it began. */
	unsigned warm = rho > 0 ? (unsigned)ceil(-4 / log(rho)) + 1 : 0, from = 0, left = 0;

	for (unsigned i = 0; i < s->n + warm; i++) {
		if (!left) {
			from = (unsigned)rng_below(rng, s->residuals_n);
			left = s->block;
		}
		d = rho * d + s->residual[from];
		from = from + 1 == s->residuals_n ? 0 : from + 1;
		left--;
		if (i >= warm)
			s->drawn[i - warm] = s->fit.mean + d;
	}
	return stats_fit_series(s->drawn, s->n);
}

static int stats_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The level-quantile of the sizes of n studentised draws. */
static double stats_critical(double *t, unsigned n, double level)
{
	unsigned at = (unsigned)ceil(level * (n + 1) - 1e-6) - 1;

	assert(n && level > 0 && level < 1);
	qsort(t, n, sizeof(*t), stats_by_value);
	return t[at < n ? at : n - 1];
}

static void stats_interval_set(struct stats_interval *out, double value, double se, double factor)
{
	assert(se >= 0 && factor >= 0);
	*out = (struct stats_interval){
		.value = value, .low = value - factor * se, .high = value + factor * se, .se = se};
}

int stats_series_mean(const struct stats_values *x, unsigned reps, uint64_t seed,
		      struct stats_interval *out)
{
	struct source s;
	struct rng rng;

	if (x->n < STATS_LEAST || !reps)
		return -EINVAL;
	double *t = malloc(reps * sizeof(*t));
	if (!t || stats_source_init(&s, x)) {
		free(t);
		return -ENOMEM;
	}
	rng_seed(&rng, seed);
	for (unsigned i = 0; i < reps; i++) {
		struct fit f = stats_source_draw(&s, &rng);
		t[i] = f.se > 0 ? fabs(f.mean - s.fit.mean) / f.se : 0;
	}
	stats_interval_set(out, s.fit.mean, s.fit.se, stats_critical(t, reps, LEVEL));
	stats_source_release(&s);
	free(t);
	return 0;
}

static double stats_relative_se(const struct fit *a, const struct fit *b)
{
	return sqrt(a->se * a->se / (a->mean * a->mean) + b->se * b->se / (b->mean * b->mean));
}

static void stats_ratio_draws(const struct source *a, const struct source *b, double ratio,
			      struct rng *rng, double *t, unsigned reps)
{
	assert(reps && a->n && b->n);
	for (unsigned i = 0; i < reps; i++) {
		struct fit fa = stats_source_draw(a, rng), fb = stats_source_draw(b, rng);
		double se = stats_relative_se(&fa, &fb);

		if (fa.mean <= 0 || fb.mean <= 0)
			t[i] = HUGE_VAL; /* so wide a spread that anything is possible */
		else
			t[i] = se > 0 ? fabs(log(fb.mean / fa.mean) - ratio) / se : 0;
	}
}

int stats_series_ratio(const struct stats_values *a, const struct stats_values *b, unsigned reps,
		       uint64_t seed, struct stats_interval *out)
{
	struct source sa, sb;
	struct rng rng;

	if (a->n < STATS_LEAST || b->n < STATS_LEAST || !reps || stats_mean(a) <= 0 ||
	    stats_mean(b) <= 0)
		return -EINVAL;
	double *t = malloc(reps * sizeof(*t));
	if (!t || stats_source_init(&sa, a)) {
		free(t);
		return -ENOMEM;
	}
	if (stats_source_init(&sb, b)) {
		stats_source_release(&sa);
		free(t);
		return -ENOMEM;
	}
	rng_seed(&rng, seed);
	double ratio = log(sb.fit.mean / sa.fit.mean);
	stats_ratio_draws(&sa, &sb, ratio, &rng, t, reps);
	stats_interval_set(out, ratio, stats_relative_se(&sa.fit, &sb.fit),
			   stats_critical(t, reps, LEVEL_RATIO));
	stats_source_release(&sa);
	stats_source_release(&sb);
	free(t);
	return 0;
}

int stats_repeats_mean(const struct stats_values *x, struct stats_interval *out)
{
	if (x->n < 2)
		return -EINVAL;
	double df = x->n - 1, se = sqrt(stats_variance(x) / x->n);

	stats_interval_set(out, stats_mean(x), se, stats_student(df, LEVEL));
	out->df = df;
	return 0;
}

static int stats_logs_of(const struct stats_values *x, double *mean, double *variance)
{
	double sum = 0, square = 0;

	for (unsigned i = 0; i < x->n; i++) {
		if (!(x->v[i] > 0))
			return -EINVAL;
		sum += log(x->v[i]);
	}
	*mean = sum / x->n;
	for (unsigned i = 0; i < x->n; i++)
		square += (log(x->v[i]) - *mean) * (log(x->v[i]) - *mean);
	*variance = x->n > 1 ? square / (x->n - 1) : 0;
	return 0;
}

int stats_repeats_ratio(const struct stats_values *a, const struct stats_values *b,
			struct stats_interval *out)
{
	double ma, mb, va, vb, df;

	if (!a->n || !b->n || a->n + b->n < 3 || stats_logs_of(a, &ma, &va) ||
	    stats_logs_of(b, &mb, &vb))
		return -EINVAL;
	if (a->n == 1 || b->n == 1) {
		df = a->n + b->n - 2;
		va = vb = va + vb; /* one of them is 0 */
	} else {
		double xa = va / a->n, xb = vb / b->n;
		double low = xa * xa / (a->n - 1) + xb * xb / (b->n - 1);
		df = low > 0 ? (xa + xb) * (xa + xb) / low : a->n + b->n - 2;
	}
	stats_interval_set(out, mb - ma, sqrt(va / a->n + vb / b->n),
			   stats_student(df, LEVEL_RATIO));
	out->df = df;
	return 0;
}

double stats_detectable(double se, double df)
{
	double many = 1e6, d = df > 0 ? df : many;

	assert(se >= 0);
	return se * (stats_student(d, LEVEL_RATIO) + stats_student(d, POWER));
}

double stats_more(double se, double want)
{
	double have = stats_detectable(se, 0) / want;

	assert(want > 0);
	return have > 1 ? have * have : 1;
}

unsigned stats_repeats_needed(double sd, double want)
{
	unsigned n = 2;

	assert(want > 0 && sd >= 0);
	while (n < 10000 && stats_detectable(sd * sqrt(2.0 / n), 2.0 * n - 2) > want)
		n += n < 100 ? 1 : n / 50;
	return n < 10000 ? n : 10000;
}
