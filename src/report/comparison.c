/* Comparisons for people: table and Markdown. */
#include "report/comparison.h"
#include "base/units.h"
#include "report/comparison_json.h"
#include "report/text.h"

#include "base/time.h"
#include <assert.h>
#include <math.h>
#include <string.h>

#define REPEATS_SANE 1000 /* nobody does more */

enum { CELLS = 8, CELL = 96 };

struct line {
	char cell[CELLS][CELL];
};

static const char *const head[CELLS] = {"job", "direction", "metric",	"baseline",
					"now", "change",    "interval", "verdict"};

void comparison_value(double v, enum compare_unit unit, char *buf, size_t size)
{
	assert(buf && size);
	if (!(v > 0) || v > 1e18)
		(void)snprintf(buf, size, "-");
	else if (unit == COMPARE_NS)
		units_print_time((uint64_t)(v + 0.5), buf, size);
	else if (unit == COMPARE_BYTES_PER_SECOND)
		units_print((uint64_t)(v + 0.5), 1, 4, true, UNITS_BYTES_SEC, buf, size);
	else if (v < 1000)
		(void)snprintf(buf, size, "%.1f", v);
	else
		units_print((uint64_t)(v + 0.5), 1, 4, false, UNITS_NONE, buf, size);
}

/* Changes of less than a tenth of a percent get another digit. */
static void comparison_percent_text(double p, char *buf, size_t size)
{
	(void)snprintf(buf, size, fabs(p) >= 0.995 ? "%+.1f %%" : "%+.2f %%", p + 0.0);
}

static void comparison_verdict_text(const struct compare_row *r, char *buf, size_t size)
{
	char time[32];

	if (r->verdict != COMPARE_UNKNOWN) {
		(void)snprintf(buf, size, "%s", compare_verdict_text(r->verdict));
	} else if (r->why) {
		(void)snprintf(buf, size, "cannot tell: %s", r->why);
	} else if (r->run_s > 0 && r->run_s < 1e9) {
		if (r->run_s < 60)
			(void)snprintf(time, sizeof(time), "%.0fs", ceil(r->run_s));
		else
			units_print_time((uint64_t)ceil(r->run_s) * NS_PER_SEC, time, sizeof(time));
		(void)snprintf(buf, size, "cannot tell: run %s", time);
	} else if (r->repeats > REPEATS_SANE) {
		(void)snprintf(buf, size, "cannot tell: the runs differ too much");
	} else {
		(void)snprintf(buf, size, "cannot tell: repeat %u times", r->repeats);
	}
}

static void comparison_row_line(const struct compare_flow *f, const struct compare_row *r,
				struct line *l)
{
	memset(l, 0, sizeof(*l));
	if (r == f->row) {
		(void)snprintf(l->cell[0], CELL, "%s", f->job);
		(void)snprintf(l->cell[1], CELL, "%s", f->direction);
	}
	(void)snprintf(l->cell[2], CELL, "%s", r->metric);
	comparison_value(r->a, r->unit, l->cell[3], CELL);
	comparison_value(r->b, r->unit, l->cell[4], CELL);
	if (r->a > 0 && r->b > 0)
		comparison_percent_text(r->change, l->cell[5], CELL);
	if (r->method != COMPARE_NOTHING) {
		char low[32], high[32];
		comparison_percent_text(r->low, low, sizeof(low));
		comparison_percent_text(r->high, high, sizeof(high));
		(void)snprintf(l->cell[6], CELL, "%.*s .. %s", (int)strlen(low) - 2, low, high);
	}
	comparison_verdict_text(r, l->cell[7], CELL);
}

static void comparison_widths(const struct comparison *c, int *width)
{
	struct line l;

	for (unsigned i = 0; i < CELLS; i++)
		width[i] = (int)strlen(head[i]);
	for (unsigned i = 0; i < c->flows_n; i++) {
		for (unsigned k = 0; k < c->flow[i].n; k++) {
			comparison_row_line(&c->flow[i], &c->flow[i].row[k], &l);
			for (unsigned x = 0; x < CELLS; x++)
				if ((int)strlen(l.cell[x]) > width[x])
					width[x] = (int)strlen(l.cell[x]);
		}
	}
}

