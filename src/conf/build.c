#include "conf/build.h"
#include "base/units.h"
#include "conf/engine_opts.h"
#include "conf/rules.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for any field of struct job_opts. */
union field {
	_Alignas(16) char bytes[512];
	struct opt_dist dist;
	struct opt_floats floats;
};

void build_fault(struct build *b, const char *code, const struct place *at, const char *remedy,
		 const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_add(b->diag, DIAG_ERROR, ERR_USAGE, code, at, -1, remedy, "%s", text);
}

static void build_out_of_memory(struct build *b)
{
	if (b->full_said)
		return;
	b->full_said = true;
	build_fault(b, "memory", NULL, "use smaller job files", "the jobs need too much memory");
}

static void *build_bytes_of(struct job_opts *o, const struct opt_row *row)
{
	return (char *)o + row->at;
}

static void build_set_defaults(struct build *b)
{
	struct opt_context ctx = {.arena = b->arena, .kb_base = 1024};
	struct err err;

	memset(&b->defaults, 0, sizeof(b->defaults));
	for (int i = 0; i < OPT_COUNT; i++)
		if (opt_default(&job_rows[i], &ctx, build_bytes_of(&b->defaults.o, &job_rows[i]),
				&err))
			build_out_of_memory(b);
}

int build_init(struct build *b, const struct conf_schema *schema, const struct cmdline *cmdline,
	       struct job_list *list, struct arena *arena, struct diag *diag)
{
	memset(b, 0, sizeof(*b));
	memset(list, 0, sizeof(*list));
	list->arena = arena;
	b->schema = schema;
	b->cmdline = cmdline;
	b->list = list;
	b->arena = arena;
	b->diag = diag;
	b->set_used = arena_new(arena, bool, cmdline->sets_n + 1);
	b->section_seen = arena_new(arena, bool, cmdline->sections_n + 1);
	if (!b->set_used || !b->section_seen)
		return -ENOMEM;
	build_set_defaults(b);
	return b->full_said ? -ENOMEM : 0;
}

void build_next_file(struct build *b, bool reset_defaults)
{
	b->iec_said = false;
	if (reset_defaults)
		build_set_defaults(b);
}

/* A copy of an arena array with room for one more; grows by doubling. */
static void *build_grown(struct build *b, void *v, unsigned n, unsigned *room, size_t size)
{
	void *copy;

	if (n < *room)
		return v;
	*room = *room ? *room * 2 : 8;
	copy = arena_alloc(b->arena, *room * size, 0);
	if (!copy)
		build_out_of_memory(b);
	else if (n)
		memcpy(copy, v, n * size);
	return copy;
}

void build_item_add(struct build *b, struct build_section *s, const struct build_item *item)
{
	struct build_item *items = build_grown(b, s->items, s->n, &s->room, sizeof(*items));

	if (!items)
		return;
	s->items = items;
	s->items[s->n++] = *item;
}

/* Remove key from a list in place. */
static void build_texts_remove(struct job_text *v, unsigned *n, const char *name)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < *n; i++)
		if (strcmp(v[i].name, name) != 0)
			v[kept++] = v[i];
	*n = kept;
}

/* Add to a list that keeps the last of equal keys. The list is copied: an inherited one is shared
 * with the defaults. */
static void build_texts_add(struct build *b, struct job_text **v, unsigned *n,
			    const struct job_text *t)
{
	struct job_text *copy = arena_new(b->arena, struct job_text, *n + 1);

	if (!copy) {
		build_out_of_memory(b);
		return;
	}
	if (*n)
		memcpy(copy, *v, *n * sizeof(*copy));
	build_texts_remove(copy, n, t->name);
	copy[(*n)++] = *t;
	*v = copy;
}

