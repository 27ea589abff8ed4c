#include "cmd/repeat.h"
#include "judge/record_result.h"
#include "cmd/sides.h"
#include "report/comparison.h"
#include "report/repeats.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int repeater_open(struct repeater *p, const struct cmdline *cl, struct err *err)
{
	*p = (struct repeater){.cl = cl, .most = cl->repeat.n ? cl->repeat.n : 1};
	arena_init(&p->arena, (size_t)2 << 30);
	snapshots_init(&p->kept);
	p->run = arena_new(&p->arena, const struct record *, p->most);
	if (!p->run)
		return err_set(err, ERR_SETUP, ENOMEM, "out of memory for repeats");
	return cl->baseline ? side_read(cl->baseline, &p->arena, &p->base, err) : 0;
}

void repeater_close(struct repeater *p)
{
	snapshots_release(&p->kept);
	arena_release(&p->arena);
}

static bool repeat_another(const struct repeater *p, const struct result *r)
{
	if (p->enough || p->n >= p->most || r->interrupted || r->exit_code)
		return false;
	if (p->summary.automatic && p->summary.reached)
		return false;
	/* Would the next one, as long as those before, end in time? */
	return !p->cl->max_time_ns || p->elapsed_ns + p->elapsed_ns / p->n <= p->cl->max_time_ns;
}

static int repeat_against_baseline(struct repeater *p, struct diag *diag)
{
	static const char *const label = "this run";
	struct compare_side *now = arena_new(&p->arena, struct compare_side, 1);
	struct compare_options o = {.seed = 1};
	struct err err = {0};

	if (!now)
		return -ENOMEM;
	*now = (struct compare_side){.label = label, .run = p->run, .n = p->n};
	int ret = compare(&p->base, now, &o, &p->arena, &p->comparison, &err);
	if (ret) {
		diag_add_err(diag, "baseline", -1, &err);
		return ret;
	}
	p->compared = true;
	p->refused = p->comparison.options_n > 0;
	for (unsigned i = 0; i < p->comparison.options_n; i++) {
		const struct compare_difference *d = &p->comparison.option[i];
		diag_add(diag, DIAG_ERROR, ERR_USAGE, "baseline-options", NULL, -1,
			 "compare them with fathom compare --force, or take a new baseline",
			 "%s cannot serve as baseline: job %s had %s=%s, now %s", p->base.label,
			 d->job, d->key, d->a ? d->a : "(not given)", d->b ? d->b : "(not given)");
	}
	return 0;
}

static void repeat_say_width(const struct repeater *p, struct diag *diag)
{
	const struct repeat_summary *s = &p->summary;

	if (s->reached)
		return;
	if (isfinite(s->width))
		diag_add(diag, DIAG_WARNING, ERR_LIMIT, "repeat-width", NULL, -1,
			 "allow more time (--max-time), use longer runs, or a quieter machine",
			 "after %u repeats the confidence interval of %s is within %.2f %%, not "
			 "%.4g %%",
			 s->n, s->metric, s->width, s->width_asked);
	else
		diag_add(diag, DIAG_WARNING, ERR_LIMIT, "repeat-width", NULL, -1,
			 "name a metric that the jobs measure, or give more time (--max-time)",
			 "after %u repeats there is no confidence interval of %s", s->n, s->metric);
}

static int repeat_take(struct repeater *p, const struct result *r)
{
	struct record *record = arena_new(&p->arena, struct record, 1);

	if (!record || record_of_result(r, "this run", &p->arena, record))
		return -ENOMEM;
	p->run[p->n++] = record;
	p->elapsed_ns += r->elapsed_ns;
	p->summary.automatic = p->cl->repeat.automatic;
	p->summary.width_asked = p->cl->repeat.width;
	p->summary.metric = p->cl->repeat.metric ? p->cl->repeat.metric : "iops";
	return repeat_summarise(p->run, p->n, &p->arena, &p->summary);
}

bool repeater_add(struct repeater *p, const struct result *r, struct output *o, struct diag *diag)
{
	assert(p && r);
	if (repeat_take(p, r)) {
		diag_add(diag, DIAG_ERROR, ERR_SETUP, "memory", NULL, -1, "",
			 "out of memory for repeats");
		o->fo.more = false;
		return false;
	}
	o->fo.more = repeat_another(p, r);
	if (o->fo.more)
		return true;
	if (p->cl->repeat.n) {
		o->fo.summary = &p->summary;
		repeat_say_width(p, diag);
	}
	if (p->base.n && repeat_against_baseline(p, diag) == 0 && p->compared)
		o->fo.comparison = &p->comparison;
	return false;
}

void repeater_print(const struct repeater *p, struct output *o)
{
	if (!o->normal)
		return;
	if (o->fo.summary)
		repeats_print(&p->summary, o->to);
	if (p->compared) {
		fputc('\n', o->to);
		if (comparison_print(&p->comparison, 1, COMPARISON_TABLE, o->to) && !o->error)
			o->error = EIO;
	}
}

int repeater_status(const struct repeater *p)
{
	if (p->base.n && (!p->compared || p->refused))
		return 1;
	return p->compared && compare_slower(&p->comparison, NULL) ? EXIT_SLOWER : 0;
}
