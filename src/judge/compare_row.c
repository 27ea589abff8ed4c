/* One metric of two flows: which data its interval is made of, and the verdict. */
#include "judge/compare_row.h"
#include "judge/student.h"
#include "judge/bins.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define RESOLVE_PERCENT 3
#define NEGLIGIBLE	0.001 /* nobody acts on less than a tenth of a percent */
#define STEPS_MOST	150   /* longer steps than that many hang together less */
#define SAMPLES_SPREAD	3     /* fio's samples taken to hang together as an autoregression of 0.5 */
#define RUN_MOST_S	(30 * 86400.0)

const struct record_lat *flow_percentiles(const struct record_flow *f)
{
	return f->clat.percentiles_n ? &f->clat : &f->lat;
}

const struct record_lat *flow_latency(const struct record_flow *f)
{
	return f->lat.n > 0 ? &f->lat : &f->clat;
}

double flow_percentile(const struct record_flow *f, double p)
{
	const struct record_lat *l = flow_percentiles(f);

	for (unsigned i = 0; i < l->percentiles_n; i++)
		if (fabs(l->percentile[i] - p) < 1e-7)
			return l->percentile_ns[i];
	return 0;
}

static double compare_row_value_of(const struct record_flow *f, enum row_kind kind,
				   double percentile, bool bins)
{
	switch (kind) {
	case ROW_IOPS:
		return f->iops;
	case ROW_BW:
		return f->bw;
	case ROW_LAT:
		return flow_latency(f)->mean;
	case ROW_PERCENTILE:
		return bins ? bins_percentile(flow_percentiles(f), percentile)
			    : flow_percentile(f, percentile);
	}
	return 0;
}

static bool compare_row_all_bins(const struct flow_set *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (!flow_percentiles(s->flow[i])->bins_n)
			return false;
	return true;
}

static double *compare_row_values_of(const struct flow_set *s, enum row_kind kind,
				     double percentile, bool bins, struct arena *a, double *mean)
{
	double *v = arena_new(a, double, s->n), sum = 0;

	for (unsigned i = 0; v && i < s->n; i++) {
		v[i] = compare_row_value_of(s->flow[i], kind, percentile, bins);
		sum += v[i] > 0 ? log(v[i]) : -HUGE_VAL;
	}
	*mean = exp(sum / s->n);
	return v;
}

/* Neighbours of a long series together. */
static int compare_row_coarse(const struct stats_values *x, struct arena *a,
			      struct stats_values *out)
{
	unsigned by = (x->n + STEPS_MOST - 1) / STEPS_MOST;

	*out = *x;
	if (by <= 1)
		return 0;
	double *v = arena_new(a, double, x->n / by);
	if (!v)
		return -ENOMEM;
	for (unsigned i = 0; i < x->n / by; i++)
		v[i] = stats_mean(&(struct stats_values){x->v + (size_t)i * by, by});
	*out = (struct stats_values){v, x->n / by};
	return 0;
}

static int compare_row_of_series(const struct record_flow *a, const struct record_flow *b,
				 enum row_kind kind, const struct compare_options *o,
				 struct arena *arena, struct stats_interval *iv)
{
	static const enum record_series which[] = {
		[ROW_IOPS] = RECORD_IOPS, [ROW_BW] = RECORD_BW, [ROW_LAT] = RECORD_LAT};
	struct stats_values x, y;

	if (kind == ROW_PERCENTILE)
		return -EINVAL;
	if (compare_row_coarse(&a->series[which[kind]], arena, &x) ||
	    compare_row_coarse(&b->series[which[kind]], arena, &y))
		return -ENOMEM;
	return stats_series_ratio(&x, &y, o->reps ? o->reps : STATS_REPS, o->seed, iv);
}

/* Relative variance of the mean as fio's samples tell it; 0: they do not. The latency of jobs with
 * a depth of their own moves as the IOPS do. */
static double compare_row_samples_variance(const struct record_flow *f, enum row_kind kind)
{
	const struct record_samples *s = kind == ROW_BW ? &f->bw_samples : &f->iops_samples;

	if (s->n < STATS_LEAST || s->mean <= 0)
		return 0;
	return s->stddev * s->stddev / (s->mean * s->mean) / s->n * SAMPLES_SPREAD;
}