static void build_texts_drop(struct build *b, struct job_text **v, unsigned *n, const char *name)
{
	struct job_text *copy;

	if (*n == 0)
		return;
	copy = arena_new(b->arena, struct job_text, *n);
	if (!copy) {
		build_out_of_memory(b);
		return;
	}
	memcpy(copy, *v, *n * sizeof(*copy));
	build_texts_remove(copy, n, name);
	*v = copy;
}

static void build_note_units(struct build *b, const struct build_item *it, const char *name,
			     unsigned notes)
{
	if ((notes & UNITS_IEC_SWAPPED) && !b->iec_said) {
		b->iec_said = true;
		diag_add(b->diag, DIAG_WARNING, ERR_USAGE, "iec-swapped", &it->value_at, -1,
			 "write k, m, g for powers of 1024, or set kb_base=1000",
			 "option '%s': with kb_base=1024, KiB, MiB and GiB are powers of 1000, "
			 "as in fio",
			 name);
	}
	if (notes & OPT_NOTE_DASH)
		diag_add(b->diag, DIAG_WARNING, ERR_USAGE, "directions", &it->value_at, -1,
			 "separate directions by ','; a range of block sizes is bsrange=LO-HI",
			 "option '%s': '%.100s' is parsed as a list (read,write,trim), not as a "
			 "range",
			 name, it->text);
}

static void build_fault_err(struct build *b, const char *code, const struct place *at,
			    struct err *err)
{
	err->at = *at;
	diag_add_err(b->diag, code, -1, err);
}

/* Is the text the value that the option has anyway? Asked for options whose effect is not built
 * yet. */
static bool build_says_default(struct build *b, const struct opt_row *row, const char *text)
{
	struct opt_context ctx = {.arena = b->arena, .kb_base = 1024};
	union field def, got;

	if (opt_default(row, &ctx, &def, NULL))
		return false;
	got = def;
	if (opt_parse(row, text, &ctx, &got, NULL))
		return false;
	return opt_equal(row, &def, &got);
}

const char *build_advice(const char *help)
{
	size_t n = strcspn(help, ":;");

	return help[n] ? help + n + 2 : help;
}

/* May this option be given at all? False: it has been refused or needs no parsing. */
static bool build_accepted(struct build *b, const struct opt_row *row, const struct build_item *it)
{
	switch (row->status) {
	case OPT_REMOVED:
		build_fault(b, "option-removed", &it->at, build_advice(row->help),
			    "option '%s' has been removed", it->key);
		return false;
	case OPT_PENDING:
		if (build_says_default(b, row, it->text))
			return true;
		build_fault(b, "option-pending", &it->at, "remove it",
			    "option '%s' is not supported yet", it->key);
		return false;
	case OPT_MOOT:
		diag_add(b->diag, DIAG_WARNING, ERR_USAGE, "option-moot", &it->at, -1,
			 build_advice(row->help), "option '%s' has no effect", it->key);
		return row->type != OPT_T_STR;
	case OPT_LIVE:
		break;
	}
	return true;
}

static void build_note_filename(struct build *b, const struct job *job, const struct build_item *it)
{
	if (!job_given(job, OPT_filename) || b->filename_said)
		return;
	b->filename_said = true;
	diag_add(b->diag, DIAG_WARNING, ERR_USAGE, "filename-replaced", &it->value_at, -1,
		 "join the names with ':' in one line to use them all",
		 "this filename replaces the previous one (fio would use both)");
}

static void build_mark_given(struct job *job, enum job_opt opt, const struct place *at)
{
	job->given[opt / 8] |= (uint8_t)(1u << opt % 8);
	job->place[opt] = *at;
}

