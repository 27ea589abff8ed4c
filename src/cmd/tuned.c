#include "cmd/tuned.h"

#include "cmd/recover.h"
#include "host/journal.h"
#include "host/journal_undo.h"
#include "host/latency.h"
#include "doctor/tune.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* A reader who left must not end us with the machine changed. */
static void tuned_block_pipe(struct tuned *t)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &set, &t->before);
}

static void tuned_unblock_pipe(const struct tuned *t)
{
	pthread_sigmask(SIG_SETMASK, &t->before, NULL);
}

static void tuned_say_what_is_left(struct session *s, const struct tune_plan *plan)
{
	for (unsigned i = 0; i < plan->refusals; i++)
		diag_add(&s->diag, DIAG_WARNING, ERR_SETUP, "tune-refused", NULL, -1,
			 "use a device that does not hold the root file system or swap",
			 "--tune does not change %s: it %s", plan->refusal[i].disk,
			 plan->refusal[i].what);
	for (unsigned i = 0; i < plan->remarks; i++)
		if (!strcmp(plan->remark[i].code, "irqbalance"))
			diag_add(&s->diag, DIAG_WARNING, ERR_SETUP, "tune-irqbalance", NULL, -1,
				 plan->remark[i].remedy, "%s: %s", plan->remark[i].subject,
				 plan->remark[i].text);
}

static void tuned_keep(struct tuned *t, const char *file, const char *from, const char *to)
{
	struct result_tuned *r = &t->list[t->n];
	r->file = arena_strdup(&t->arena, file);
	r->from = arena_strdup(&t->arena, from);
	r->to = arena_strdup(&t->arena, to);
	t->n += r->file && r->from && r->to;
}

static void tuned_change(struct tuned *t, struct session *s, struct tune_plan *plan,
			 struct arena *a)
{
	(void)tune_apply(plan, &host_here, t->journal, a);
	for (unsigned i = 0; i < plan->items; i++) {
		const struct tune_item *it = &plan->item[i];
		if (it->outcome == TUNE_DONE)
			tuned_keep(t, it->path, it->now, it->want);
		else
			diag_add(&s->diag, DIAG_WARNING, ERR_SETUP, "tune-failed", NULL, -1, "",
				 "--tune does not change %s: %s", it->path, it->words);
	}
}

static void tuned_hold_latency(struct tuned *t, struct session *s)
{
	t->latency = latency_hold(&host_here, 0);
	if (t->latency >= 0)
		tuned_keep(t, LATENCY_DEVICE, "", "0");
	else
		diag_add(&s->diag, DIAG_WARNING, ERR_SETUP, "tune-failed", NULL, -1, "",
			 "--tune cannot keep CPUs out of deep idle states: " LATENCY_DEVICE ": %s",
			 strerror(-t->latency));
}

static int tuned_start(struct tuned *t, struct session *s, const struct plan *plan, struct arena *a)
{
	struct doctor_input in = {.host = &host_here, .plan = plan};
	struct tune_plan todo;
	struct err err = {0};
	recover_dead_runs(&host_here, &s->diag);
	int ret = tune_make(&in, a, &todo);
	if (!ret) {
		t->list = arena_new(&t->arena, struct result_tuned, todo.items + 1);
		ret = t->list ? 0 : -ENOMEM;
	}
	if (ret) {
		err_set(&err, ERR_SETUP, -ret, "--tune: %s", strerror(-ret));
	} else {
		tuned_say_what_is_left(s, &todo);
		if (todo.items)
			ret = journal_open(&host_here, NULL, &t->journal, &err);
	}
	if (ret) {
		diag_add_err(&s->diag, "tune", -1, &err);
		return ret;
	}
	tuned_change(t, s, &todo, a);
	if (todo.sleeps)
		tuned_hold_latency(t, s);
	return 0;
}

int tuned_begin(struct tuned *t, struct session *s, const struct plan *plan)
{
	struct arena scratch;
	*t = (struct tuned){.latency = -1, .on = true};
	arena_init(&t->arena, 0);
	tuned_block_pipe(t);
	/* A simulated machine has no settings. */
	if (plan->virtual_clock)
		return 0;
	arena_init(&scratch, 0);
	int ret = tuned_start(t, s, plan, &scratch);
	arena_release(&scratch);
	if (ret)
		tuned_unblock_pipe(t);
	return ret;
}

void tuned_end(struct tuned *t, struct session *s)
{
	assert(t);
	struct journal_report r;
	if (t->latency >= 0)
		close(t->latency);
	if (t->journal) {
		journal_report_init(&r);
		int ret = journal_undo(t->journal, &r);
		if (ret || r.foreign || r.failed)
			diag_add(&s->diag, DIAG_WARNING, ERR_SETUP, "not-restored", NULL, -1, "",
				 "--tune could not restore all settings: %s",
				 ret ? strerror(-ret) : r.words.s);
		journal_close(t->journal);
		journal_report_release(&r);
	}
	tuned_unblock_pipe(t);
}

void tuned_release(struct tuned *t)
{
	if (t->on)
		arena_release(&t->arena);
}