/* Words to the left, numbers to the right. */
static bool comparison_to_right(unsigned cell)
{
	return cell >= 3 && cell <= 6;
}

static void comparison_print_line(const struct line *l, const int *width, bool markdown, FILE *to)
{
	if (markdown)
		fputs("|", to);
	for (unsigned i = 0; i < CELLS; i++) {
		int pad = width[i] - (int)strlen(l->cell[i]);
		fputs(markdown ? " " : i ? "  " : "", to);
		if (comparison_to_right(i))
			fprintf(to, "%*s", pad, "");
		text_plain(to, l->cell[i], markdown ? "|" : "");
		if (!comparison_to_right(i) && (markdown || i + 1 < CELLS))
			fprintf(to, "%*s", pad, "");
		if (markdown)
			fputs(" |", to);
	}
	fputc('\n', to);
}

static void comparison_print_rule(const int *width, FILE *to)
{
	fputs("|", to);
	for (unsigned i = 0; i < CELLS; i++) {
		for (int k = 0; k < width[i] + (comparison_to_right(i) ? 1 : 2); k++)
			fputc('-', to);
		fputs(comparison_to_right(i) ? ":|" : "|", to);
	}
	fputc('\n', to);
}

static void comparison_print_rows(const struct comparison *c, bool markdown, FILE *to)
{
	struct line l;
	int width[CELLS];

	comparison_widths(c, width);
	for (unsigned i = 0; i < CELLS; i++)
		(void)snprintf(l.cell[i], CELL, "%s", head[i]);
	comparison_print_line(&l, width, markdown, to);
	if (markdown)
		comparison_print_rule(width, to);
	for (unsigned i = 0; i < c->flows_n; i++) {
		for (unsigned k = 0; k < c->flow[i].n; k++) {
			comparison_row_line(&c->flow[i], &c->flow[i].row[k], &l);
			comparison_print_line(&l, width, markdown, to);
		}
	}
}

static void comparison_print_side(const char *word, const struct compare_side *s, bool markdown,
				  FILE *to)
{
	fprintf(to, markdown ? "- %s: " : "%-9s ", word);
	text_plain(to, s->label, "");
	if (s->n > 1)
		fprintf(to, " (%u runs, ", s->n);
	else
		fputs(" (one run, ", to);
	text_plain(to, s->run[0]->tool, "");
	fputs(")\n", to);
}

static void comparison_difference(const char *indent, const struct compare_difference *d, FILE *to)
{
	fputs(indent, to);
	if (d->job) {
		fputs("job ", to);
		text_plain(to, d->job, "");
		fputs(": ", to);
	} else {
		fputs("host: ", to);
	}
	text_plain(to, d->key, "");
	fputs(d->a ? "=" : " not given", to);
	text_plain(to, d->a ? d->a : "", "");
	fputs(d->b ? ", now " : ", now not given", to);
	text_plain(to, d->b ? d->b : "", "");
	fputc('\n', to);
}

void comparison_differences(const struct comparison *c, const char *indent, FILE *to)
{
	for (unsigned i = 0; i < c->options_n; i++)
		comparison_difference(indent, &c->option[i], to);
	for (unsigned i = 0; i < c->hosts_n; i++)
		comparison_difference(indent, &c->host[i], to);
}

static void comparison_print_one(const struct comparison *c, bool markdown, FILE *to)
{
	comparison_print_side("baseline", c->a, markdown, to);
	comparison_print_side("now", c->b, markdown, to);
	comparison_differences(c, markdown ? "- differs: " : "differs   ", to);
	for (unsigned i = 0; i < c->remarks_n; i++) {
		fputs(markdown ? "- remark: " : "remark    ", to);
		text_plain(to, c->remark[i], "");
		fputc('\n', to);
	}
	fputc('\n', to);
	comparison_print_rows(c, markdown, to);
}

int comparison_print(const struct comparison *c, unsigned n, enum comparison_format f, FILE *to)
{
	if (f == COMPARISON_JSON) {
		comparison_json(c, n, to);
		return text_flush(to);
	}
	for (unsigned i = 0; i < n; i++) {
		if (i)
			fputc('\n', to);
		comparison_print_one(&c[i], f == COMPARISON_MARKDOWN, to);
	}
	return text_flush(to);
}
