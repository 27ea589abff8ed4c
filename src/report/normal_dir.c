/* The lines of one direction in the normal format. */
#include "report/normal_dir.h"
#include "result/derive.h"
#include "report/normal_lat.h"
#include "report/text.h"

#include "base/direction.h"
#include "base/units.h"
#include <inttypes.h>

static const char *const kind_name[] = {"slat", "clat", " lat"};

void normal_size(uint64_t bytes, unsigned kb_base, unsigned digits, char first[32], char second[32])
{
	units_print(bytes, 1, digits, kb_base != 1000, UNITS_BYTES, first, 32);
	units_print(bytes, 1, digits, kb_base == 1000, UNITS_BYTES, second, 32);
}

void normal_rate(uint64_t bytes_per_s, unsigned kb_base, unsigned unit_base, unsigned digits,
		 char first[32], char second[32])
{
	enum units_family family = unit_base == 1 ? UNITS_BITS_SEC : UNITS_BYTES_SEC;
	unsigned mult = unit_base == 1 ? 8 : 1;

	units_print(bytes_per_s, mult, digits, kb_base != 1000, family, first, 32);
	units_print(bytes_per_s, mult, digits, kb_base == 1000, family, second, 32);
}

/* Is this kind measured for this job? */
static bool normal_dir_kind_on(const struct result_style *s, enum lat_kind k)
{
	return k == LAT_SUBMIT	   ? s->slat_on && s->is_async
	       : k == LAT_COMPLETE ? s->clat_on
				   : s->lat_on;
}

struct prio_label {
	char text[48];
};

static struct prio_label normal_dir_prio_label(const struct result_style *s, uint16_t prio)
{
	struct prio_label l;

	(void)snprintf(l.text, sizeof(l.text), "%s prio %u/%u/%u",
		       s->lat_percentiles ? "lat" : "clat", (unsigned)prio >> 13, prio & 7u,
		       (unsigned)prio >> 3 & 0x3ff);
	return l;
}

static void normal_dir_prio_lines(const struct result_job *j, unsigned dir, FILE *to)
{
	if (result_prios(j, dir) < 2)
		return;
	for (unsigned i = 0; i < PRIO_STATS_MAX; i++)
		if (j->prio[i].used && j->prio[i].dir == dir)
			normal_latency(normal_dir_prio_label(&j->style, j->prio[i].prio).text,
				       &j->prio[i].lat, to);
}

static void normal_dir_prio_tables(const struct result_job *j, unsigned dir, FILE *to)
{
	uint64_t all = 0;

	if (result_prios(j, dir) < 2)
		return;
	for (unsigned i = 0; i < PRIO_STATS_MAX; i++)
		if (j->prio[i].used && j->prio[i].dir == dir)
			all += j->prio[i].lat.n;
	for (unsigned i = 0; i < PRIO_STATS_MAX; i++) {
		const struct prio_stats *p = &j->prio[i];
		char title[96];

		if (!p->used || p->dir != dir)
			continue;
		(void)snprintf(title, sizeof(title), "%s (%.2f%% of IOs)",
			       normal_dir_prio_label(&j->style, p->prio).text,
			       (double)p->lat.n * 100 / (double)all);
		normal_percentiles(title, p->hist, &p->lat, &j->style, to);
	}
}

static void normal_dir_sample_lines(const struct result_figures *f, unsigned kb_base, FILE *to)
{
	const struct result_samples *b = &f->bw_samples, *s = &f->iops_samples;
	double k = kb_base == 1000 ? 1000 : 1024;
	const char *unit = kb_base == 1000 ? "kB/s" : "KiB/s";

	if (b->n) {
		double scale = k;
		if (b->mean / k > k * k) {
			scale = k * k;
			unit = kb_base == 1000 ? "MB/s" : "MiB/s";
		}
		fprintf(to,
			"   bw (%7s): min=%5" PRIu64 ", max=%5" PRIu64
			", per=%3.2f%%, avg=%5.2f, stdev=%5.2f, samples=%" PRIu64 "\n",
			unit, (uint64_t)(b->min / scale), (uint64_t)(b->max / scale), f->share,
			b->mean / scale, b->stddev / scale, b->n);
	}
	if (s->n)
		fprintf(to,
			"   iops        : min=%5" PRIu64 ", max=%5" PRIu64
			", avg=%5.2f, stdev=%5.2f, samples=%" PRIu64 "\n",
			(uint64_t)s->min, (uint64_t)s->max, s->mean, s->stddev, s->n);
}

static void normal_dir_direction_head(const struct result_figures *f, const struct result_style *s,
				      unsigned dir, FILE *to)
{
	char iops[32], first[32], second[32], size[32], size2[32];

	units_print((uint64_t)f->iops, 1, s->digits, false, UNITS_NONE, iops, sizeof(iops));
	normal_rate(f->bw, s->kb_base, s->unit_base, s->digits, first, second);
	normal_size(f->bytes, s->kb_base, s->digits, size, size2);
	fprintf(to, "  %s: IOPS=%s, BW=%s (%s)(%s/%" PRIu64 "msec)\n", direction_name[dir], iops,
		first, second, size, f->runtime_ms);
}

int normal_direction(const struct result *r, const struct result_job *j, unsigned dir, FILE *to)
{
	const struct result_style *s = &j->style;
	struct result_figures f;
	int ret = result_figures(r, j, dir, &f);

	if (ret)
		return ret;
	if (f.bytes) {
		normal_dir_direction_head(&f, s, dir, to);
		for (unsigned k = LAT_SUBMIT; k <= LAT_TOTAL; k++)
			if (normal_dir_kind_on(s, k))
				normal_latency(kind_name[k], &f.stats->lat[k], to);
		if (dir < DIRS)
			normal_dir_prio_lines(j, dir, to);
		for (unsigned k = LAT_SUBMIT; k <= LAT_TOTAL; k++)
			if (normal_dir_kind_on(s, k) && text_percentiles_on(s, k))
				normal_percentiles(k == LAT_TOTAL ? "lat" : kind_name[k],
						   f.stats->hist[k], &f.stats->lat[k], s, to);
		if (dir < DIRS)
			normal_dir_prio_tables(j, dir, to);
		normal_dir_sample_lines(&f, s->kb_base, to);
	}
	result_figures_release(&f);
	return 0;
}
