/* Findings about the work itself: was it the work that was asked for, and enough of it? */
#include "base/units.h"
#include "result/derive.h"
#include "judge/finding_work.h"
#include "judge/limits.h"
#include "judge/modes.h"
#include "judge/evidence.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define UNWRITTEN   0.01
#define TOOL_SHARE  0.05
#define RATE_MISSED 0.98
#define LOG_STALL   0.01 /* of the time of the workers */
#define HIST_TOP_NS (1ull << 42)

static uint64_t finding_work_ios(const struct result_job *j)
{
	return j->dir[DIR_READ].ios + j->dir[DIR_WRITE].ios + j->dir[DIR_TRIM].ios;
}

static bool finding_work_synthetic(const struct result_job *j)
{
	return j->no_device;
}

#define POLL_IOS   50u /* fewer say nothing */
#define POLL_SHARE 0.1 /* interrupts per I/O that need not be the job's */

bool verdict_poll_inactive(const struct result_job *j)
{
	const struct result_poll *p = &j->poll;

	return p->asked && (p->no_queues ||
			    (p->ios >= POLL_IOS &&
			     (double)p->interrupts >= (p->unpolled + POLL_SHARE) * (double)p->ios));
}

static void finding_work_find_polling(const struct result *r, const struct result_job *j,
				      struct verdict *v)
{
	const struct result_poll *p = &j->poll;

	(void)r;
	if (!verdict_poll_inactive(j))
		return;
	struct verdict_finding *f = evidence_add(v, "poll-inactive");
	if (p->no_queues)
		EVIDENCE(f, "hipri is set, and %s has no poll queues (queue/io_poll is 0)",
			 p->device);
	else
		EVIDENCE(f, "hipri is set, and %s raised %llu interrupts for %llu I/Os", p->device,
			 (unsigned long long)p->interrupts, (unsigned long long)p->ios);
	REMEDY(f, "use ioengine=io_uring with hipri and direct=1 on a device with poll queues "
		  "(nvme: module parameter poll_queues=N; synchronous engines do not poll since "
		  "Linux 5.19), or leave hipri out");
}

static void finding_work_find_page_cache(const struct result *r, const struct result_job *j,
					 struct verdict *v)
{
	const struct result_share *s = &j->device_reads;

	(void)r;
	if (!evidence_short(s))
		return;
	struct verdict_finding *f = evidence_add(v, "page-cache");
	EVIDENCE(f,
		 "%.0f %% of the bytes read did not come from the device: jobs read %llu MiB, the "
		 "device %llu MiB",
		 100 - 100 * (double)s->device / (double)s->own, (unsigned long long)s->own >> 20,
		 (unsigned long long)s->device >> 20);
	REMEDY(f, "use direct=1, a span well above the memory, and files that were written; "
		  "pre_read=1 says that the cache is meant");
}

static void finding_work_find_unwritten(const struct result *r, const struct result_job *j,
					struct verdict *v)
{
	(void)r;
	if (!j->dir[DIR_READ].ios || !j->region_bytes ||
	    (double)j->unwritten_bytes < UNWRITTEN * (double)j->region_bytes)
		return;
	struct verdict_finding *f = evidence_add(v, "unwritten");
	EVIDENCE(f,
		 "%.0f %% of the range that was read are holes or unwritten extents; such reads "
		 "never touch the medium",
		 100.0 * (double)j->unwritten_bytes / (double)j->region_bytes);
	REMEDY(f, "write the file through first, or remove it so that it is laid out with data");
}

static bool finding_work_paced(const struct result_job *j)
{
	for (unsigned d = 0; d < DIRS; d++)
		if (j->rate_asked[d] || j->rate_iops_asked[d])
			return true;
	return j->paced;
}

static void finding_work_find_depth(const struct result *r, const struct result_job *j,
				    struct verdict *v)
{
	double depth = result_mean_depth(j);

	(void)r;
	if (j->depth_asked < 2 || finding_work_paced(j) || finding_work_synthetic(j) ||
	    finding_work_ios(j) < 1000 || !j->depth_ns || depth >= 0.5 * j->depth_asked)
		return;
	struct verdict_finding *f = evidence_add(v, "depth-unreached");
	EVIDENCE(f, "%.2f I/Os were in flight on average, iodepth is %u", depth, j->depth_asked);
	REMEDY(f,
	       "use an asynchronous engine with direct=1; where I/Os complete during submission, "
	       "iodepth has no effect");
}