static int compare_row_of_samples(const struct record_flow *a, const struct record_flow *b,
				  enum row_kind kind, double ratio, struct stats_interval *iv)
{
	double va = compare_row_samples_variance(a, kind),
	       vb = compare_row_samples_variance(b, kind);

	if (kind == ROW_PERCENTILE || va <= 0 || vb <= 0)
		return -EINVAL;
	double n = fmin(a->iops_samples.n, b->iops_samples.n) / SAMPLES_SPREAD;
	double df = fmax(2 * n - 2, 2), half = sqrt(va + vb) * stats_student(df, 0.96);
	*iv = (struct stats_interval){.value = ratio,
				      .low = ratio - half,
				      .high = ratio + half,
				      .se = sqrt(va + vb),
				      .df = df};
	return 0;
}

/* How many latencies are worth one independent latency for their mean: what the course of the run
 * says about the mean, beside what the single values say. 0: nothing is known of the course. */
static double compare_row_spread_of(const struct record_flow *f, const struct compare_options *o,
				    struct arena *arena)
{
	const struct record_lat *l = flow_latency(f);
	struct stats_values x;
	struct stats_interval iv;
	double variance = compare_row_samples_variance(f, ROW_LAT), one;

	if (l->n < 1 || l->mean <= 0)
		return 0;
	if (f->series[RECORD_LAT].n && !compare_row_coarse(&f->series[RECORD_LAT], arena, &x) &&
	    !stats_series_mean(&x, 199, o->seed, &iv))
		variance = iv.value > 0 ? iv.se * iv.se / (iv.value * iv.value) : 0;
	else if (variance <= 0)
		return 0;
	one = l->stddev * l->stddev / (l->mean * l->mean) / l->n;
	return one > 0 && variance > one ? variance / one : 1;
}

static int compare_row_of_bins(const struct record_flow *a, const struct record_flow *b,
			       double percentile, const struct compare_options *o,
			       struct arena *arena, struct compare_row *row,
			       struct stats_interval *iv)
{
	const struct record_lat *la = flow_percentiles(a), *lb = flow_percentiles(b);
	double sa, sb;

	if (!la->bins_n || !lb->bins_n) {
		row->why = "repeat, or write json+";
		return -EINVAL;
	}
	sa = compare_row_spread_of(a, o, arena);
	sb = compare_row_spread_of(b, o, arena);
	if (sa <= 0 || sb <= 0) {
		row->why = "runs too short";
		return -EINVAL;
	}
	int ret = bins_ratio(la, sa, lb, sb, percentile, o, iv);
	if (ret == -EINVAL)
		row->why = "too few latencies beyond it";
	return ret;
}

static int compare_row_of_single(const struct record_flow *a, const struct record_flow *b,
				 enum row_kind kind, double percentile,
				 const struct compare_options *o, struct arena *arena,
				 struct compare_row *row, struct stats_interval *iv)
{
	int ret;

	if (kind == ROW_PERCENTILE) {
		ret = compare_row_of_bins(a, b, percentile, o, arena, row, iv);
		row->method = ret ? COMPARE_NOTHING : COMPARE_BINS;
		return ret;
	}
	ret = compare_row_of_series(a, b, kind, o, arena, iv);
	row->method = COMPARE_SERIES;
	if (ret == -EINVAL) {
		ret = compare_row_of_samples(a, b, kind, log(row->b / row->a), iv);
		row->method = COMPARE_SAMPLES;
	}
	if (ret == -EINVAL)
		row->why = "runs too short";
	row->method = ret ? COMPARE_NOTHING : row->method;
	return ret;
}

/* A percentile is the middle of a bin, and the truth lies anywhere in it: repeats that all fall
 * into one bin are not free of error. Two uniform errors of a bin's width; bins are a 64th of their
 * value wide, at least 1 ns. */
static void compare_row_widen(struct stats_interval *iv, double ns)
{
	double width = fmax(1 / ns, ns < 128 ? 0 : 1.0 / 64), se = width / sqrt(6);
	double half = (iv->high - iv->low) / 2;

	assert(iv->low <= iv->high);
	half = sqrt(half * half + 4 * se * se);
	iv->se = sqrt(iv->se * iv->se + se * se);
	iv->low = iv->value - half;
	iv->high = iv->value + half;
}

