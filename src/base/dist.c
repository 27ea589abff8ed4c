#include "base/dist.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>

/* Streams of random numbers derived from the seed of a distribution. */
enum { STREAM_SCATTER, STREAM_ROTATE };

/* Zipf by rejection inversion (W. Hoermann, G. Derflinger: Rejection-inversion to generate variates
 *from monotone discrete distributions, ACM TOMACS 6 (1996) 169-184), with h(x) = x^-theta. Its
 *integral is H(x) = (x^(1 - theta) - 1) / (1 - theta), for theta = 1 its limit log x, written so
 *that nothing is lost near theta = 1. */
enum { ZIPF_LOW, ZIPF_HIGH, ZIPF_SURE };

static double dist_zipf_h(const struct dist *d, double x)
{
	return exp(-d->param * log(x));
}

static double dist_zipf_integral(const struct dist *d, double x)
{
	double e = 1 - d->param, l = log(x);

	return fabs(e * l) < 1e-300 ? l : expm1(e * l) / e;
}

static double dist_zipf_inverse(const struct dist *d, double y)
{
	double e = 1 - d->param, t = e * y;

	/* Rounding may carry t below the pole of the logarithm. */
	return fabs(t) < 1e-300 ? exp(y) : exp(log1p(t > -1 ? t : -1 + 0x1p-53) / e);
}

static void dist_zipf_init(struct dist *d)
{
	d->c[ZIPF_LOW] = dist_zipf_integral(d, 1.5) - 1;
	d->c[ZIPF_HIGH] = dist_zipf_integral(d, (double)d->n + 0.5);
	d->c[ZIPF_SURE] = 2 - dist_zipf_inverse(d, dist_zipf_integral(d, 2.5) - dist_zipf_h(d, 2));
}

static uint64_t dist_zipf_rank(const struct dist *d, struct rng *r)
{
	for (;;) {
		double u = d->c[ZIPF_HIGH] + rng_unit(r) * (d->c[ZIPF_LOW] - d->c[ZIPF_HIGH]);
		double x = dist_zipf_inverse(d, u), k = floor(x + 0.5);
		if (k < 1)
			k = 1;
		else if (k > (double)d->n)
			k = (double)d->n;
		if (k - x <= d->c[ZIPF_SURE] ||
		    u >= dist_zipf_integral(d, k + 0.5) - dist_zipf_h(d, k)) {
			uint64_t rank = (uint64_t)k - 1;
			return rank < d->n ? rank : d->n - 1;
		}
	}
}

/* Pareto as fio means it: the self-similar distribution (J. Gray et al.: Quickly generating
 * billion-record synthetic databases, SIGMOD 1994), rank = n u^(log h / log(1 - h)) for uniform u.
 * The first h n ranks get the share 1 - h of all draws, the first h^2 n the share (1 - h)^2, and so
 * on: h = 0.2 is "80 % of the accesses go to 20 % of the data". */
enum { PARETO_POWER };

static uint64_t dist_scale(const struct dist *d, double x)
{
	double v = floor(x * (double)d->n);

	return v < (double)d->n ? (uint64_t)v : d->n - 1;
}

static uint64_t dist_pareto_rank(const struct dist *d, struct rng *r)
{
	return dist_scale(d, pow(rng_unit(r), d->c[PARETO_POWER]));
}

/* A bell about the center, its standard deviation `param` percent of the range (G. Box, M. Muller
 * 1958). What falls outside is mirrored at the edge of the range. */
enum { NORMAL_CENTER, NORMAL_DEVIATION };

static uint64_t dist_normal_position(const struct dist *d, struct rng *r)
{
	double radius = sqrt(-2 * log1p(-rng_unit(r)));
	double x =
		d->c[NORMAL_CENTER] + d->c[NORMAL_DEVIATION] * radius * cos(2 * M_PI * rng_unit(r));

	x = fabs(fmod(x, 2));
	return dist_scale(d, x > 1 ? 2 - x : x);
}

static bool dist_param_ok(const struct dist *d)
{
	switch (d->kind) {
	case DIST_UNIFORM:
		return true;
	case DIST_ZIPF:
		return d->param >= 0 && d->param <= 1000;
	case DIST_PARETO:
		return d->param > 0 && d->param < 1;
	case DIST_NORMAL:
		return d->param >= 0 && d->param <= 100;
	}
	return false;
}

int dist_init(struct dist *d, enum dist_kind kind, uint64_t n, double param, double center,
	      uint64_t seed)
{
	struct dist fresh = {.kind = kind, .n = n, .param = param, .center = center};
	struct rng r;

	if (!n || center > 1 || isnan(center) || !dist_param_ok(&fresh))
		return -EINVAL;
	if (kind == DIST_ZIPF)
		dist_zipf_init(&fresh);
	else if (kind == DIST_PARETO)
		fresh.c[PARETO_POWER] = log(param) / log1p(-param);
	if (kind == DIST_NORMAL) {
		fresh.c[NORMAL_CENTER] = center < 0 ? 0.5 : center;
		fresh.c[NORMAL_DEVIATION] = param / 100;
	} else if (kind != DIST_UNIFORM) {
		permute_init(&fresh.scatter, n, rng_derive(seed, 0, STREAM_SCATTER));
		rng_seed(&r, rng_derive(seed, 0, STREAM_ROTATE));
		/* Where rank 0 lands: at the center, or anywhere. */
		uint64_t hot = center < 0 ? rng_below(&r, n) : dist_scale(&fresh, center);
		uint64_t now = permute_at(&fresh.scatter, 0);
		fresh.rotate = hot >= now ? hot - now : n - (now - hot);
	}
	*d = fresh;
	return 0;
}

uint64_t dist_rank(const struct dist *d, struct rng *r)
{
	assert(d->n);
	switch (d->kind) {
	case DIST_ZIPF:
		return dist_zipf_rank(d, r);
	case DIST_PARETO:
		return dist_pareto_rank(d, r);
	case DIST_NORMAL:
		return dist_normal_position(d, r);
	case DIST_UNIFORM:
		break;
	}
	return rng_below(r, d->n);
}

uint64_t dist_draw(const struct dist *d, struct rng *r)
{
	uint64_t rank = dist_rank(d, r);

	assert(d->n && d->rotate <= d->n);
	if (d->kind == DIST_UNIFORM || d->kind == DIST_NORMAL)
		return rank;
	uint64_t at = permute_at(&d->scatter, rank);
	return at < d->n - d->rotate ? at + d->rotate : at - (d->n - d->rotate);
}