/* I/Os or bytes a second while it worked: a flush at the end is no I/O that came too late. */
static double finding_work_rate(const struct result_job *j, unsigned d, uint64_t amount)
{
	uint64_t work = j->phase[PHASE_WORKLOAD].ns, ns = work ? work : j->runtime_ns[d];

	return ns ? (double)amount * 1e9 / (double)ns : 0;
}

static void finding_work_find_rate(const struct result *r, const struct result_job *j,
				   struct verdict *v)
{
	char late[64] = "";

	(void)r;
	for (unsigned d = 0; d < DIRS; d++) {
		bool ios = j->rate_iops_asked[d] > 0;
		double asked = (double)(ios ? j->rate_iops_asked[d] : j->rate_asked[d]);
		double got = finding_work_rate(j, d, ios ? j->dir[d].ios : j->dir[d].bytes);
		if (asked <= 0 || !j->dir[d].ios || got >= RATE_MISSED * asked)
			continue;
		struct verdict_finding *f = evidence_add(v, "rate-missed");
		if (j->late_ios)
			snprintf(late, sizeof(late), "; %llu I/Os started late",
				 (unsigned long long)j->late_ios);
		EVIDENCE(f, "%.1f %% of the rate asked for was reached%s", 100 * got / asked, late);
		REMEDY(f, "more iodepth or jobs, or a rate the target can do; read the latency "
			  "from the scheduled start");
		return;
	}
}

/* How many samples a percentile needs; without the last digits, which the subtraction makes up. */
static double finding_work_samples_for(double p)
{
	double n = SAMPLES_BEYOND * 100 / (100 - p), unit = n > 1e6 ? 1000 : 1;

	return round(n / unit) * unit;
}

static void finding_work_find_samples(const struct result *r, const struct result_job *j,
				      struct verdict *v)
{
	(void)r;
	for (unsigned d = 0; d < DIRS; d++) {
		double n = (double)j->dir[d].lat[LAT_COMPLETE].n, last = 0, first = 0;
		for (unsigned i = 0; n > 0 && i < j->style.percentiles_n; i++) {
			double p = j->style.percentile[i];
			if (p >= 100 || p <= 50 || n * (100 - p) / 100 >= SAMPLES_BEYOND)
				continue;
			first = first > 0 ? first : p;
			last = p;
		}
		if (last <= 0)
			continue;
		struct verdict_finding *f = evidence_add(v, "few-samples");
		EVIDENCE(f,
			 "only %.0f samples: percentiles from p%.10g on are unreliable (fewer than "
			 "%.0f samples beyond)",
			 n, first, SAMPLES_BEYOND);
		snprintf(f->remedy, sizeof(f->remedy),
			 "for p%.10g run until there are %.0f samples", last,
			 finding_work_samples_for(last));
		return;
	}
}

static void finding_work_find_short(const struct result *r, const struct result_job *j,
				    struct verdict *v)
{
	char time[32];
	uint64_t ns = j->phase[PHASE_WORKLOAD].ns;

	(void)r;
	/* A run time of ten seconds ends some microseconds early or late. */
	if (finding_work_synthetic(j) || !ns || ns >= RUN_SHORT_NS / 100 * 99)
		return;
	struct verdict_finding *f = evidence_add(v, "too-short");
	units_print_time(ns, time, sizeof(time));
	EVIDENCE(f, "the measurement lasted %s", time);
	REMEDY(f, "use time_based with runtime=60");
}

static void finding_work_find_span(const struct result *r, const struct result_job *j,
				   struct verdict *v)
{
	char span[32];

	(void)r;
	if (finding_work_synthetic(j) || !j->region_bytes || j->region_bytes >= SPAN_SMALL)
		return;
	struct verdict_finding *f = evidence_add(v, "small-span");
	units_print(j->region_bytes, 1, 4, true, UNITS_BYTES, span, sizeof(span));
	EVIDENCE(f, "only %s were accessed: caches of the device may hold them", span);
	REMEDY(f, "use size=100% on a device, or a file of several times its cache");
}

static void finding_work_find_tool(const struct result *r, const struct result_job *j,
				   struct verdict *v)
{
	double sum = 0, n = 0;

	(void)r;
	for (unsigned d = 0; d < DIRS; d++) {
		/* What a call does itself counts as submission, and an I/O takes both. */
		sum += (double)j->dir[d].lat[LAT_SUBMIT].sum +
		       (double)j->dir[d].lat[LAT_COMPLETE].sum;
		n += (double)j->dir[d].lat[LAT_COMPLETE].n;
	}
	if (finding_work_synthetic(j) || !j->overhead_ns || n <= 0 ||
	    (double)j->overhead_ns < TOOL_SHARE * sum / n)
		return;
	struct verdict_finding *f = evidence_add(v, "tool-limited");
	EVIDENCE(f, "Fathom's own cost of %llu ns per I/O is %.0f %% of the latency",
		 (unsigned long long)j->overhead_ns, 100 * (double)j->overhead_ns / (sum / n));
	REMEDY(f, "use more jobs or depth to see what the device can do");
}