static double compare_row_percent(double log_ratio)
{
	return 100 * expm1(log_ratio);
}

/* What would be enough when it was not. */
static void compare_row_advise(const struct flow_set *a, const struct flow_set *b,
			       const struct stats_interval *iv, double want,
			       struct compare_row *row)
{
	assert(want > 0);
	if (row->method == COMPARE_REPEATS) {
		/* se^2 = sd^2 (1 / n + 1 / m) when both spread alike. */
		double sd = iv->se / sqrt(1.0 / a->n + 1.0 / b->n);
		row->repeats = stats_repeats_needed(sd, want);
		if (row->repeats <= (a->n < b->n ? a->n : b->n))
			row->repeats = (a->n < b->n ? a->n : b->n) + 1;
		return;
	}
	double run = fmin(a->flow[0]->runtime_s, b->flow[0]->runtime_s);
	double more = stats_more(iv->se, want);
	row->run_s = fmin(run * more, RUN_MOST_S);
}

static void compare_row_decide(const struct flow_set *a, const struct flow_set *b,
			       const struct stats_interval *iv, enum row_kind kind, double resolve,
			       struct compare_row *row)
{
	assert(iv->low <= iv->high);
	/* The reports' own figures are the estimate; the data behind the interval may lack a last
	 * partial step. */
	double ratio = log(row->b / row->a), low = ratio + iv->low - iv->value,
	       high = ratio + iv->high - iv->value;
	double detectable = stats_detectable(iv->se, iv->df);
	bool up = low > 0, down = high < 0;

	row->low = compare_row_percent(low);
	row->high = compare_row_percent(high);
	row->detectable = compare_row_percent(detectable);
	if (fabs(low) < NEGLIGIBLE && fabs(high) < NEGLIGIBLE)
		row->verdict = COMPARE_SAME;
	else if (up || down)
		row->verdict = up == (kind == ROW_IOPS || kind == ROW_BW) ? COMPARE_FASTER
									  : COMPARE_SLOWER;
	else if (row->detectable <= resolve)
		row->verdict = COMPARE_SAME;
	else
		compare_row_advise(a, b, iv, log1p(resolve / 100), row);
}

int row_judge(const struct flow_set *a, const struct flow_set *b, enum row_kind kind,
	      double percentile, const struct compare_options *o, struct arena *arena,
	      struct compare_row *row)
{
	struct stats_interval iv = {0};
	bool bins = kind == ROW_PERCENTILE && compare_row_all_bins(a) && compare_row_all_bins(b);
	double *va = compare_row_values_of(a, kind, percentile, bins, arena, &row->a);
	double *vb = compare_row_values_of(b, kind, percentile, bins, arena, &row->b);
	int ret;

	assert(a->n && b->n && o && arena);
	if (!va || !vb)
		return -ENOMEM;
	row->verdict = COMPARE_UNKNOWN;
	row->method = COMPARE_NOTHING;
	row->unit = kind == ROW_IOPS ? COMPARE_PER_SECOND
		    : kind == ROW_BW ? COMPARE_BYTES_PER_SECOND
				     : COMPARE_NS;
	if (!(row->a > 0) || !(row->b > 0)) {
		row->why = "one side has no value";
		return 0;
	}
	row->change = 100 * (row->b / row->a - 1);
	if (a->n + b->n > 2) {
		ret = stats_repeats_ratio(&(struct stats_values){va, a->n},
					  &(struct stats_values){vb, b->n}, &iv);
		row->method = ret ? COMPARE_NOTHING : COMPARE_REPEATS;
		if (!ret && kind == ROW_PERCENTILE && !bins)
			compare_row_widen(&iv, fmin(row->a, row->b));
	} else {
		ret = compare_row_of_single(a->flow[0], b->flow[0], kind, percentile, o, arena, row,
					    &iv);
	}
	if (ret == -ENOMEM)
		return ret;
	if (!ret)
		compare_row_decide(a, b, &iv, kind, o->resolve > 0 ? o->resolve : RESOLVE_PERCENT,
				   row);
	else
		row->repeats = 5;
	return 0;
}
