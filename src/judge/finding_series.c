/* Findings about the course of a run: does its rate hold a level, and from when on? */
#include "base/units.h"
#include "judge/trend.h"
#include "judge/evidence.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>

#define STEADY_P      0.01
#define STEADY_DRIFT  0.05 /* of the mean, over the whole run or between two levels */
#define STEADY_OFF    0.10 /* as much as SNIA's steady state allows the slope in its window */
#define STEADY_NS     10000000000ull
#define STEADY_POINTS 20u
#define RAMP_SHARE    0.01 /* of the mean: what a short ramp may spoil without a word */
#define RAMP_SPARE    1.25 /* a little longer than it took this time */

struct course {
	enum { STEADY, SETTLING, CHANGED, DRIFTING } state;
	double mean;
	struct trend trend;
	struct trend_change change;
	struct trend_settle settle;
};

/* I/Os per step of the timeline, the first one left out: it holds the start. */
static unsigned finding_series_steps(const struct result_job *j, double *x, unsigned room)
{
	unsigned n = 0;

	for (unsigned i = 1; i < j->timeline.n && n < room; i++) {
		const struct timeline_point *p = &j->timeline.point[i];
		x[n++] = (double)(p->ios[0] + p->ios[1] + p->ios[2]);
	}
	return n;
}

static void finding_series_level(const struct stats_values *x, struct course *c)
{
	assert(x->n);
	c->state = STEADY;
	c->mean = stats_mean(x);
	if (c->mean <= 0)
		return;
	if (trend_change(x, &c->change) == 0 && c->change.p < STEADY_P &&
	    fabs(c->change.after - c->change.before) > STEADY_DRIFT * c->mean)
		c->state = CHANGED;
	else if (trend_find(x, &c->trend) == 0 && c->trend.p < STEADY_P &&
		 fabs(c->trend.slope) * x->n > STEADY_DRIFT * c->mean)
		c->state = DRIFTING;
}

/* A run of which only the first fifth is on another level needs a longer ramp, nothing else: that
 * is said in place of all that a drift could mean. */
static struct course finding_series_course(const struct result_job *j)
{
	double v[TIMELINE_POINTS];
	struct stats_values x = {.v = v, .n = finding_series_steps(j, v, TIMELINE_POINTS)};
	struct course c = {.state = STEADY}, rest = {.state = STEADY};
	unsigned part = x.n / 5;

	if (x.n < STEADY_POINTS)
		return c;
	finding_series_level(&x, &c);
	if (c.mean <= 0 || trend_settling(&x, &c.settle) || c.settle.p >= STEADY_P ||
	    fabs(c.settle.head - c.settle.tail) <= STEADY_DRIFT * c.mean)
		return c;
	if (x.n - part >= STEADY_POINTS)
		finding_series_level(&(struct stats_values){v + part, x.n - part}, &rest);
	if (rest.state == STEADY)
		c.state = SETTLING;
	return c;
}

/* What a device does changes over many seconds; in a short run it may as well be the machine below
 * us that was disturbed. */
static enum finding_severity finding_series_severity(const struct result_job *j, double change)
{
	return fabs(change) > STEADY_OFF && j->phase[PHASE_WORKLOAD].ns >= STEADY_NS ? FINDING_WARN
										     : FINDING_NOTE;
}

static struct verdict_finding *finding_series_unsteady(const struct result_job *j,
						       struct verdict *v, double change)
{
	struct verdict_finding *f = evidence_add(v, "not-steady");

	f->f.severity = finding_series_severity(j, change);
	return f;
}

static void finding_series_find_steady(const struct result *r, const struct result_job *j,
				       struct verdict *v)
{
	struct course c = finding_series_course(j);

	(void)r;
	if (c.state != CHANGED && c.state != DRIFTING)
		return;
	if (c.state == CHANGED) {
		struct verdict_finding *f =
			finding_series_unsteady(j, v, (c.change.after - c.change.before) / c.mean);
		EVIDENCE(f, "the rate changed by %+.1f %% after %.1f s and stayed there",
			 100 * (c.change.after / c.change.before - 1),
			 (double)(c.change.at + 1) * (double)j->timeline.period_ns / 1e9);
		REMEDY(f, "precondition the device and use ramp_time until the rate is steady");
	} else {
		double drift = c.trend.slope * (j->timeline.n - 1) / c.mean;
		struct verdict_finding *f = finding_series_unsteady(j, v, drift);
		EVIDENCE(f, "the rate drifted by %+.1f %% over the run", 100 * drift);
		REMEDY(f, "precondition the device, use ramp_time, or run longer");
	}
}

static void finding_series_find_ramp(const struct result *r, const struct result_job *j,
				     struct verdict *v)
{
	struct course c = finding_series_course(j);

	(void)r;
	if (c.state != SETTLING || c.settle.tail <= 0)
		return;
	double period = (double)j->timeline.period_ns / 1e9;
	double until = (c.settle.until + 1) * period, ramp = (double)j->phase[PHASE_RAMP].ns / 1e9;
	double mean_off = c.mean / c.settle.tail - 1;
	double off = c.settle.head / c.settle.tail - 1;
	if (fabs(mean_off) <= RAMP_SHARE)
		return;
	struct verdict_finding *f = evidence_add(v, "ramp-short");
	f->f.severity = finding_series_severity(j, off);
	EVIDENCE(f, "the rate was %+.1f %% off at first and settled after %.1f s", 100 * off,
		 until);
	snprintf(f->effect, sizeof(f->effect), "mean rate %+.1f %% against what followed",
		 100 * mean_off);
	snprintf(f->remedy, sizeof(f->remedy), "ramp_time=%.0f", ceil(ramp + RAMP_SPARE * until));
}

evidence_find *const finding_series_rows[] = {
	finding_series_find_steady,
	finding_series_find_ramp,
	NULL,
};