static void finding_work_find_log_stall(const struct result *r, const struct result_job *j,
					struct verdict *v)
{
	char time[32];

	(void)r;
	/* Without a device the log is the only thing to wait for. */
	if (finding_work_synthetic(j) || !j->job_runtime_ns ||
	    (double)j->log_stall_ns <= LOG_STALL * (double)j->job_runtime_ns)
		return;
	struct verdict_finding *f = evidence_add(v, "log-stall");
	units_print_time(j->log_stall_ns, time, sizeof(time));
	EVIDENCE(f, "workers waited %s for the log writer, %.1f %% of the time", time,
		 100 * (double)j->log_stall_ns / (double)j->job_runtime_ns);
	REMEDY(f, "use averaged logs (log_avg_msec) or log_format=binary, and a faster disk for "
		  "the logs than the one measured");
}

static void finding_work_find_saturation(const struct result *r, const struct result_job *j,
					 struct verdict *v)
{
	(void)r;
	for (unsigned d = 0; d < DIRS; d++) {
		if (j->dir[d].lat[LAT_COMPLETE].max < HIST_TOP_NS)
			continue;
		struct verdict_finding *f = evidence_add(v, "histogram");
		EVIDENCE(f, "latencies above 73 minutes share the last bucket of the histogram");
		REMEDY(f, "read the maximum instead of the highest percentiles");
		return;
	}
}

/* The distribution that percentiles are read from, when I/Os of several sizes or kinds share it. */
static bool finding_work_modes(const struct result_job *j, unsigned d, struct modes *m)
{
	const struct dir_stats *t = &j->dir[d];

	return j->size_min[d] != j->size_max[d] && t->hist[LAT_COMPLETE] &&
	       modes_find(t->hist[LAT_COMPLETE], m);
}

static bool finding_work_modes_unified(const struct result_job *j, struct modes *m)
{
	struct dir_stats all;
	uint64_t runtime;
	unsigned kinds = 0;

	for (unsigned d = 0; d < DIRS; d++)
		kinds += j->dir[d].ios > 0;
	if (kinds < 2 || result_unified(j, &all, &runtime))
		return false;
	bool two = all.hist[LAT_COMPLETE] && modes_find(all.hist[LAT_COMPLETE], m);
	dir_stats_release(&all);
	return two;
}

static void finding_work_find_mixed(const struct result *r, const struct result_job *j,
				    struct verdict *v)
{
	static const char *const words[DIRS] = {"reads", "writes", "trims"};
	bool unified = j->style.unified == UNIFIED_MIXED, two = false;
	char what[96] = "reads and writes share one distribution", low[32], high[32];
	struct modes m;

	(void)r;
	if (unified)
		two = finding_work_modes_unified(j, &m);
	for (unsigned d = 0; d < DIRS && !unified && !two; d++) {
		char lo[24], hi[24];
		two = finding_work_modes(j, d, &m);
		units_print_size(j->size_min[d], lo, sizeof(lo));
		units_print_size(j->size_max[d], hi, sizeof(hi));
		snprintf(what, sizeof(what), "%s of %s to %s share one distribution", words[d], lo,
			 hi);
	}
	if (!two)
		return;
	struct verdict_finding *f = evidence_add(v, "mixed-sizes");
	units_print_time(m.low, low, sizeof(low));
	units_print_time(m.high, high, sizeof(high));
	EVIDENCE(f,
		 "%s with two modes: %.0f %% near %s, the others near %s; the percentiles up to "
		 "p%.0f are of the first, those beyond of the second",
		 what, 100 * m.share, low, high, 100 * m.share);
	REMEDY(f, unified ? "one job per kind of I/O, or unified_rw_reporting=none"
			  : "one job per block size");
}

evidence_find *const finding_work_rows[] = {
	finding_work_find_polling,
	finding_work_find_page_cache,
	finding_work_find_unwritten,
	finding_work_find_depth,
	finding_work_find_rate,
	finding_work_find_samples,
	finding_work_find_short,
	finding_work_find_span,
	finding_work_find_tool,
	finding_work_find_log_stall,
	finding_work_find_saturation,
	finding_work_find_mixed,
	NULL,
};
