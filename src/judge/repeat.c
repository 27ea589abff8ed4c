#include "judge/repeat.h"
#include "judge/compare_row.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned repeat_gather(const struct record *const *run, unsigned n, unsigned job,
			      unsigned dir, const char *metric, double *v)
{
	unsigned got = 0;

	for (unsigned i = 0; i < n; i++) {
		double x = job < run[i]->jobs_n
				   ? compare_value(&run[i]->jobs[job].flow[dir], metric)
				   : 0;
		if (x > 0)
			v[got++] = x;
	}
	return got;
}

static void repeat_judge_row(const double *v, unsigned n, struct repeat_row *r)
{
	struct stats_values x = {v, n};
	struct stats_interval iv;

	r->n = n;
	r->mean = r->low = r->high = stats_mean(&x);
	r->min = r->max = v[0];
	for (unsigned i = 1; i < n; i++) {
		r->min = fmin(r->min, v[i]);
		r->max = fmax(r->max, v[i]);
	}
	if (stats_repeats_mean(&x, &iv))
		return;
	r->low = iv.low;
	r->high = iv.high;
	r->width = 100 * (iv.high - iv.value) / iv.value;
}

struct builder {
	const struct record *const *run;
	unsigned n, rows_room;
	struct arena *arena;
	struct repeat_summary *s;
	double *v;
};

static int repeat_add_row(struct builder *b, unsigned job, unsigned dir, const char *metric,
			  enum compare_unit unit)
{
	unsigned n = metric ? repeat_gather(b->run, b->n, job, dir, metric, b->v) : 0;
	struct repeat_row *r = &b->s->row[b->s->rows_n];

	if (!metric)
		return -ENOMEM;
	if (!n || b->s->rows_n == b->rows_room)
		return 0;
	*r = (struct repeat_row){.job = b->run[0]->jobs[job].name,
				 .direction = direction_name[dir],
				 .metric = metric,
				 .unit = unit};
	repeat_judge_row(b->v, n, r);
	b->s->rows_n++;
	return 0;
}

static int repeat_add_flow(struct builder *b, unsigned job, unsigned dir)
{
	const struct record_lat *l = flow_percentiles(&b->run[0]->jobs[job].flow[dir]);
	int ret = repeat_add_row(b, job, dir, "iops", COMPARE_PER_SECOND);

	if (!ret)
		ret = repeat_add_row(b, job, dir, "bw", COMPARE_BYTES_PER_SECOND);
	if (!ret)
		ret = repeat_add_row(b, job, dir, "lat", COMPARE_NS);
	for (unsigned i = 0; i < l->percentiles_n && !ret; i++)
		ret = repeat_add_row(b, job, dir, arena_printf(b->arena, "p%.8g", l->percentile[i]),
				     COMPARE_NS);
	return ret;
}

/* "p99.0" is "p99" */
static bool repeat_same_metric(const char *a, const char *b)
{
	if (*a == 'p' && *b == 'p')
		return fabs(strtod(a + 1, NULL) - strtod(b + 1, NULL)) < 1e-7;
	return !strcmp(a, b);
}

static void repeat_decide(struct repeat_summary *s)
{
	bool any = false;

	s->width = 0;
	for (unsigned i = 0; i < s->rows_n; i++) {
		if (!repeat_same_metric(s->row[i].metric, s->metric))
			continue;
		any = true;
		s->width = s->row[i].n < 2 ? HUGE_VAL : fmax(s->width, s->row[i].width);
	}
	if (!any)
		s->width = HUGE_VAL;
	s->reached = !s->automatic || (s->n >= REPEAT_LEAST && s->width <= s->width_asked);
}

int repeat_summarise(const struct record *const *run, unsigned n, struct arena *arena,
		     struct repeat_summary *s)
{
	unsigned jobs = run[0]->jobs_n;
	struct builder b = {.run = run, .n = n, .arena = arena, .s = s};
	int ret = 0;

	b.rows_room = jobs * RECORD_DIRS * (3 + RECORD_PERCENTILES);
	b.v = arena_new(arena, double, n);
	s->row = arena_new(arena, struct repeat_row, b.rows_room + 1);
	s->rows_n = 0;
	s->n = n;
	if (!b.v || !s->row)
		return -ENOMEM;
	for (unsigned j = 0; j < jobs && !ret; j++)
		for (unsigned d = 0; d < RECORD_DIRS && !ret; d++)
			if (run[0]->jobs[j].flow[d].ios > 0)
				ret = repeat_add_flow(&b, j, d);
	repeat_decide(s);
	return ret;
}
