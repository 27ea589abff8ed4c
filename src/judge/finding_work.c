/* Findings about the work itself: was it the work that was asked for, and enough of it? */
#include "base/units.h"
#include "judge/trend.h"
#include "judge/verdict.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHORT_NS      1000000000ull
#define BEYOND	      10.0 /* samples that should lie beyond a percentile */
#define SMALL_SPAN    (256ull << 20)
#define UNWRITTEN     0.01
#define STEADY_P      0.01
#define STEADY_DRIFT  0.05 /* of the mean, over the whole run or between two levels */
#define STEADY_SPOILT 0.10 /* as much as SNIA's steady state allows the slope in its window */
#define STEADY_NS     10000000000ull
#define STEADY_POINTS 20u
#define TOOL_SHARE    0.05
#define RATE_MISSED   0.98
#define HIST_TOP_NS   (1ull << 42)

#define EVIDENCE(f, ...) snprintf((f)->evidence, sizeof((f)->evidence), __VA_ARGS__)
#define REMEDY(f, text)	 snprintf((f)->remedy, sizeof((f)->remedy), "%s", text)

static uint64_t all_ios(const struct result_job *j)
{
	return j->dir[DIR_READ].ios + j->dir[DIR_WRITE].ios + j->dir[DIR_TRIM].ios;
}

static bool imaginary(const struct result_job *j)
{
	return !strcmp(j->engine, "null") || !strcmp(j->engine, "sim");
}

void find_polling(const struct result *r, const struct result_job *j, struct verdict *v)
{
	(void)r;
	if (!j->poll_failed)
		return;
	struct finding *f = verdict_add(v, "poll-inactive", SEVERITY_INVALID);
	EVIDENCE(f, "polling was asked for (hipri) and did not happen; the latencies are those of "
		    "interrupts");
	REMEDY(f, "use ioengine=io_uring with hipri and direct=1 on a device with poll queues, or "
		  "leave hipri out");
}

void find_page_cache(const struct result *r, const struct result_job *j, struct verdict *v)
{
	(void)r;
	if (j->reads_missed <= 0.1)
		return;
	struct finding *f = verdict_add(v, "page-cache", SEVERITY_INVALID);
	EVIDENCE(f, "%.0f %% of the bytes read never came from the device", 100 * j->reads_missed);
	REMEDY(f, "use direct=1, or a span well above the memory; pre_read=1 says that the cache "
		  "is meant");
}

void find_unwritten(const struct result *r, const struct result_job *j, struct verdict *v)
{
	(void)r;
	if (!j->dir[DIR_READ].ios || !j->region_bytes ||
	    (double)j->unwritten_bytes < UNWRITTEN * (double)j->region_bytes)
		return;
	struct finding *f = verdict_add(v, "unwritten", SEVERITY_INVALID);
	EVIDENCE(f,
		 "%.0f %% of the range that was read are holes or unwritten extents; such reads "
		 "never touch the medium",
		 100.0 * (double)j->unwritten_bytes / (double)j->region_bytes);
	REMEDY(f, "write the file through first, or remove it so that it is laid out with data");
}

static bool paced(const struct result_job *j)
{
	for (unsigned d = 0; d < DIRS; d++)
		if (j->rate_asked[d] || j->rate_iops_asked[d])
			return true;
	return j->paced;
}

void find_depth(const struct result *r, const struct result_job *j, struct verdict *v)
{
	double depth = result_mean_depth(j);

	(void)r;
	if (j->depth_asked < 2 || paced(j) || imaginary(j) || all_ios(j) < 1000 || !j->depth_ns ||
	    depth >= 0.5 * j->depth_asked)
		return;
	struct finding *f = verdict_add(v, "depth-unreached", SEVERITY_DISTURBED);
	EVIDENCE(f, "%.2f I/Os were in flight on average, %u were asked for", depth,
		 j->depth_asked);
	REMEDY(f, "use an asynchronous engine with direct=1, or ask for the depth that is there");
}

void find_rate(const struct result *r, const struct result_job *j, struct verdict *v)
{
	(void)r;
	for (unsigned d = 0; d < DIRS; d++) {
		double asked =
			(double)(j->rate_iops_asked[d] ? j->rate_iops_asked[d] : j->rate_asked[d]);
		double got = j->rate_iops_asked[d] ? result_iops(j, d) : (double)result_bw(j, d);
		if (asked <= 0 || !j->dir[d].ios || got >= RATE_MISSED * asked)
			continue;
		struct finding *f = verdict_add(v, "rate-missed", SEVERITY_DISTURBED);
		EVIDENCE(f, "%.1f %% of the rate asked for was reached; %llu I/Os started late",
			 100 * got / asked, (unsigned long long)j->late_ios);
		REMEDY(f, "more iodepth or jobs, or a rate the target can do; read the latency "
			  "from the scheduled start");
		return;
	}
}

/* How many samples a percentile needs; without the last digits, which the subtraction makes up. */
static double samples_for(double p)
{
	double n = BEYOND * 100 / (100 - p), unit = n > 1e6 ? 1000 : 1;

	return round(n / unit) * unit;
}

