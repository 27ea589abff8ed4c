#include "workload/think.h"
#include "base/check.h"
#include <assert.h>

void think_init(struct think *t, const struct plan_job *pj)
{
	const struct job_opts *o = pj->o;

	assert(pj && pj->o);
	*t = (struct think){0};
	t->ns = o->thinktime;
	t->on = t->ns > 0;
	t->spin_ns = o->thinktime_spin < t->ns ? o->thinktime_spin : t->ns;
	t->blocks = o->thinktime_blocks ? o->thinktime_blocks : 1;
	t->iotime_ns = o->thinktime_iotime;
	t->completions = o->thinktime_blocks_type == THINK_COMPLETE;
	/* With a time the default of one block would make the time moot. */
	t->by_blocks = !t->iotime_ns || (pj->job && job_given(pj->job, OPT_thinktime_blocks));
}

void think_start(struct think *t, uint64_t now)
{
	t->since = now;
}

static bool think_wait_out(const struct think *t, uint64_t now, struct workload_fill *out)
{
	uint64_t spin = t->from + t->spin_ns;

	out->state = WORKLOAD_WAIT;
	out->wake = t->wake;
	out->spin_until = t->spin_ns && now < spin ? spin : 0;
	return false;
}

bool think_allows(struct think *t, uint64_t now, unsigned in_flight, struct workload_fill *out,
		  uint64_t *paused)
{
	hot_assert(t->on && !(t->draining && t->pausing));
	*paused = 0;
	if (t->pausing) {
		if (now < t->wake)
			return think_wait_out(t, now, out);
		t->pausing = false;
		t->since = now;
		*paused = now - t->from;
	}
	if (!t->draining) {
		if (!t->issued)
			return true;
		if (!(t->by_blocks && t->count >= t->mark + t->blocks) &&
		    !(t->iotime_ns && now - t->since >= t->iotime_ns))
			return true;
		t->draining = true;
		t->mark = t->count;
	}
	if (in_flight) {
		out->state = WORKLOAD_DRAIN;
		return false;
	}
	t->draining = false;
	t->pausing = true;
	t->issued = 0;
	t->from = now;
	t->wake = now + t->ns;
	return think_wait_out(t, now, out);
}