static void build_set_option(struct build *b, struct job *job, enum job_opt opt,
			     const struct build_item *it)
{
	const struct opt_row *row = &job_rows[opt];
	struct opt_context ctx = {.arena = b->arena, .kb_base = (unsigned)job->o.kb_base};
	struct job_text text = {.name = row->name, .text = it->text ? it->text : "", .at = it->at};
	const struct place *at = it->text ? &it->value_at : &it->at;
	struct err err;

	err_clear(&err);
	if (!build_accepted(b, row, it))
		return;
	if (opt_parse(row, it->text, &ctx, build_bytes_of(&job->o, row), &err)) {
		build_fault_err(b, "option-value", at, &err);
		return;
	}
	if (rules_option_effects(job, opt, b->arena, &err)) {
		build_fault_err(b, "option-value", at, &err);
		return;
	}
	build_note_units(b, it, row->name, ctx.notes);
	build_mark_given(job, opt, at);
	build_texts_add(b, &job->own, &job->own_n, &text);
}

/* fio knows the options of its profiles in every job, where they do nothing. */
static void build_profile_option(struct build *b, const struct build_item *it,
				 const struct conf_foreign *f)
{
	const char *near = schema_nearest(b->schema, it->key);
	char remedy[120] = "remove it";

	if (near)
		snprintf(remedy, sizeof(remedy), "did you mean '%s'?", near);
	diag_add(b->diag, DIAG_WARNING, ERR_USAGE, "option-moot", &it->at, -1, remedy,
		 "option '%s' has no effect: it belongs to fio's %s", it->key, f->owners);
}

static void build_unknown_option(struct build *b, const struct job *job,
				 const struct build_item *it)
{
	const char *near = schema_nearest(b->schema, it->key);
	const struct conf_foreign *f;
	char engine[128], remedy[240];

	engine_opts_engine(job, engine, sizeof(engine));
	f = schema_foreign(it->key, engine);
	if (!f)
		f = schema_foreign(it->key, NULL);
	if (f && strncmp(f->owners, "profile", 7) == 0) {
		build_profile_option(b, it, f);
		return;
	}
	if (f) {
		build_fault(b, "option-foreign", &it->at, "remove it",
			    "option '%s' of engine %s is not supported yet", it->key, f->owners);
		return;
	}
	if (near)
		snprintf(remedy, sizeof(remedy), "did you mean '%s'?", near);
	else if (!schema_engine(b->schema, engine))
		snprintf(remedy, sizeof(remedy),
			 "it may belong to the engine %s, which is not supported yet", engine);
	else
		snprintf(remedy, sizeof(remedy), "see --cmdhelp for all options");
	build_fault(b, "option-unknown", &it->at, remedy, "unknown option '%.100s'", it->key);
}

static void build_set_engine_option(struct build *b, struct job *job, const struct build_item *it)
{
	const struct conf_engine *e = schema_engine_with(b->schema, it->key);
	struct job_text text = {.text = it->text ? it->text : "", .at = it->at};

	text.name = schema_engine_row(e, it->key)->name;
	build_texts_add(b, &job->own, &job->own_n, &text);
	if (it->text)
		text.at = it->value_at;
	build_texts_add(b, &job->engine, &job->engine_n, &text);
}

static void build_apply(struct build *b, struct job *job, const struct build_item *it)
{
	int opt = schema_job_option(it->key);

	if (opt == OPT_filename)
		build_note_filename(b, job, it);
	if (opt >= 0)
		build_set_option(b, job, (enum job_opt)opt, it);
	else if (schema_engine_with(b->schema, it->key))
		build_set_engine_option(b, job, it);
	else
		build_unknown_option(b, job, it);
}

static void build_unset_option(struct build *b, struct job *job, enum job_opt opt)
{
	struct opt_context ctx = {.arena = b->arena, .kb_base = 1024};
	struct err err = {0};

	if (opt_default(&job_rows[opt], &ctx, build_bytes_of(&job->o, &job_rows[opt]), &err) < 0)
		diag_add_err(b->diag, "memory", -1, &err);
	job->given[opt / 8] &= (uint8_t) ~(1u << opt % 8);
	memset(&job->place[opt], 0, sizeof(job->place[opt]));
	if (opt == OPT_name)
		job->o.name = job->section;
	if (rules_option_effects(job, opt, b->arena, &err) < 0)
		diag_add_err(b->diag, "memory", -1, &err);
	build_texts_drop(b, &job->own, &job->own_n, job_rows[opt].name);
}

