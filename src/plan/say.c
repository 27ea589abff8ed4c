/* Messages of planning, each with the place in what the user wrote. Their codes have rows in
 * base/findings.def. */
#include "plan/say.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

static const struct place *say_place_of(const struct draft *d, enum job_opt opt)
{
	if (opt < OPT_COUNT) {
		const struct place *at = &d->job->place[opt];
		if (at->line || at->col)
			return at;
	}
	return &d->job->at;
}

static bool say_same_place(const struct place *a, const struct place *b)
{
	return (a->line || a->col) && a->line == b->line && a->col == b->col && a->file &&
	       b->file && !strcmp(a->file, b->file);
}

/* Was it said about this job, or about the same words of a [global] for another one? text NULL:
 * anything. */
static bool say_said(const struct draft *d, const char *code, const struct place *at,
		     const char *text)
{
	bool found = false;
	pthread_mutex_lock(&d->b->diag->lock);
	for (size_t i = d->b->diag->n; i-- > 0 && !found;) {
		const struct diag_item *it = &d->b->diag->items[i];
		found = !strcmp(it->code, code) &&
			(it->job == (int)d->number || (at && say_same_place(at, &it->at))) &&
			(!text || !strcmp(it->text, text));
	}
	pthread_mutex_unlock(&d->b->diag->lock);
	return found;
}

bool draft_told(const struct draft *d, const char *code)
{
	return say_said(d, code, NULL, NULL);
}

/* Clones and files repeat themselves: the same words are said once. */
static void say(struct draft *d, enum diag_level level, enum err_class cls, const char *code,
		enum job_opt opt, const char *remedy, const char *text)
{
	const struct place *at = say_place_of(d, opt);
	if (!say_said(d, code, at, text))
		diag_add(d->b->diag, level, cls, code, at, (int)d->number, remedy ? remedy : "",
			 "%s", text);
}

void draft_error(struct draft *d, enum err_class cls, const char *code, enum job_opt opt,
		 const char *remedy, const char *fmt, ...)
{
	assert(cls != ERR_NONE && code && opt <= OPT_COUNT);
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	d->failed = true;
	say(d, DIAG_ERROR, cls, code, opt, remedy, text);
}

void draft_warn(struct draft *d, const char *code, enum job_opt opt, const char *remedy,
		const char *fmt, ...)
{
	assert(code && opt <= OPT_COUNT);
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	say(d, DIAG_WARNING, ERR_NONE, code, opt, remedy, text);
}

void draft_err(struct draft *d, const char *code, enum job_opt opt, const struct err *e)
{
	enum err_class cls = e->cls == ERR_NONE ? ERR_SETUP : e->cls;
	draft_error(d, cls, code, opt, e->remedy, "%s", e->text);
}

void draft_reason(struct draft *d, enum job_opt opt, const char *fmt, ...)
{
	assert(opt < OPT_COUNT);
	char text[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	struct plan_reason *v =
		build_grow(d->b, d->reasons, d->reasons_n, &d->reasons_room, sizeof(*v));
	char *copy = v ? arena_strdup(d->b->arena, text) : NULL;
	if (!copy) {
		d->b->no_memory = true;
		return;
	}
	d->reasons = v;
	v[d->reasons_n++] = (struct plan_reason){.option = opt, .text = copy};
}

bool draft_given(const struct draft *d, enum job_opt opt)
{
	assert(opt < OPT_COUNT);
	return job_given(d->job, opt);
}

bool draft_own(const struct draft *d, const char *name)
{
	for (unsigned i = 0; i < d->job->own_n; i++)
		if (!strcmp(d->job->own[i].name, name))
			return true;
	return false;
}

void *build_alloc(struct builder *b, size_t size)
{
	assert(b->arena);
	void *p = arena_alloc(b->arena, size ? size : 1, 0);
	if (!p)
		b->no_memory = true;
	return p;
}

void *build_grow(struct builder *b, void *old, unsigned n, unsigned *room, size_t element)
{
	assert(n <= *room && element && (old || !n));
	if (n < *room)
		return old;
	unsigned wanted = *room ? *room * 2 : 8;
	void *p = build_alloc(b, wanted * element);
	if (!p)
		return NULL;
	if (n)
		memcpy(p, old, n * element);
	*room = wanted;
	return p;
}
