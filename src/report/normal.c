/* The normal format: job blocks, group lines, disk statistics (compatibility 18). */
#include "result/derive.h"
#include "report/normal_dir.h"
#include "report/normal_verdict.h"
#include "report/normal_own.h"
#include "report/normal_lat.h"
#include "report/format.h"
#include "report/text.h"

#include "base/direction.h"
#include <inttypes.h>

#define TUNED_SHOWN 3 /* changes that the report names */

static void normal_job_head(const struct result *r, const struct result_job *j, FILE *to)
{
	char when[32], words[128];

	text_plain(to, j->name, "");
	fprintf(to, ": (groupid=%u, jobs=%u): err=%2d", j->group, j->members, j->error);
	if (j->error) {
		fputs(" (", to);
		text_plain(to,
			   j->error_text ? j->error_text
					 : text_errno(j->error, words, sizeof(words)),
			   "");
		fputc(')', to);
	}
	text_time(r->wall_ns, when, sizeof(when));
	fprintf(to, ": pid=%ld: %s\n", j->tid, when);
	if (j->description) {
		fputs("  Description  : [", to);
		text_plain(to, j->description, "");
		fputs("]\n", to);
	}
}

/* Up to five entries a line, bins without I/Os left out. */
static void normal_lat_bins(const char *unit, const char *const *label, const double *percent,
			    unsigned n, FILE *to)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < n; i++) {
		if (percent[i] <= 0)
			continue;
		if (shown % 5 == 0)
			fprintf(to, "%s  lat (%s)   : ", shown ? "\n" : "", unit);
		else
			fputs(", ", to);
		fprintf(to, "%s=%3.2f%%", label[i], percent[i]);
		shown++;
	}
	if (shown)
		fputc('\n', to);
}

static void normal_lat_distribution(const struct result_job *j, FILE *to)
{
	static const char *const label[] = {"2",   "4",	  "10",	 "20",	 "50",	 "100",
					    "250", "500", "750", "1000", "2000", ">=2000"};
	double p[HIST_LAT_BINS];

	result_shares(j->lat_bins, HIST_LAT_BINS, 0.01, p);
	normal_lat_bins("nsec", label, p, 10, to);
	normal_lat_bins("usec", label, p + 10, 10, to);
	normal_lat_bins("msec", label, p + 20, 12, to);
}

static void normal_sync_lines(const struct result_job *j, FILE *to)
{
	if (!j->sync_lat.n)
		return;
	fputs("  fsync/fdatasync/sync_file_range/syncfs:\n", to);
	normal_latency("sync", &j->sync_lat, to);
	normal_percentiles("sync", j->sync_hist, &j->sync_lat, &j->style, to);
}

static void normal_depth_line(const char *title, const char *const *label, const uint64_t *bins,
			      FILE *to)
{
	double p[DEPTH_BINS];

	result_shares(bins, DEPTH_BINS, 0.1, p);
	fprintf(to, "%s: ", title);
	for (unsigned i = 0; i < DEPTH_BINS; i++)
		fprintf(to, "%s%s=%3.1f%%", i ? ", " : "", label[i], p[i]);
	fputc('\n', to);
}

static double normal_cpu_percent(const struct result_job *j, uint64_t ns)
{
	return j->job_runtime_ns ? (double)ns * 100 / (double)j->job_runtime_ns : 0;
}

static void normal_job_tail(const struct result_job *j, FILE *to)
{
	static const char *const level[] = {"1", "2", "4", "8", "16", "32", ">=64"};
	static const char *const batch[] = {"0", "4", "8", "16", "32", "64", ">=64"};
	char words[128];

	fprintf(to,
		"  cpu          : usr=%3.2f%%, sys=%3.2f%%, ctx=%" PRIu64 ", majf=%" PRIu64
		", minf=%" PRIu64 "\n",
		normal_cpu_percent(j, j->usr_ns), normal_cpu_percent(j, j->sys_ns), j->ctx, j->majf,
		j->minf);
	normal_depth_line("  IO depths    ", level, j->depth_level, to);
	normal_depth_line("     submit    ", batch, j->depth_submit, to);
	normal_depth_line("     complete  ", batch, j->depth_complete, to);
	fprintf(to, "     issued rwts: total=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
		j->issued[DIR_READ], j->issued[DIR_WRITE], j->issued[DIR_TRIM], j->issued_syncs);
	fprintf(to, " short=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",0", j->dir[DIR_READ].short_ios,
		j->dir[DIR_WRITE].short_ios, j->dir[DIR_TRIM].short_ios);
	fprintf(to, " dropped=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",0\n", j->dir[DIR_READ].drop_ios,
		j->dir[DIR_WRITE].drop_ios, j->dir[DIR_TRIM].drop_ios);
	if (j->style.continue_mask)
		fprintf(to, "     errors    : total=%" PRIu64 ", first_error=%d/<%s>\n",
			j->total_err, j->first_error,
			text_errno(j->first_error, words, sizeof(words)));
	fprintf(to,
		"     latency   : target=0.00ns, window=0.00ns, percentile=100.00%%, depth=%u\n",
		j->depth_asked);
}

/* A job that neither moved bytes nor issued I/O has no block: what went wrong stands in the
 * messages. */
static bool normal_job_shows(const struct result_job *j)
{
	uint64_t any = j->issued_syncs;

	for (unsigned d = 0; d < DIRS; d++)
		any |= j->dir[d].bytes | j->dir[d].ios | j->issued[d];
	return any && !j->style.hide;
}