/* --set for an engine option reaches the jobs whose engine has it. */
static void build_override_engine(struct build *b, struct job *job, unsigned i, const char *name)
{
	const struct conf_set *set = &b->cmdline->sets[i];
	char engine[256];
	const struct conf_engine *e;
	struct build_item it = {
		.key = set->option, .text = set->value, .at = set->at, .value_at = set->at};

	engine_opts_engine(job, engine, sizeof(engine));
	e = schema_engine(b->schema, engine);
	if (!e || !schema_engine_row(e, set->option))
		return;
	b->set_used[i] = true;
	build_texts_drop(b, &job->own, &job->own_n, name);
	build_texts_drop(b, &job->engine, &job->engine_n, name);
	if (!set->value || *set->value)
		build_set_engine_option(b, job, &it);
}

static void build_override(struct build *b, struct job *job, unsigned i)
{
	const struct conf_set *set = &b->cmdline->sets[i];
	struct build_item it = {
		.key = set->option, .text = set->value, .at = set->at, .value_at = set->at};
	int opt = schema_job_option(set->option);
	const struct conf_engine *e = opt < 0 ? schema_engine_with(b->schema, set->option) : NULL;

	if (e) {
		build_override_engine(b, job, i, schema_engine_row(e, set->option)->name);
		return;
	}
	b->set_used[i] = true;
	if (opt < 0)
		build_unknown_option(b, job, &it);
	else if (set->value && !*set->value)
		build_unset_option(b, job, (enum job_opt)opt);
	else
		build_set_option(b, job, (enum job_opt)opt, &it);
}

/* kb_base decides how the others are read, the engine which options there are: these first
 * (compatibility 1.6). */
static bool build_goes_first(const char *key)
{
	return strcmp(key, "kb_base") == 0 || strcmp(key, "ioengine") == 0;
}

static void build_apply_all(struct build *b, struct job *job, const struct build_section *s)
{
	for (int pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < s->n; i++)
			if (build_goes_first(s->items[i].key) == (pass == 0))
				build_apply(b, job, &s->items[i]);
	for (int pass = 0; pass < 2 && !s->global; pass++)
		for (unsigned i = 0; i < b->cmdline->sets_n; i++)
			if (build_goes_first(b->cmdline->sets[i].option) == (pass == 0))
				build_override(b, job, i);
}

static bool build_job_room(struct build *b, const struct place *at)
{
	unsigned room = b->jobs_room ? b->jobs_room * 2 : 8;
	struct job *jobs;

	if (b->jobs_n == BUILD_JOBS_MAX) {
		if (!b->jobs_said)
			build_fault(b, "jobs-max", at, "use fewer sections", "more than %d jobs",
				    BUILD_JOBS_MAX);
		b->jobs_said = true;
		return false;
	}
	if (b->jobs_n < b->jobs_room)
		return true;
	jobs = realloc(b->jobs, room * sizeof(*jobs));
	if (!jobs) {
		build_out_of_memory(b);
		return false;
	}
	b->jobs = jobs;
	b->jobs_room = room;
	return true;
}

/* What was written, for --showcmd: all items in their order, but not what --set changes. */
static void build_record(struct build *b, const struct build_section *s)
{
	struct job_list *l = b->list;
	struct job_section *rec, *v;

	v = build_grown(b, l->sections, l->sections_n, &b->sections_room, sizeof(*v));
	if (!v)
		return;
	l->sections = v;
	rec = &l->sections[l->sections_n];
	*rec = (struct job_section){
		.name = s->name, .global = s->global, .file = s->file, .from_file = s->from_file};
	rec->texts = arena_new(b->arena, struct job_text, s->n + 1);
	if (!rec->texts) {
		build_out_of_memory(b);
		return;
	}
	for (unsigned i = 0; i < s->n; i++) {
		const struct build_item *it = &s->items[i];
		rec->texts[rec->n++] = (struct job_text){
			.name = it->key, .text = it->text ? it->text : "", .at = it->at};
	}
	l->sections_n++;
}

