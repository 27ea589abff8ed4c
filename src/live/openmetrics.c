#include "base/time.h"
#include "live/openmetrics.h"
#include "base/direction.h"
#include "report/text.h"
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define PREFIX "fathom_"

/* Upper limits of the buckets of latencies and how they are written. */
static const struct {
	uint64_t ns;
	const char *le;
} limits[] = {
	{100, "1e-07"},	       {200, "2e-07"},	    {500, "5e-07"},	 {1000, "1e-06"},
	{2000, "2e-06"},       {5000, "5e-06"},	    {10000, "1e-05"},	 {20000, "2e-05"},
	{50000, "5e-05"},      {100000, "0.0001"},  {200000, "0.0002"},	 {500000, "0.0005"},
	{1000000, "0.001"},    {2000000, "0.002"},  {5000000, "0.005"},	 {10000000, "0.01"},
	{20000000, "0.02"},    {50000000, "0.05"},  {100000000, "0.1"},	 {200000000, "0.2"},
	{500000000, "0.5"},    {1000000000, "1.0"}, {2000000000, "2.0"}, {5000000000, "5.0"},
	{10000000000, "10.0"},
};
#define LIMITS (sizeof(limits) / sizeof(limits[0]))

struct out {
	const struct result *r;
	const struct progress *p;
	enum openmetrics_format format;
	FILE *to;
};

/* unit is NULL when there is none; else the name ends with it, as OpenMetrics wants. The older
 * format calls a family by the name of its samples and knows neither units nor the type info. */
static void openmetrics_family(const struct out *o, const char *name, const char *type,
			       const char *unit, const char *help)
{
	const char *suffix = "";

	if (o->format == OPENMETRICS_PROMETHEUS) {
		unit = NULL;
		if (!strcmp(type, "counter")) {
			suffix = "_total";
		} else if (!strcmp(type, "info")) {
			suffix = "_info";
			type = "gauge";
		}
	}
	fprintf(o->to, "# TYPE " PREFIX "%s%s %s\n", name, suffix, type);
	if (unit)
		fprintf(o->to, "# UNIT " PREFIX "%s %s\n", name, unit);
	fprintf(o->to, "# HELP " PREFIX "%s%s %s\n", name, suffix, help);
}

/* Backslash, quote and line feed are escaped; bytes that are no UTF-8 become U+FFFD. */
static void openmetrics_escaped(FILE *to, const char *text)
{
	while (*text) {
		unsigned n = text_utf8(text);
		if (!n) {
			fputs("\xef\xbf\xbd", to);
			text++;
			continue;
		}
		if (*text == '\n') {
			fputs("\\n", to);
		} else {
			if (*text == '"' || *text == '\\')
				fputc('\\', to);
			fwrite(text, 1, n, to);
		}
		text += n;
	}
}

/* The labels that tell report entries apart, left open for more. */
static void openmetrics_labels(const struct out *o, const char *name, const char *suffix,
			       const struct result_job *j)
{
	fprintf(o->to, PREFIX "%s%s{job=\"", name, suffix);
	openmetrics_escaped(o->to, j->name ? j->name : "");
	fprintf(o->to, "\",number=\"%u\"", j->number);
}

static void openmetrics_job_value(const struct out *o, const char *name, const char *suffix,
				  const struct result_job *j, uint64_t value)
{
	openmetrics_labels(o, name, suffix, j);
	fprintf(o->to, "} %" PRIu64 "\n", value);
}

static void openmetrics_dir_value(const struct out *o, const char *name, const char *suffix,
				  const struct result_job *j, const char *dir, uint64_t value)
{
	openmetrics_labels(o, name, suffix, j);
	fprintf(o->to, ",direction=\"%s\"} %" PRIu64 "\n", dir, value);
}

static const struct result_job *openmetrics_shown(const struct out *o, unsigned i)
{
	return o->r->jobs[i].style.hide ? NULL : &o->r->jobs[i];
}

static uint64_t openmetrics_running(const struct out *o, unsigned entry, const struct result_job *j)
{
	unsigned at = j->number, n = 0, runs = 0;
	char c;

	while (o->p && n < j->members && (c = progress_letter(o->p, entry, &at))) {
		runs += progress_running(c);
		n++;
	}
	return runs;
}

static void openmetrics_seconds(const struct out *o, const char *name, uint64_t ns)
{
	fprintf(o->to, PREFIX "%s %" PRIu64 ".%09u\n", name, ns / NS_PER_SEC,
		(unsigned)(ns % NS_PER_SEC));
}

static void openmetrics_run(const struct out *o)
{
	openmetrics_family(o, "build", "info", NULL, "The program.");
	fputs(PREFIX "build_info{version=\"", o->to);
	openmetrics_escaped(o->to, o->r->version ? o->r->version : "");
	fputs("\"} 1\n", o->to);
	openmetrics_family(o, "elapsed_seconds", "gauge", "seconds",
			   "Time since the start of the run.");
	openmetrics_seconds(o, "elapsed_seconds", o->r->elapsed_ns);
	openmetrics_family(o, "finished", "gauge", NULL, "1 once the run is over.");
	fprintf(o->to, PREFIX "finished %u\n", o->r->final ? 1u : 0u);
	if (!o->p)
		return;
	openmetrics_family(o, "open_files", "gauge", NULL, "Files that workers have open.");
	fprintf(o->to, PREFIX "open_files %u\n", o->p->open_files);
	if (o->p->done < 0)
		return;
	openmetrics_family(o, "progress_ratio", "gauge", "ratio", "How much of the run is done.");
	fprintf(o->to, PREFIX "progress_ratio %.6f\n", o->p->done);
}