void find_samples(const struct result *r, const struct result_job *j, struct verdict *v)
{
	(void)r;
	for (unsigned d = 0; d < DIRS; d++) {
		double n = (double)j->dir[d].lat[LAT_COMPLETE].n, last = 0, first = 0;
		for (unsigned i = 0; n > 0 && i < j->style.percentiles_n; i++) {
			double p = j->style.percentile[i];
			if (p >= 100 || p <= 50 || n * (100 - p) / 100 >= BEYOND)
				continue;
			first = first > 0 ? first : p;
			last = p;
		}
		if (last <= 0)
			continue;
		struct finding *f = verdict_add(v, "few-samples", SEVERITY_NOTE);
		EVIDENCE(f,
			 "%.0f samples do not support the percentiles from %.10g on: fewer than "
			 "%.0f "
			 "lie beyond",
			 n, first, BEYOND);
		snprintf(f->remedy, sizeof(f->remedy),
			 "for p%.10g run until there are %.0f samples", last, samples_for(last));
		return;
	}
}

/* I/Os per step of the timeline, the first one left out: it holds the start. */
static unsigned steps(const struct result_job *j, double *x, unsigned room)
{
	unsigned n = 0;

	for (unsigned i = 1; i < j->timeline.n && n < room; i++) {
		const struct timeline_point *p = &j->timeline.point[i];
		x[n++] = (double)(p->ios[0] + p->ios[1] + p->ios[2]);
	}
	return n;
}

/* What a device does changes over many seconds; in a short run it may as well be the machine below
 * us that had a moment. */
static struct finding *not_steady(const struct result_job *j, struct verdict *v, double change)
{
	bool spoilt = fabs(change) > STEADY_SPOILT && j->phase[PHASE_WORKLOAD].ns >= STEADY_NS;

	return verdict_add(v, "not-steady", spoilt ? SEVERITY_DISTURBED : SEVERITY_NOTE);
}

void find_steady(const struct result *r, const struct result_job *j, struct verdict *v)
{
	double x[TIMELINE_POINTS];
	struct stats_values values = {.v = x, .n = steps(j, x, TIMELINE_POINTS)};
	struct trend t;
	struct trend_change c;

	(void)r;
	if (values.n < STEADY_POINTS)
		return;
	double mean = stats_mean(&values);
	if (mean <= 0)
		return;
	if (trend_change(&values, &c) == 0 && c.p < STEADY_P &&
	    fabs(c.after - c.before) > STEADY_DRIFT * mean) {
		struct finding *f = not_steady(j, v, (c.after - c.before) / mean);
		EVIDENCE(f, "the rate changed by %+.1f %% after %.1f s and stayed there",
			 100 * (c.after / c.before - 1),
			 (double)(c.at + 1) * (double)j->timeline.period_ns / 1e9);
		REMEDY(f, "precondition the device and use ramp_time until the rate is steady");
	} else if (trend_find(&values, &t) == 0 && t.p < STEADY_P &&
		   fabs(t.slope) * values.n > STEADY_DRIFT * mean) {
		struct finding *f = not_steady(j, v, t.slope * values.n / mean);
		EVIDENCE(f, "the rate drifted by %+.1f %% over the run",
			 100 * t.slope * values.n / mean);
		REMEDY(f, "precondition the device, use ramp_time, or run longer");
	}
}

void find_short(const struct result *r, const struct result_job *j, struct verdict *v)
{
	char time[32];
	uint64_t ns = j->phase[PHASE_WORKLOAD].ns;

	(void)r;
	if (!ns || ns >= SHORT_NS)
		return;
	struct finding *f = verdict_add(v, "too-short", SEVERITY_NOTE);
	units_print_time(ns, time, sizeof(time));
	EVIDENCE(f, "the measurement lasted %s", time);
	REMEDY(f, "use time_based and a runtime of ten seconds or more");
}

void find_span(const struct result *r, const struct result_job *j, struct verdict *v)
{
	char span[32];

	(void)r;
	if (imaginary(j) || !j->region_bytes || j->region_bytes >= SMALL_SPAN)
		return;
	struct finding *f = verdict_add(v, "small-span", SEVERITY_NOTE);
	units_print_size(j->region_bytes, span, sizeof(span));
	EVIDENCE(f, "the I/Os touched %s bytes only: the device's own cache may have answered",
		 span);
	REMEDY(f, "use a larger size, best the whole device");
}

void find_tool(const struct result *r, const struct result_job *j, struct verdict *v)
{
	double sum = 0, n = 0;

	(void)r;
	for (unsigned d = 0; d < DIRS; d++) {
		sum += (double)j->dir[d].lat[LAT_COMPLETE].sum;
		n += (double)j->dir[d].lat[LAT_COMPLETE].n;
	}
	if (imaginary(j) || !j->overhead_ns || n <= 0 ||
	    (double)j->overhead_ns < TOOL_SHARE * sum / n)
		return;
	struct finding *f = verdict_add(v, "tool-limited", SEVERITY_NOTE);
	EVIDENCE(f, "Fathom's own cost of %llu ns an I/O is %.0f %% of the latency",
		 (unsigned long long)j->overhead_ns, 100 * (double)j->overhead_ns / (sum / n));
	REMEDY(f, "more jobs or depth show what the device can do");
}

void find_saturation(const struct result *r, const struct result_job *j, struct verdict *v)
{
	(void)r;
	for (unsigned d = 0; d < DIRS; d++) {
		if (j->dir[d].lat[LAT_COMPLETE].max < HIST_TOP_NS)
			continue;
		struct finding *f = verdict_add(v, "histogram", SEVERITY_NOTE);
		EVIDENCE(f, "latencies above 73 minutes share the last bucket of the histogram");
		REMEDY(f, "read the maximum instead of the highest percentiles");
		return;
	}
}