static int normal_job_block(const struct result *r, const struct result_job *j, FILE *to)
{
	int ret = 0;

	normal_job_head(r, j, to);
	if (j->style.unified != UNIFIED_MIXED)
		for (unsigned d = 0; d < DIRS && !ret; d++)
			ret = normal_direction(r, j, d, to);
	if (j->style.unified != UNIFIED_NONE && !ret)
		ret = normal_direction(r, j, DIRS, to);
	if (ret)
		return ret;
	normal_lat_distribution(j, to);
	normal_sync_lines(j, to);
	normal_job_tail(j, to);
	normal_own(j, to);
	normal_verdict(r, j, to);
	return 0;
}

static void normal_group_direction(const struct result_group *g, unsigned dir, FILE *to)
{
	static const char *const title[DIRS + 1] = {"   READ", "  WRITE", "   TRIM", "  MIXED"};
	char bw[2][32], min[2][32], max[2][32], io[2][32];

	if (!g->dir[dir].used)
		return;
	normal_rate(g->dir[dir].agg_bw, g->kb_base, g->unit_base, g->digits, bw[0], bw[1]);
	normal_rate(g->dir[dir].min_bw, g->kb_base, g->unit_base, g->digits, min[0], min[1]);
	normal_rate(g->dir[dir].max_bw, g->kb_base, g->unit_base, g->digits, max[0], max[1]);
	normal_size(g->dir[dir].bytes, g->kb_base, g->digits, io[0], io[1]);
	fprintf(to, "%s: bw=%s (%s), %s-%s (%s-%s), io=%s (%s), run=%" PRIu64 "-%" PRIu64 "msec\n",
		title[dir], bw[0], bw[1], min[0], max[0], min[1], max[1], io[0], io[1],
		(g->dir[dir].min_run_ns + 999999) / 1000000,
		(g->dir[dir].max_run_ns + 999999) / 1000000);
}

static void normal_group_lines(const struct result_group *g, FILE *to)
{
	fprintf(to, "\nRun status group %u (all jobs):\n", g->id);
	if (g->unified != UNIFIED_MIXED)
		for (unsigned d = 0; d < DIRS; d++)
			normal_group_direction(g, d, to);
	if (g->unified != UNIFIED_NONE)
		normal_group_direction(g, DIRS, to);
}

static void normal_disk_counts(const char *prefix, const struct result_disk_counts *c, double util,
			       FILE *to)
{
	fprintf(to,
		"%sios=%" PRIu64 "/%" PRIu64 ", %ssectors=%" PRIu64 "/%" PRIu64 ", %smerge=%" PRIu64
		"/%" PRIu64 ", %sticks=%" PRIu64 "/%" PRIu64 ", %sin_queue=%" PRIu64
		", %sutil=%3.2f%%",
		prefix, c->ios[0], c->ios[1], prefix, c->sectors[0], c->sectors[1], prefix,
		c->merges[0], c->merges[1], prefix, c->ticks_ms[0], c->ticks_ms[1], prefix,
		c->in_queue_ms, prefix, util);
}

static void normal_disk_lines(const struct result *r, FILE *to)
{
	if (!r->disks_n)
		return;
	fputs("\nDisk stats (read/write):\n", to);
	for (unsigned i = 0; i < r->disks_n; i++) {
		const struct result_disk *d = &r->disks[i];

		fprintf(to, "%s  %s: ", d->slaves ? "  " : "", d->name);
		normal_disk_counts("", &d->c, d->util, to);
		if (d->slaves) {
			fputs(", ", to);
			normal_disk_counts("aggr", &d->agg, d->agg_util, to);
		}
		fputc('\n', to);
		for (unsigned s = 0; s < d->slaves && s < 8; s++) {
			fprintf(to, "  %s: ", d->slave_names[s]);
			normal_disk_counts("", &d->slave[s], d->slave_util[s], to);
			fputc('\n', to);
		}
	}
}

/* One line; JSON has all of them. */
static void normal_tuned_line(const struct result *r, FILE *to)
{
	if (!r->tuned_asked || !r->final)
		return;
	fputs("\nTuned for the run: ", to);
	for (unsigned i = 0; i < r->tuned_n && i < TUNED_SHOWN; i++) {
		const struct result_tuned *t = &r->tuned[i];
		fprintf(to, "%s%s %s%s%s", i ? ", " : "", t->file, t->from,
			t->from[0] ? " -> " : "", t->to);
	}
	if (r->tuned_n > TUNED_SHOWN)
		fprintf(to, " and %u more", r->tuned_n - TUNED_SHOWN);
	fputs(r->tuned_n ? "\n" : "nothing was changed\n", to);
}

static void normal_isolation_lines(const struct result_isolation *i, FILE *to)
{
	if (!i->n)
		return;
	fputs("\nIsolation:\n", to);
	for (unsigned k = 0; k < i->n; k++)
		fprintf(to, "  %-11s: %s%s\n", i->step[k].what,
			i->step[k].done ? "" : "not done: ", i->step[k].why);
}

static int normal_result(const struct result *r, const struct format_options *fo, unsigned index,
			 FILE *to)
{
	fputc('\n', to);
	for (unsigned i = 0; i < r->jobs_n; i++) {
		int ret = normal_job_shows(&r->jobs[i]) ? normal_job_block(r, &r->jobs[i], to) : 0;
		if (ret)
			return ret;
	}
	for (unsigned i = 0; i < r->groups_n; i++)
		normal_group_lines(&r->groups[i], to);
	normal_disk_lines(r, to);
	normal_tuned_line(r, to);
	normal_isolation_lines(&r->isolation, to);
	return text_flush(to);
}

const struct format format_normal = {
	.name = "normal",
	.help = "for people: a block per job, group lines, disk statistics",
	.result = normal_result,
};
