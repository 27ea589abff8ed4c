#include "worker/state.h"
#include "worker/worker.h"
#include "worker/messages.h"
#include <assert.h>

/* The states that may follow each: bits 1 << state. A crash may come at any time, and is told by a
 * signal handler. */
#define TO(state) (1u << WORKER_##state)
static const uint16_t state_next[] = {
	[WORKER_NONE] = TO(NONE) | TO(SETUP) | TO(CRASHED),
	[WORKER_SETUP] = TO(SETUP) | TO(READY) | TO(DONE) | TO(CRASHED),
	[WORKER_READY] = TO(RUN) | TO(DONE) | TO(CRASHED),
	/* To itself: the ramp is over. Without draining: the files of the next loop cannot be
	 * opened, while nothing is in flight. */
	[WORKER_RUN] = TO(RUN) | TO(DRAIN) | TO(FLUSH) | TO(DONE) | TO(CRASHED),
	[WORKER_DRAIN] = TO(FLUSH) | TO(DONE) | TO(CRASHED),
	[WORKER_FLUSH] = TO(DONE) | TO(CRASHED),
	[WORKER_DONE] = TO(CRASHED),
	[WORKER_CRASHED] = TO(CRASHED),
};
#undef TO

void worker_set_state(struct worker *w, enum worker_state s)
{
	const struct plan_job *pj = w->pj;
	char letter = '_';

	assert(s <= WORKER_CRASHED && w->state <= WORKER_CRASHED);
	assert(state_next[w->state] & 1u << s);
	w->state = s;
	switch (s) {
	case WORKER_NONE:
		letter = 'P';
		break;
	case WORKER_SETUP:
	case WORKER_READY:
		letter = 'I';
		break;
	case WORKER_RUN:
	case WORKER_DRAIN:
		if (w->io_flags & IO_RAMP)
			letter = '/';
		else if (pj->reads && pj->writes && pj->o->rwmixread < 100 && pj->o->rwmixread > 0)
			letter = pj->o->rw.bits & RW_RANDOM ? 'm' : 'M';
		else if (pj->writes && !(pj->reads && pj->o->rwmixread >= 100))
			letter = pj->o->rw.bits & RW_RANDOM ? 'w' : 'W';
		else if (pj->trims)
			letter = pj->o->rw.bits & RW_RANDOM ? 'd' : 'D';
		else
			letter = pj->o->rw.bits & RW_RANDOM ? 'r' : 'R';
		break;
	case WORKER_FLUSH:
		letter = 'F';
		break;
	case WORKER_DONE:
		letter = w->outcome.error ? 'X' : '_';
		break;
	case WORKER_CRASHED:
		letter = 'K';
		break;
	}
	atomic_store_explicit(&w->shared.letter, (unsigned)letter, memory_order_relaxed);
	atomic_store_explicit(&w->shared.state, (unsigned)s, memory_order_release);
}

void worker_stop(struct worker *w, enum end_reason why)
{
	assert(why != END_NONE);
	if (w->state != WORKER_RUN)
		return;
	if (w->outcome.end == END_NONE)
		w->outcome.end = why;
	worker_set_state(w, WORKER_DRAIN);
}

void worker_fail(struct worker *w, int error, enum err_class cls, const char *text)
{
	assert(error > 0 && cls != ERR_NONE);
	if (!w->outcome.error) {
		w->outcome.error = error;
		w->outcome.error_class = cls;
		w->outcome.error_text = text;
	}
	if (w->outcome.end == END_NONE || w->outcome.end == END_ERROR)
		w->outcome.end = cls == ERR_LIMIT ? END_LIMIT : END_ERROR;
	worker_stop(w, w->outcome.end);
	w->pending_n = 0;
	worker_job_error(w, error, cls, text);
}

void worker_reap_failed(struct worker *w, int error)
{
	assert(error > 0);
	/* Again while it drains: nothing will come back any more. */
	if (w->state != WORKER_RUN && w->outcome.error) {
		w->engine->ops->cancel(w->engine);
		w->abandoned = true;
		return;
	}
	worker_fail(w, error, ERR_IO, "the engine could not collect completions");
}