static void openmetrics_workers(const struct out *o)
{
	const struct result_job *j;

	openmetrics_family(o, "workers", "gauge", NULL, "Workers of the job.");
	for (unsigned i = 0; i < o->r->jobs_n; i++)
		if ((j = openmetrics_shown(o, i)))
			openmetrics_job_value(o, "workers", "", j, j->members);
	openmetrics_family(o, "workers_running", "gauge", NULL,
			   "Workers of the job that do I/O now.");
	for (unsigned i = 0; i < o->r->jobs_n; i++)
		if ((j = openmetrics_shown(o, i)))
			openmetrics_job_value(o, "workers_running", "", j,
					      openmetrics_running(o, i, j));
}

static void openmetrics_counters(const struct out *o)
{
	const struct result_job *j;

	openmetrics_family(o, "ios", "counter", NULL, "I/Os completed, without those of the ramp.");
	for (unsigned i = 0; i < o->r->jobs_n; i++)
		for (unsigned d = 0; d < DIRS; d++)
			if ((j = openmetrics_shown(o, i)))
				openmetrics_dir_value(o, "ios", "_total", j, direction_name[d],
						      j->dir[d].ios);
	openmetrics_family(o, "bytes", "counter", "bytes", "Bytes of these I/Os.");
	for (unsigned i = 0; i < o->r->jobs_n; i++)
		for (unsigned d = 0; d < DIRS; d++)
			if ((j = openmetrics_shown(o, i)))
				openmetrics_dir_value(o, "bytes", "_total", j, direction_name[d],
						      j->dir[d].bytes);
	openmetrics_family(o, "syncs", "counter", NULL, "Flushes between the I/Os.");
	for (unsigned i = 0; i < o->r->jobs_n; i++)
		if ((j = openmetrics_shown(o, i)))
			openmetrics_job_value(o, "syncs", "_total", j, j->syncs);
	openmetrics_family(o, "late_ios", "counter", NULL,
			   "I/Os that a rate wanted started earlier.");
	for (unsigned i = 0; i < o->r->jobs_n; i++)
		if ((j = openmetrics_shown(o, i)))
			openmetrics_job_value(o, "late_ios", "_total", j, j->late_ios);
}

static void openmetrics_errors(const struct out *o)
{
	const struct result_job *j;

	openmetrics_family(o, "errors", "counter", NULL, "I/Os that failed.");
	for (unsigned i = 0; i < o->r->jobs_n; i++) {
		uint64_t rest;
		if (!(j = openmetrics_shown(o, i)))
			continue;
		rest = j->total_err;
		for (unsigned d = 0; d < DIRS; d++) {
			openmetrics_dir_value(o, "errors", "_total", j, direction_name[d],
					      j->errors[d]);
			rest -= j->errors[d] < rest ? j->errors[d] : rest;
		}
		openmetrics_dir_value(o, "errors", "_total", j, "other", rest);
	}
}

/* A bucket counts when it lies below the limit as a whole: at most 1.6 % of the limit is missing.
 */
static void openmetrics_histogram(const struct out *o, const char *name, const struct result_job *j,
				  unsigned d)
{
	const struct hist *h = j->dir[d].hist[LAT_COMPLETE];
	uint64_t sum = j->dir[d].lat[LAT_COMPLETE].sum, n = 0;
	unsigned at = 0;

	for (size_t k = 0; k < LIMITS; k++) {
		while (at < HIST_BUCKETS && hist_low(at) + hist_width(at) - 1 <= limits[k].ns)
			n += h->bucket[at++];
		openmetrics_labels(o, name, "_bucket", j);
		fprintf(o->to, ",direction=\"%s\",le=\"%s\"} %" PRIu64 "\n", direction_name[d],
			limits[k].le, n);
	}
	n = hist_count(h);
	openmetrics_labels(o, name, "_bucket", j);
	fprintf(o->to, ",direction=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", direction_name[d], n);
	openmetrics_dir_value(o, name, "_count", j, direction_name[d], n);
	openmetrics_labels(o, name, "_sum", j);
	fprintf(o->to, ",direction=\"%s\"} %" PRIu64 ".%09u\n", direction_name[d], sum / NS_PER_SEC,
		(unsigned)(sum % NS_PER_SEC));
}

static void openmetrics_latencies(const struct out *o)
{
	static const char name[] = "completion_latency_seconds";

	openmetrics_family(o, name, "histogram", "seconds",
			   "From the submission of an I/O to its completion.");
	for (unsigned i = 0; i < o->r->jobs_n; i++)
		for (unsigned d = 0; d < DIRS; d++)
			if (openmetrics_shown(o, i) && o->r->jobs[i].dir[d].hist[LAT_COMPLETE] &&
			    o->r->jobs[i].dir[d].lat[LAT_COMPLETE].n)
				openmetrics_histogram(o, name, &o->r->jobs[i], d);
}

int openmetrics_print(const struct result *r, const struct progress *p,
		      enum openmetrics_format format, FILE *to)
{
	const struct out o = {.r = r, .p = p, .format = format, .to = to};

	assert(r && to);
	openmetrics_run(&o);
	openmetrics_workers(&o);
	openmetrics_counters(&o);
	openmetrics_errors(&o);
	openmetrics_latencies(&o);
	if (format == OPENMETRICS_1_0)
		fputs("# EOF\n", to);
	return text_flush(to);
}
