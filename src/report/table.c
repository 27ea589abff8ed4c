/* Table: a header and one line for each job and direction, for people who compare many jobs. */
#include "base/direction.h"
#include "base/units.h"
#include "judge/verdict.h"
#include "report/format.h"
#include "report/text.h"
#include "result/derive.h"
#include <errno.h>
#include <string.h>

enum { TABLE_NAME = 20 }; /* columns of a name; longer ones are cut */

static void table_name(const char *name, FILE *to)
{
	char cut[TABLE_NAME + 1];
	size_t n = strnlen(name, TABLE_NAME);

	for (size_t i = 0; i < n; i++)
		cut[i] = (unsigned char)name[i] < ' ' || name[i] == 127 ? ' ' : name[i];
	cut[n] = 0;
	fprintf(to, "%-*s", TABLE_NAME, cut);
}

static void table_time(bool known, uint64_t ns, FILE *to)
{
	char text[40] = "-";

	if (known)
		units_print_time(ns, text, sizeof(text));
	fprintf(to, "  %9s", text);
}

static int table_line(const struct result *r, const struct result_job *j, unsigned dir,
		      const char *verdict, FILE *to)
{
	enum lat_kind kind = text_main_kind(&j->style);
	struct result_figures f;
	char iops[40], bw[40];
	int ret = result_figures(r, j, dir, &f);

	if (ret)
		return ret;
	const struct runstat *m = &f.stats->lat[kind];
	const struct hist *h = f.stats->hist[kind];
	if (f.ios) {
		units_print((uint64_t)f.iops, 1, 4, false, UNITS_NONE, iops, sizeof(iops));
		units_print((uint64_t)f.bw, 1, 4, true, UNITS_BYTES_SEC, bw, sizeof(bw));
		table_name(j->name, to);
		fprintf(to, "  %-5s  %8s  %10s", direction_name[dir], iops, bw);
		table_time(m->n, (uint64_t)runstat_mean(m), to);
		table_time(h && m->n, h ? hist_percentile(h, 99, runstat_min(m), m->max) : 0, to);
		table_time(h && m->n, h ? hist_percentile(h, 99.9, runstat_min(m), m->max) : 0, to);
		table_time(m->n, m->max, to);
		fprintf(to, "  %s\n", verdict);
	}
	result_figures_release(&f);
	return 0;
}

static int table_result(const struct result *r, const struct format_options *fo, unsigned index,
			FILE *to)
{
	int ret = 0;

	(void)fo;
	(void)index;
	fprintf(to, "%-*s  %-5s  %8s  %10s  %9s  %9s  %9s  %9s  %s\n", TABLE_NAME, "job", "dir",
		"IOPS", "BW", "mean", "p99", "p99.9", "max", "verdict");
	for (unsigned i = 0; i < r->jobs_n && !ret; i++) {
		const struct result_job *j = &r->jobs[i];
		struct verdict v;

		if (j->style.hide)
			continue;
		verdict_judge(r, j, &v);
		for (unsigned d = 0; d < DIRS && !ret; d++)
			ret = table_line(r, j, d, v.word, to);
	}
	return ret ? ret : text_flush(to);
}

const struct format format_table = {
	.name = "table",
	.help = "one line for each job and direction",
	.result = table_result,
};
