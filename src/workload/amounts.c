/* Amounts and passes: below both fill functions, which ask what holds when nothing more fits. */
#include "workload/amounts.h"
#include "workload/files.h"

void amounts_init(struct workload *l, const struct workload_setup *setup)
{
	const struct plan_job *pj = setup->plan;
	uint64_t region = 0;

	for (unsigned i = 0; i < l->files_n; i++) {
		const struct workload_file *f = &l->files[i];
		region += f->bytes;
		l->tail_bytes += f->bytes - f->blocks * l->unit;
	}
	l->limit_bytes = pj->time_based ? 0 : pj->limit_bytes;
	l->limit_ios = pj->time_based ? 0 : pj->limit_ios;
	l->loops = pj->loops ? pj->loops : 1;
	l->wraps_always = !l->limit_bytes || l->limit_bytes > region;
	l->counting = !pj->ramp_ns && !pj->ramp_bytes;
	l->stop_at_wrap = setup->stop_at_wrap;
	l->ended = l->usable == 0;
}

void amounts_begin_pass(struct workload *l)
{
	l->loop_over = false;
	amounts_settle(l);
	l->stretch = l->granted = 0;
	l->counts.passes++;
	l->counts.tail_bytes = l->tail_bytes;
	files_begin_pass(l);
}

void amounts_say_spent(struct workload *l, struct workload_fill *out)
{
	if (l->counting && l->limit_ios && l->total_ios >= l->limit_ios)
		l->ended = true;
	if (!l->ended)
		l->loop_over = true;
	out->state = l->ended ? WORKLOAD_END : WORKLOAD_LOOP;
}

bool amounts_pass_over(struct workload *l, struct workload_fill *out)
{
	if (!amounts_wrap(l)) {
		l->loop_over = true;
		amounts_say_spent(l, out);
		return false;
	}
	amounts_begin_pass(l);
	if (!l->stop_at_wrap)
		return true;
	out->state = WORKLOAD_WRAP;
	return false;
}
