/* Terse: one line per job entry, fields split by ';' (compatibility 20), versions 2 to 5. */
#include "report/format.h"
#include "result/derive.h"
#include "report/text.h"

#include "base/direction.h"
#include <errno.h>
#include <inttypes.h>

#define PERCENTILES 20 /* columns there always are */

static void terse_latency(const struct runstat *m, FILE *to)
{
	fprintf(to, ";%" PRIu64 ";%" PRIu64 ";%f;%f", runstat_min(m) / 1000, m->max / 1000,
		runstat_mean(m) / 1000, runstat_stddev(m) / 1000);
}

static void terse_percentiles(const struct result_style *s, const struct dir_stats *t, FILE *to)
{
	enum lat_kind kind = text_main_kind(s);
	unsigned n = text_percentiles_on(s, kind) ? s->percentiles_n : 0;

	for (unsigned i = 0; i < PERCENTILES; i++) {
		uint64_t ns = 0;

		if (i >= n) {
			fputs(";0%=0", to);
			continue;
		}
		if (t->hist[kind] && t->lat[kind].n)
			ns = hist_percentile(t->hist[kind], s->percentile[i],
					     runstat_min(&t->lat[kind]), t->lat[kind].max);
		fprintf(to, ";%f%%=%" PRIu64, s->percentile[i], ns / 1000);
	}
}

static int terse_direction(const struct result *r, const struct result_job *j, unsigned dir,
			   unsigned version, FILE *to)
{
	struct result_figures f;
	int ret = result_figures(r, j, dir, &f);

	if (ret)
		return ret;
	fprintf(to, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64, f.bytes / 1024, f.bw / 1024,
		(uint64_t)f.iops, f.runtime_ms);
	terse_latency(&f.stats->lat[LAT_SUBMIT], to);
	terse_latency(&f.stats->lat[LAT_COMPLETE], to);
	terse_percentiles(&j->style, f.stats, to);
	terse_latency(&f.stats->lat[LAT_TOTAL], to);

	const struct result_samples *b = &f.bw_samples, *i = &f.iops_samples;
	fprintf(to, ";%" PRIu64 ";%" PRIu64 ";%f%%;%f;%f", (uint64_t)b->min / 1024,
		(uint64_t)b->max / 1024, f.share, b->mean / 1024, b->stddev / 1024);
	if (version == 5)
		fprintf(to, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%f;%f;%" PRIu64, b->n,
			(uint64_t)i->min, (uint64_t)i->max, i->mean, i->stddev, i->n);
	result_figures_release(&f);
	return 0;
}

static int terse_directions(const struct result *r, const struct result_job *j, unsigned version,
			    FILE *to)
{
	unsigned n = version == 3 ? DIR_TRIM : DIRS;
	int ret = 0;

	if (j->style.unified != UNIFIED_MIXED)
		for (unsigned d = 0; d < n && !ret; d++)
			ret = terse_direction(r, j, d, version, to);
	if (j->style.unified != UNIFIED_NONE && !ret)
		ret = terse_direction(r, j, DIRS, version, to);
	return ret;
}

static void terse_machine(const struct result_job *j, FILE *to)
{
	double per_ns = j->job_runtime_ns ? 100 / (double)j->job_runtime_ns : 0;
	double depth[DEPTH_BINS], lat[HIST_LAT_BINS], ns = 0;

	fprintf(to, ";%f%%;%f%%;%" PRIu64 ";%" PRIu64 ";%" PRIu64, (double)j->usr_ns * per_ns,
		(double)j->sys_ns * per_ns, j->ctx, j->majf, j->minf);
	result_shares(j->depth_level, DEPTH_BINS, 0.1, depth);
	for (unsigned i = 0; i < DEPTH_BINS; i++)
		fprintf(to, ";%3.1f%%", depth[i]);
	/* The microsecond bins begin with everything below a microsecond. */
	result_shares(j->lat_bins, HIST_LAT_BINS, 0.01, lat);
	for (unsigned i = 0; i < 10; i++)
		ns += lat[i];
	lat[10] += ns;
	for (unsigned i = 10; i < HIST_LAT_BINS; i++)
		fprintf(to, ";%3.2f%%", lat[i]);
}

static void terse_disk_counts(const struct result_disk_counts *c, double util, FILE *to)
{
	fprintf(to,
		";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64
		";%3.2f%%",
		c->ios[0], c->ios[1], c->merges[0], c->merges[1], c->ticks_ms[0], c->ticks_ms[1],
		c->in_queue_ms, util);
}

static void terse_disks(const struct result *r, FILE *to)
{
	for (unsigned i = 0; i < r->disks_n; i++) {
		const struct result_disk *d = &r->disks[i];

		fprintf(to, ";%s", d->name);
		terse_disk_counts(&d->c, d->util, to);
		if (!d->slaves)
			continue;
		fputs(";slaves", to);
		terse_disk_counts(&d->agg, d->agg_util, to);
		for (unsigned s = 0; s < d->slaves && s < 8; s++) {
			fprintf(to, ";%s", d->slave_names[s]);
			terse_disk_counts(&d->slave[s], d->slave_util[s], to);
		}
	}
}

static int terse_line(const struct result *r, const struct result_job *j, unsigned version,
		      FILE *to)
{
	if (version == 2)
		fputs("2;", to);
	else
		fprintf(to, "%u;%s;", version, r->version ? r->version : "");
	text_plain(to, j->name, ";");
	fprintf(to, ";%u;%d", j->group, j->error);

	int ret = terse_directions(r, j, version, to);
	if (ret)
		return ret;
	terse_machine(j, to);
	if (version != 2)
		terse_disks(r, to);
	if (j->style.continue_mask)
		fprintf(to, ";%" PRIu64 ";%d", j->total_err, j->first_error);
	if (j->description) {
		fputs(version == 2 ? "\n;" : ";", to);
		text_plain(to, j->description, ";");
	}
	fputc('\n', to);
	return 0;
}

static int terse_result(const struct result *r, const struct format_options *fo, unsigned index,
			FILE *to)
{
	unsigned version = fo->terse_version ? fo->terse_version : 3;

	if (version < 2 || version > 5)
		return -EINVAL;
	for (unsigned i = 0; i < r->jobs_n; i++) {
		int ret = r->jobs[i].style.hide ? 0 : terse_line(r, &r->jobs[i], version, to);
		if (ret)
			return ret;
	}
	return text_flush(to);
}

const struct format format_terse = {
	.name = "terse",
	.help = "a line per job, fields split by ';' (also: minimal, csv)",
	.result = terse_result,
};
