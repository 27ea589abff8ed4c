/* A picture of the running workers for the status line, from their progress lines only. */
#include "run/crew.h"

static uint64_t shared(const _Atomic uint64_t *v)
{
	return atomic_load_explicit(v, memory_order_relaxed);
}

/* How far a worker is, 0..1, and when it will be done; by time or by amount, whichever ends first.
 */
static double done_of(const struct worker *w, uint64_t now, uint64_t *eta)
{
	const struct plan_job *pj = w->pj;
	uint64_t begun = atomic_load_explicit(&w->go_at, memory_order_relaxed);
	uint64_t passed = now > begun ? now - begun : 0, total = pj->run_ns + pj->ramp_ns,
		 bytes = 0;
	double by_time = -1, by_size = -1;

	*eta = UINT64_MAX;
	if (pj->run_ns) {
		by_time = total ? (double)passed / (double)total : 1;
		*eta = passed < total ? total - passed : 0;
	}
	for (unsigned d = 0; d < DIRS; d++)
		bytes += shared(&w->shared.bytes[d]);
	if (!pj->time_based && pj->expect_bytes && pj->expect_bytes != UINT64_MAX) {
		by_size = (double)bytes / (double)pj->expect_bytes;
		if (bytes) {
			double left = (double)passed * (1 / by_size - 1);
			if (left < 0)
				left = 0;
			if (left < (double)*eta)
				*eta = (uint64_t)left;
		}
	}
	return by_time > by_size ? by_time : by_size;
}

static void add_rates(const struct plan_job *pj, struct progress *p)
{
	for (unsigned d = 0; d < DIRS; d++) {
		p->rate_max += pj->o->rate[d];
		p->rate_min += pj->o->rate_min[d];
		p->rate_iops_max += (uint64_t)pj->o->rate_iops[d];
		p->rate_iops_min += (uint64_t)pj->o->rate_iops_min[d];
	}
}

void progress_fill(const struct crew *c, uint64_t now, struct progress *p, char *states)
{
	double done = 0;
	bool known = true;

	*p = (struct progress){
		.now_ns = now, .states = states, .states_n = c->plan->jobs_n, .done = -1};
	p->eta_ns = 0;
	for (unsigned i = 0; i < c->plan->jobs_n; i++) {
		const struct worker *w = c->workers[i];
		uint64_t eta = 0;
		states[i] = w ? (char)atomic_load_explicit(&w->shared.letter, memory_order_relaxed)
			      : 'P';
		if (!w) {
			known = false;
			continue;
		}
		unsigned s = atomic_load_explicit(&w->shared.state, memory_order_relaxed);
		for (unsigned d = 0; d < DIRS; d++) {
			p->bytes[d] += shared(&w->shared.bytes[d]);
			p->ios[d] += shared(&w->shared.ios[d]);
		}
		if (s == WORKER_DONE || s == WORKER_CRASHED) {
			done += 1;
			continue;
		}
		if (s >= WORKER_RUN) {
			p->running++;
			add_rates(w->pj, p);
		}
		p->open_files += atomic_load_explicit(&w->shared.open_files, memory_order_relaxed);
		double d = done_of(w, now, &eta);
		if (d < 0)
			known = false;
		else
			done += d > 1 ? 1 : d;
		if (eta > p->eta_ns)
			p->eta_ns = eta;
	}
	if (known && c->plan->jobs_n)
		p->done = done / c->plan->jobs_n;
	else
		p->eta_ns = UINT64_MAX;
}
