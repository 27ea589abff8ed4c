#include "report/repeats.h"
#include "report/comparison.h"
#include "report/text.h"

#include <math.h>
#include <string.h>

void repeats_print(const struct repeat_summary *s, FILE *to)
{
	fprintf(to,
		"\nRepeats: %u runs; mean, 95 %% interval of the mean, smallest and largest run\n",
		s->n);
	for (unsigned i = 0; i < s->rows_n; i++) {
		const struct repeat_row *r = &s->row[i];
		char mean[32], low[32], high[32], min[32], max[32];

		comparison_value(r->mean, r->unit, mean, sizeof(mean));
		comparison_value(r->low, r->unit, low, sizeof(low));
		comparison_value(r->high, r->unit, high, sizeof(high));
		comparison_value(r->min, r->unit, min, sizeof(min));
		comparison_value(r->max, r->unit, max, sizeof(max));
		if (!i || strcmp(r->job, r[-1].job) != 0 ||
		    strcmp(r->direction, r[-1].direction) != 0) {
			fputs("  ", to);
			text_plain(to, r->job, "");
			fprintf(to, ", %s:\n", r->direction);
		}
		fprintf(to, "    %-7s %10s", r->metric, mean);
		if (r->n > 1)
			fprintf(to, " +- %5.2f %%  %10s .. %-10s", r->width, low, high);
		fprintf(to, "  (%s .. %s)\n", min, max);
	}
	if (!s->reached && isfinite(s->width))
		fprintf(to,
			"  The interval of %s is +- %.2f %%, wider than the requested %.4g %%.\n",
			s->metric, s->width, s->width_asked);
}

static void repeats_row_json(struct jsonw *w, const struct repeat_row *r)
{
	static const char *const unit[] = {"1/s", "B/s", "ns"};

	jsonw_object(w, NULL);
	jsonw_string(w, "job", r->job);
	jsonw_string(w, "direction", r->direction);
	jsonw_string(w, "metric", r->metric);
	jsonw_string(w, "unit", unit[r->unit]);
	jsonw_uint(w, "n", r->n);
	jsonw_float(w, "mean", r->mean);
	jsonw_float(w, "low", r->low);
	jsonw_float(w, "high", r->high);
	jsonw_float(w, "min", r->min);
	jsonw_float(w, "max", r->max);
	if (r->n > 1)
		jsonw_float(w, "width_percent", r->width);
	jsonw_close(w);
}

void repeats_json(struct jsonw *w, const struct repeat_summary *s)
{
	jsonw_object(w, "repeat");
	jsonw_uint(w, "runs", s->n);
	jsonw_bool(w, "automatic", s->automatic);
	jsonw_string(w, "metric", s->metric);
	if (s->automatic) {
		jsonw_float(w, "width_asked_percent", s->width_asked);
		jsonw_bool(w, "reached", s->reached);
	}
	jsonw_array(w, "rows");
	for (unsigned i = 0; i < s->rows_n; i++)
		repeats_row_json(w, &s->row[i]);
	jsonw_close(w);
	jsonw_close(w);
}