static void build_end_globals(struct build *b, const struct job *job)
{
	struct job_list *l = b->list;

	for (unsigned i = 0; i < job->own_n; i++)
		build_texts_add(b, &l->globals, &l->globals_n, &job->own[i]);
	b->defaults = *job;
	b->defaults.own = NULL;
	b->defaults.own_n = 0;
}

void build_section_end(struct build *b, struct build_section *s)
{
	struct job job = b->defaults;

	job.section = s->name;
	job.at = s->at;
	job.file = s->file;
	job.first_of_file = s->first_of_file;
	if (!s->global) {
		/* a name in [global] names no job */
		job.o.name = s->name;
		job.given[OPT_name / 8] &= (uint8_t) ~(1u << OPT_name % 8);
	}
	build_apply_all(b, &job, s);
	build_record(b, s);
	if (s->global)
		build_end_globals(b, &job);
	else if (build_job_room(b, &s->at))
		b->jobs[b->jobs_n++] = job;
	s->n = 0;
	s->room = 0;
	s->items = NULL;
}

bool build_wants(struct build *b, const char *name)
{
	bool wanted = b->cmdline->sections_n == 0;

	for (unsigned i = 0; i < b->cmdline->sections_n; i++) {
		if (strcmp(b->cmdline->sections[i], name) != 0)
			continue;
		b->section_seen[i] = true;
		wanted = true;
	}
	return wanted;
}

static void build_check_filters(struct build *b)
{
	const struct cmdline *c = b->cmdline;

	for (unsigned i = 0; i < c->sections_n && c->files_n; i++)
		if (!b->section_seen[i])
			build_fault(b, "section-missing", NULL, "--section takes the exact name",
				    "there is no section '%.100s'", c->sections[i]);
	for (unsigned i = 0; i < c->sets_n && b->jobs_n; i++)
		if (!b->set_used[i])
			build_fault(b, "set-unused", &c->sets[i].at,
				    "remove it, or set ioengine too",
				    "no job uses an engine that has the option '%.100s'",
				    c->sets[i].option);
}

static void build_check_readonly(struct build *b, const struct job *job)
{
	const struct place *at =
		job_given(job, OPT_rw) ? &job->place[OPT_rw] : (const struct place *)&job->at;

	if (b->cmdline->readonly && (job->o.rw.bits & (RW_WRITE | RW_TRIM)))
		build_fault(b, "readonly", at, "remove --readonly, or use a read job",
			    "job '%.100s' writes or trims, which --readonly forbids", job->section);
}

/* Each clone is a job of its own. */
static void build_check_count(struct build *b)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < b->jobs_n; i++) {
		n += b->jobs[i].o.numjobs;
		if (n <= BUILD_JOBS_MAX)
			continue;
		build_fault(b, "jobs-max", &b->jobs[i].at, "reduce numjobs",
			    "this one makes %" PRIu64 " jobs; at most %d", n, BUILD_JOBS_MAX);
		return;
	}
}

void build_finish(struct build *b)
{
	struct job_list *l = b->list;

	assert(b);
	for (unsigned i = 0; i < b->jobs_n; i++) {
		engine_opts_check(b->schema, &b->jobs[i], b->arena, b->diag);
		build_check_readonly(b, &b->jobs[i]);
	}
	build_check_count(b);
	build_check_filters(b);
	l->jobs = arena_new(b->arena, struct job, b->jobs_n + 1);
	if (l->jobs && b->jobs_n) {
		memcpy(l->jobs, b->jobs, b->jobs_n * sizeof(*l->jobs));
		l->n = b->jobs_n;
	} else if (!l->jobs) {
		build_out_of_memory(b);
	}
	free(b->jobs);
	b->jobs = NULL;
}
