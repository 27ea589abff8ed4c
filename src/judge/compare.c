/* Which jobs and directions of two sides belong together, and what the sides differ in besides
 * their numbers. */
#include "judge/compare.h"
#include "judge/compare_row.h"
#include "judge/bins.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REMARKS_MOST 64

struct builder {
	struct comparison *c;
	const struct compare_options *o;
	struct arena *arena;
	unsigned flows_room, options_room, hosts_room;
};

const char *compare_verdict_text(enum compare_verdict v)
{
	static const char *const text[] = {"no difference seen", "faster", "slower", "cannot tell"};

	return text[v];
}

const char *compare_method_text(enum compare_method m)
{
	static const char *const text[] = {"none", "repeats", "series", "bins", "samples"};

	return text[m];
}

static int compare_remark(struct builder *b, const char *text)
{
	if (!text)
		return -ENOMEM;
	if (!b->c->remark)
		b->c->remark = arena_new(b->arena, const char *, REMARKS_MOST);
	if (!b->c->remark)
		return -ENOMEM;
	if (b->c->remarks_n < REMARKS_MOST)
		b->c->remark[b->c->remarks_n++] = text;
	return 0;
}

/* The job of a name that is the nth of that name. */
static const struct record_job *compare_find_job(const struct record *r, const char *name,
						 unsigned nth)
{
	for (unsigned i = 0; i < r->jobs_n; i++)
		if (!strcmp(r->jobs[i].name, name) && !nth--)
			return &r->jobs[i];
	return NULL;
}

static unsigned compare_nth_of_name(const struct record *r, unsigned job)
{
	unsigned nth = 0;

	for (unsigned i = 0; i < job; i++)
		nth += !strcmp(r->jobs[i].name, r->jobs[job].name);
	return nth;
}

