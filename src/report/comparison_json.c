#include "report/comparison_json.h"
#include <assert.h>

static void comparison_json_side(struct jsonw *w, const char *key, const struct compare_side *s)
{
	jsonw_object(w, key);
	jsonw_string(w, "label", s->label);
	jsonw_string(w, "tool", s->run[0]->tool);
	jsonw_uint(w, "runs", s->n);
	jsonw_close(w);
}

static void comparison_json_value(struct jsonw *w, const char *key, const char *text)
{
	if (text)
		jsonw_string(w, key, text);
	else
		jsonw_null(w, key);
}

static void comparison_json_differences(struct jsonw *w, const char *key,
					const struct compare_difference *d, unsigned n)
{
	jsonw_array(w, key);
	for (unsigned i = 0; i < n; i++) {
		jsonw_object(w, NULL);
		if (d[i].job)
			jsonw_string(w, "job", d[i].job);
		jsonw_string(w, "key", d[i].key);
		comparison_json_value(w, "baseline", d[i].a);
		comparison_json_value(w, "now", d[i].b);
		jsonw_close(w);
	}
	jsonw_close(w);
}

static void comparison_json_row(struct jsonw *w, const struct compare_flow *f,
				const struct compare_row *r)
{
	static const char *const unit[] = {"1/s", "B/s", "ns"};

	jsonw_object(w, NULL);
	jsonw_string(w, "job", f->job);
	jsonw_string(w, "direction", f->direction);
	jsonw_string(w, "metric", r->metric);
	jsonw_string(w, "unit", unit[r->unit]);
	jsonw_float(w, "baseline", r->a);
	jsonw_float(w, "now", r->b);
	jsonw_float(w, "change_percent", r->change);
	jsonw_string(w, "method", compare_method_text(r->method));
	if (r->method != COMPARE_NOTHING) {
		jsonw_float(w, "low_percent", r->low);
		jsonw_float(w, "high_percent", r->high);
		jsonw_float(w, "detectable_percent", r->detectable);
	}
	jsonw_string(w, "verdict", compare_verdict_text(r->verdict));
	if (r->verdict == COMPARE_UNKNOWN) {
		if (r->why)
			jsonw_string(w, "why", r->why);
		if (r->run_s > 0)
			jsonw_float(w, "run_seconds", r->run_s);
		if (r->repeats)
			jsonw_uint(w, "repeats", r->repeats);
	}
	jsonw_close(w);
}

void comparison_member(struct jsonw *w, const char *key, const struct comparison *c)
{
	jsonw_object(w, key);
	comparison_json_side(w, "baseline", c->a);
	comparison_json_side(w, "now", c->b);
	jsonw_float(w, "resolve_percent", c->resolve);
	comparison_json_differences(w, "options", c->option, c->options_n);
	comparison_json_differences(w, "host", c->host, c->hosts_n);
	jsonw_array(w, "remarks");
	for (unsigned i = 0; i < c->remarks_n; i++)
		jsonw_string(w, NULL, c->remark[i]);
	jsonw_close(w);
	jsonw_array(w, "rows");
	for (unsigned i = 0; i < c->flows_n; i++)
		for (unsigned k = 0; k < c->flow[i].n; k++)
			comparison_json_row(w, &c->flow[i], &c->flow[i].row[k]);
	jsonw_close(w);
	jsonw_close(w);
}

void comparison_json(const struct comparison *c, unsigned n, FILE *to)
{
	struct jsonw w;

	assert(c && to);
	jsonw_init(&w, to, false, 0);
	jsonw_object(&w, NULL);
	jsonw_array(&w, "comparisons");
	for (unsigned i = 0; i < n; i++)
		comparison_member(&w, NULL, &c[i]);
	jsonw_close(&w);
	jsonw_close(&w);
	fputc('\n', to);
}
