#include "conf/engine_opts.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

union field {
	_Alignas(16) char bytes[512];
};

void engine_opts_engine(const struct job *job, char *buf, size_t size)
{
	const char *name = job->o.ioengine ? job->o.ioengine : "";

	snprintf(buf, size, "%.*s", (int)strcspn(name, ":"), name);
}

/* Parse one text into field; messages go to diag. notes may be NULL. */
static int engine_opts_parse_one(const struct job *job, const struct opt_row *row,
				 const struct job_text *t, struct arena *arena, void *field,
				 struct diag *diag)
{
	struct opt_context ctx = {.arena = arena, .kb_base = (unsigned)job->o.kb_base};
	struct err err;
	int ret;

	err_clear(&err);
	ret = opt_parse(row, t->text, &ctx, field, &err);
	if (ret) {
		err.at = t->at;
		diag_add_err(diag, "option-value", -1, &err);
	}
	return ret;
}

static int engine_opts_refuse(const struct opt_row *row, const struct conf_engine *e,
			      const struct job_text *t, struct diag *diag)
{
	if (row->status == OPT_REMOVED)
		diag_add(diag, DIAG_ERROR, ERR_USAGE, "option-removed", &t->at, -1, row->help,
			 "option '%s' of engine %s has been removed", row->name, e->name);
	else
		diag_add(diag, DIAG_ERROR, ERR_USAGE, "option-pending", &t->at, -1, "remove it",
			 "option '%s' of engine %s is not supported yet", row->name, e->name);
	return -EINVAL;
}

/* A value for one option of the engine: 0 when field holds it. */
static int engine_opts_take_one(const struct job *job, const struct conf_engine *e,
				const struct opt_row *row, const struct job_text *t,
				struct arena *arena, void *field, struct diag *diag)
{
	struct opt_context ctx = {.arena = arena, .kb_base = (unsigned)job->o.kb_base};
	union field def;

	if (row->status == OPT_REMOVED)
		return engine_opts_refuse(row, e, t, diag);
	if (row->status == OPT_MOOT)
		diag_add(diag, DIAG_WARNING, ERR_USAGE, "option-moot", &t->at, -1, row->help,
			 "option '%s' of engine %s has no effect", row->name, e->name);
	if (row->status != OPT_PENDING)
		return engine_opts_parse_one(job, row, t, arena, field, diag);
	/* the value it has anyway does no harm */
	if (opt_default(row, &ctx, &def, NULL) || opt_parse(row, t->text, &ctx, field, NULL) ||
	    !opt_equal(row, &def, field))
		return engine_opts_refuse(row, e, t, diag);
	return 0;
}

static bool engine_opts_is_own(const struct job *job, const char *name)
{
	for (unsigned i = 0; i < job->own_n; i++)
		if (strcmp(job->own[i].name, name) == 0)
			return true;
	return false;
}

/* The job says the option itself, but its engine does not have it. */
static void engine_opts_lacking(const struct conf_schema *schema, const struct job *job,
				const struct conf_engine *e, const struct job_text *t,
				struct diag *diag)
{
	const struct place *engine_at = &job->place[OPT_ioengine];
	char with[200], remedy[256];
	bool overridden = engine_at->file && engine_at->line == 0 && t->at.line != 0;

	schema_engines_with(schema, t->name, with, sizeof(with));
	snprintf(remedy, sizeof(remedy), "engines with it: %s", with);
	/* with --set ioengine=... the options of the engine it replaces are left over */
	if (overridden)
		diag_add(diag, DIAG_WARNING, ERR_USAGE, "option-engine", &t->at, -1, remedy,
			 "engine %s has no option '%s'; ignored", e->name, t->name);
	else
		diag_add(diag, DIAG_ERROR, ERR_USAGE, "option-engine", &t->at, -1, remedy,
			 "engine %s has no option '%s'", e->name, t->name);
}

void engine_opts_check(const struct conf_schema *schema, const struct job *job, struct arena *arena,
		       struct diag *diag)
{
	char name[256];
	const struct conf_engine *e;

	engine_opts_engine(job, name, sizeof(name));
	e = schema_engine(schema, name);
	for (unsigned i = 0; e && i < job->engine_n; i++) {
		const struct job_text *t = &job->engine[i];
		const struct opt_row *row = schema_engine_row(e, t->name);
		struct opt_context ctx = {.arena = arena, .kb_base = 1024};
		union field field;
		if (!row) {
			if (engine_opts_is_own(job, t->name))
				engine_opts_lacking(schema, job, e, t, diag);
			continue;
		}
		if (opt_default(row, &ctx, &field, NULL) == 0)
			engine_opts_take_one(job, e, row, t, arena, &field, diag);
	}
}

int engine_opts_typed(const struct job *job, const struct conf_engine *engine, struct arena *arena,
		      void **out, struct diag *diag)
{
	struct opt_context ctx = {.arena = arena, .kb_base = 1024};
	char *options = arena_alloc(arena, engine->size ? engine->size : 1, 0);
	struct err err;
	int ret, first = 0;

	if (!options)
		return -ENOMEM;
	for (unsigned i = 0; i < engine->n; i++) {
		const struct opt_row *row = &engine->rows[i];
		err_clear(&err);
		ret = opt_default(row, &ctx, options + row->at, &err);
		if (ret) {
			diag_add_err(diag, "option-default", -1, &err);
			return ret;
		}
	}
	for (unsigned i = 0; i < job->engine_n; i++) {
		const struct opt_row *row = schema_engine_row(engine, job->engine[i].name);
		ret = row ? engine_opts_take_one(job, engine, row, &job->engine[i], arena,
						 options + row->at, diag)
			  : 0;
		first = first ? first : ret;
	}
	if (first)
		return first;
	*out = options;
	return 0;
}