/* What a run is called, written or shown does not change what it measures. */
static bool compare_matters(const struct builder *b, const char *option)
{
	static const char *const not [] = {"name",
					   "description",
					   "percentile_list",
					   "clat_percentiles",
					   "lat_percentiles",
					   "slat_percentiles",
					   "significant_figures",
					   "unit_base",
					   "kb_base",
					   "write_bw_log",
					   "write_iops_log",
					   "write_lat_log",
					   "write_hist_log",
					   "log_avg_msec",
					   "log_hist_msec",
					   "per_job_logs",
					   "log_offset",
					   "disk_util",
					   "eta_newline",
					   "stats"};

	for (unsigned i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		if (!strcmp(not [i], option))
			return false;
	for (unsigned i = 0; i < b->o->allow_n; i++)
		if (!strcmp(b->o->allow[i], option))
			return false;
	return true;
}

static int compare_add_difference(struct arena *arena, struct compare_difference **list,
				  unsigned *n, unsigned *room, const struct compare_difference *d)
{
	for (unsigned i = 0; i < *n; i++) {
		const struct compare_difference *e = &(*list)[i];
		bool same_job = e->job == d->job || (e->job && d->job && !strcmp(e->job, d->job));
		if (same_job && !strcmp(e->key, d->key))
			return 0;
	}
	if (*n == *room) {
		unsigned more = *room ? 2 * *room : 16;
		struct compare_difference *grown =
			arena_new(arena, struct compare_difference, more);
		if (!grown)
			return -ENOMEM;
		if (*n)
			memcpy(grown, *list, *n * sizeof(*grown));
		*list = grown;
		*room = more;
	}
	(*list)[(*n)++] = *d;
	return 0;
}

static bool compare_same_value(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* fio leaves flags without a value out of its JSON. */
static bool compare_fio_hides(const struct record *r, const char *value)
{
	return !r->ours && value && (!*value || !strcmp(value, "1"));
}

static int compare_diff_options(struct builder *b, const char *job, const struct record *ra,
				const struct record_pairs *pa, const struct record *rb,
				const struct record_pairs *pb)
{
	const struct record_pairs *both[2] = {pa, pb};

	for (unsigned s = 0; s < 2; s++) {
		for (unsigned i = 0; i < both[s]->n; i++) {
			const char *key = both[s]->v[i].key;
			struct compare_difference d = {job, key, record_pair(pa, key),
						       record_pair(pb, key)};
			if (compare_same_value(d.a, d.b) || !compare_matters(b, key) ||
			    (!d.a && compare_fio_hides(ra, d.b)) ||
			    (!d.b && compare_fio_hides(rb, d.a)))
				continue;
			if (compare_add_difference(b->arena, &b->c->option, &b->c->options_n,
						   &b->options_room, &d))
				return -ENOMEM;
		}
	}
	return 0;
}

static int compare_diff_host(struct builder *b, const struct record *ra, const struct record *rb)
{
	const struct record_pairs *both[2] = {&ra->host, &rb->host};
	struct compare_difference tool = {NULL, "tool", ra->tool, rb->tool};

	if (!compare_same_value(tool.a, tool.b) &&
	    compare_add_difference(b->arena, &b->c->host, &b->c->hosts_n, &b->hosts_room, &tool))
		return -ENOMEM;
	if (!ra->host.n || !rb->host.n)
		return 0; /* one of them does not tell */
	for (unsigned s = 0; s < 2; s++) {
		for (unsigned i = 0; i < both[s]->n; i++) {
			const char *key = both[s]->v[i].key;
			struct compare_difference d = {NULL, key, record_pair(&ra->host, key),
						       record_pair(&rb->host, key)};
			if (!compare_same_value(d.a, d.b) &&
			    compare_add_difference(b->arena, &b->c->host, &b->c->hosts_n,
						   &b->hosts_room, &d))
				return -ENOMEM;
		}
	}
	return 0;
}

/* The same job in every run of a side, NULL where a run lacks it. */
static const struct record_job **compare_jobs_of(struct builder *b, const struct compare_side *s,
						 const char *name, unsigned nth, unsigned place)
{
	const struct record_job **list = arena_new(b->arena, const struct record_job *, s->n);

	for (unsigned i = 0; list && i < s->n; i++) {
		list[i] = compare_find_job(s->run[i], name, nth);
		if (!list[i] && b->o->by_place && place < s->run[i]->jobs_n)
			list[i] = &s->run[i]->jobs[place];
	}
	return list;
}

static int compare_flows_of(struct builder *b, const struct record_job **job, unsigned n,
			    unsigned dir, struct flow_set *out)
{
	out->flow = arena_new(b->arena, const struct record_flow *, n);
	out->n = 0;
	if (!out->flow)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		if (job[i] && job[i]->flow[dir].ios > 0)
			out->flow[out->n++] = &job[i]->flow[dir];
	return 0;
}

static int compare_add_row(struct builder *b, struct compare_flow *f, const struct flow_set *x,
			   const struct flow_set *y, enum row_kind kind, double percentile,
			   const char *name)
{
	struct compare_row *row = &f->row[f->n];

	assert(x->n && y->n);
	if (!name)
		return -ENOMEM;
	*row = (struct compare_row){.metric = name};
	int ret = row_judge(x, y, kind, percentile, b->o, b->arena, row);
	if (ret)
		return ret;
	/* Where neither side has a value there is nothing to say. */
	f->n += row->a > 0 || row->b > 0;
	return 0;
}

static int compare_judge_flow(struct builder *b, const char *job, unsigned dir,
			      const struct flow_set *x, const struct flow_set *y)
{
	struct compare_flow *f = &b->c->flow[b->c->flows_n];
	const struct record_lat *l = flow_percentiles(x->flow[0]);

	*f = (struct compare_flow){.job = job, .direction = direction_name[dir]};
	f->row = arena_new(b->arena, struct compare_row, 3 + l->percentiles_n);
	if (!f->row)
		return -ENOMEM;
	int ret = compare_add_row(b, f, x, y, ROW_IOPS, 0, "iops");
	if (!ret)
		ret = compare_add_row(b, f, x, y, ROW_BW, 0, "bw");
	if (!ret)
		ret = compare_add_row(b, f, x, y, ROW_LAT, 0, "lat");
	for (unsigned i = 0; i < l->percentiles_n && !ret; i++)
		if (flow_percentile(y->flow[0], l->percentile[i]) > 0)
			ret = compare_add_row(b, f, x, y, ROW_PERCENTILE, l->percentile[i],
					      arena_printf(b->arena, "p%.8g", l->percentile[i]));
	b->c->flows_n++;
	return ret;
}

static int compare_remark_errors(struct builder *b, const struct compare_side *s,
				 const struct record_job **job)
{
	for (unsigned i = 0; i < s->n; i++) {
		const char *name = job[i] ? job[i]->name : "a job";
		int ret = 0;
		if (!job[i])
			ret = compare_remark(b,
					     arena_printf(b->arena, "%s lacks a job of the others",
							  s->run[i]->file));
		else if (job[i]->error > 0)
			ret = compare_remark(b,
					     arena_printf(b->arena,
							  "%s: job %s failed with error %.0f: its "
							  "numbers are of what it did before",
							  s->run[i]->file, name, job[i]->error));
		if (ret)
			return ret;
	}
	return 0;
}

/* Options of every run against those of the first one of side a; so repeats that are none show as
 * well. */
static int compare_diff_jobs(struct builder *b, const struct record_job **ja,
			     const struct record_job **jb)
{
	const struct compare_side *x = b->c->a, *y = b->c->b;
	int ret = 0;

	for (unsigned i = 1; i < x->n && !ret; i++)
		if (ja[i])
			ret = compare_diff_options(b, ja[0]->name, x->run[0], &ja[0]->options,
						   x->run[i], &ja[i]->options);
	for (unsigned i = 0; i < y->n && !ret; i++)
		if (jb[i])
			ret = compare_diff_options(b, ja[0]->name, x->run[0], &ja[0]->options,
						   y->run[i], &jb[i]->options);
	return ret;
}

static bool compare_any_job(const struct record_job **job, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (job[i])
			return true;
	return false;
}

static int compare_judge_job(struct builder *b, unsigned place)
{
	const struct compare_side *x = b->c->a, *y = b->c->b;
	const struct record_job *first = &x->run[0]->jobs[place];
	unsigned nth = compare_nth_of_name(x->run[0], place);
	const struct record_job **ja = compare_jobs_of(b, x, first->name, nth, place);
	const struct record_job **jb = compare_jobs_of(b, y, first->name, nth, place);

	if (!ja || !jb)
		return -ENOMEM;
	if (!compare_any_job(jb, y->n))
		return compare_remark(
			b, arena_printf(b->arena, "job %s is in %s only", first->name, x->label));
	int ret = compare_diff_jobs(b, ja, jb);
	if (!ret)
		ret = compare_remark_errors(b, x, ja);
	if (!ret)
		ret = compare_remark_errors(b, y, jb);
	for (unsigned d = 0; d < RECORD_DIRS && !ret; d++) {
		struct flow_set fa, fb;
		ret = compare_flows_of(b, ja, x->n, d, &fa);
		if (!ret)
			ret = compare_flows_of(b, jb, y->n, d, &fb);
		if (!ret && fa.n && fb.n)
			ret = compare_judge_flow(b, first->name, d, &fa, &fb);
		else if (!ret && fa.n + fb.n)
			ret = compare_remark(b,
					     arena_printf(b->arena, "job %s: %s on one side only",
							  first->name, direction_name[d]));
	}
	return ret;
}

static int compare_remark_extra(struct builder *b)
{
	const struct record *x = b->c->a->run[0], *y = b->c->b->run[0];
	int ret = 0;

	for (unsigned i = 0; i < y->jobs_n && !ret; i++)
		if (!compare_find_job(x, y->jobs[i].name, compare_nth_of_name(y, i)) &&
		    !(b->o->by_place && i < x->jobs_n))
			ret = compare_remark(b, arena_printf(b->arena, "job %s is in %s only",
							     y->jobs[i].name, b->c->b->label));
	return ret;
}

static int compare_build(struct builder *b)
{
	const struct compare_side *x = b->c->a, *y = b->c->b;
	int ret = 0;

	b->c->flow = arena_new(b->arena, struct compare_flow,
			       (size_t)x->run[0]->jobs_n * RECORD_DIRS + 1);
	if (!b->c->flow)
		return -ENOMEM;
	for (unsigned i = 1; i < x->n && !ret; i++)
		ret = compare_diff_host(b, x->run[0], x->run[i]);
	for (unsigned i = 0; i < y->n && !ret; i++)
		ret = compare_diff_host(b, x->run[0], y->run[i]);
	for (unsigned i = 0; i < x->run[0]->jobs_n && !ret; i++)
		ret = compare_judge_job(b, i);
	return ret ? ret : compare_remark_extra(b);
}

int compare(const struct compare_side *a, const struct compare_side *b,
	    const struct compare_options *o, struct arena *arena, struct comparison *out,
	    struct err *err)
{
	struct comparison c = {.a = a, .b = b, .resolve = o->resolve > 0 ? o->resolve : 3};
	struct builder bu = {.c = &c, .o = o, .arena = arena};
	int ret = compare_build(&bu);

	assert(a && b && o && arena && out);
	if (ret)
		return err_set(err, ERR_SETUP, ENOMEM, "no memory to compare");
	if (!c.flows_n)
		return err_set(
			err, ERR_USAGE, ENOENT,
			"%s and %s have no job of the same name that did I/O in the same direction",
			a->label, b->label);
	*out = c;
	return 0;
}

static bool compare_listed(const char *metrics, const char *metric)
{
	size_t n = strlen(metric);

	for (const char *p = metrics; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
		if (!strncmp(p, metric, n) && (!p[n] || p[n] == ','))
			return true;
	return false;
}

bool compare_slower(const struct comparison *c, const char *metrics)
{
	for (unsigned i = 0; i < c->flows_n; i++)
		for (unsigned k = 0; k < c->flow[i].n; k++)
			if (c->flow[i].row[k].verdict == COMPARE_SLOWER &&
			    compare_listed(metrics ? metrics : "iops,bw,lat",
					   c->flow[i].row[k].metric))
				return true;
	return false;
}

double compare_value(const struct record_flow *f, const char *metric)
{
	char *end = NULL;

	if (!strcmp(metric, "iops"))
		return f->iops;
	if (!strcmp(metric, "bw"))
		return f->bw;
	if (!strcmp(metric, "lat"))
		return flow_latency(f)->mean;
	double p = *metric == 'p' ? strtod(metric + 1, &end) : 0;
	const struct record_lat *l = flow_percentiles(f);
	if (!(p > 0) || !end || *end || flow_percentile(f, p) <= 0)
		return 0;
	return l->bins_n ? bins_percentile(l, p) : flow_percentile(f, p);
}
