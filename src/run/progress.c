/* A picture of the running workers for the status line, from their progress lines only. */
#include "run/progress.h"

/* How far a worker is, 0..1 (< 0: cannot be told), and how much longer it will take. */
struct estimate {
	double done;
	uint64_t left_ns; /* UINT64_MAX: cannot be told */
};

static uint64_t progress_measured_bytes(const struct worker *w)
{
	uint64_t bytes = 0;

	for (unsigned d = 0; d < DIRS; d++)
		bytes += __atomic_load_n(&w->stats[d].bytes, __ATOMIC_RELAXED);
	return bytes;
}

/* By time or by amount, whichever ends first. */
static struct estimate progress_estimate(const struct worker *w, uint64_t now)
{
	const struct plan_job *pj = w->pj;
	bool go = atomic_load_explicit(&w->thread.go, memory_order_acquire);
	uint64_t at = go ? atomic_load_explicit(&w->thread.go_at, memory_order_relaxed)
			 : now; /* as if it began now: what comes before is another's time */
	uint64_t passed = now > at ? now - at : 0, delay = at > now ? at - now : 0;
	uint64_t total = pj->ramp_ns + pj->run_ns, bytes = progress_measured_bytes(w);
	struct estimate o = {-1, UINT64_MAX};

	if (pj->run_ns) {
		o.done = (double)passed / (double)total;
		o.left_ns = delay + (passed < total ? total - passed : 0);
	}
	if (pj->time_based || !pj->expect_bytes || pj->expect_bytes == UINT64_MAX)
		return o;
	double by_size = (double)bytes / (double)pj->expect_bytes;
	if (by_size > o.done)
		o.done = by_size;
	if (bytes && passed > pj->ramp_ns) {
		double left = by_size < 1 ? (double)(passed - pj->ramp_ns) * (1 / by_size - 1) : 0;
		if (left < (double)o.left_ns)
			o.left_ns = (uint64_t)left;
	}
	return o;
}

static void progress_add_rates(const struct plan_job *pj, struct progress *p)
{
	for (unsigned d = 0; d < DIRS; d++) {
		if (!job_moves(pj, d))
			continue;
		p->rate_max += pj->o->rate[d];
		p->rate_min += pj->o->rate_min[d];
		p->rate_iops_max += (uint64_t)pj->o->rate_iops[d];
		p->rate_iops_min += (uint64_t)pj->o->rate_iops_min[d];
	}
}

static void progress_add_counts(const struct worker *w, struct progress *p)
{
	for (unsigned d = 0; d < DIRS; d++) {
		p->bytes[d] += worker_bytes(w, d);
		p->ios[d] += worker_ios(w, d);
	}
}

/* Waves follow each other; inside one the longest counts, and who waits for another job comes after
 * it. */
struct remaining {
	unsigned stage;
	uint64_t before, longest, waiting; /* earlier stages; this one */
	uint64_t least;			   /* with exitall the first to end ends all */
};

static void progress_remaining_add(struct remaining *r, const struct worker *w, uint64_t left_ns)
{
	if (w->pj->stage != r->stage) {
		r->before += r->longest + r->waiting;
		r->longest = r->waiting = 0;
		r->stage = w->pj->stage;
	}
	uint64_t *most = w->pj->wait_n && !atomic_load_explicit(&w->thread.go, memory_order_relaxed)
				 ? &r->waiting
				 : &r->longest;
	if (left_ns > *most)
		*most = left_ns;
	if (left_ns < r->least)
		r->least = left_ns;
}

void progress_fill(const struct pool *c, uint64_t now, struct progress *p, char *states)
{
	struct remaining r = {.least = UINT64_MAX};
	bool done_known = true, left_known = true;
	double done = 0;

	*p = (struct progress){
		.now_ns = now, .states = states, .states_n = c->plan->jobs_n, .done = -1};
	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		const struct worker *w = c->env.workers[i];
		unsigned state = atomic_load_explicit(&w->shared.state, memory_order_relaxed);
		states[i] = (char)atomic_load_explicit(&w->shared.letter, memory_order_relaxed);
		progress_add_counts(w, p);
		if (state == WORKER_DONE || state == WORKER_CRASHED) {
			done += 1;
			continue;
		}
		if (state >= WORKER_RUN) {
			p->running++;
			progress_add_rates(w->pj, p);
		}
		p->open_files += atomic_load_explicit(&w->shared.open_files, memory_order_relaxed);
		struct estimate o = progress_estimate(w, now);
		done_known &= o.done >= 0;
		done += o.done > 1 ? 1 : o.done;
		left_known &= o.left_ns != UINT64_MAX;
		if (o.left_ns != UINT64_MAX)
			progress_remaining_add(&r, w, o.left_ns);
	}
	if (done_known && c->plan->jobs_n)
		p->done = done / c->plan->jobs_n;
	p->eta_ns = !left_known	       ? UINT64_MAX
		    : c->plan->exitall ? r.least
				       : r.before + r.longest + r.waiting;
	if (c->plan->exitall && r.least == UINT64_MAX)
		p->eta_ns = 0;
}
