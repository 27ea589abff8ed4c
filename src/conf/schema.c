#include "conf/schema.h"
#include "base/names.h"
#include "conf/choices.h"
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const struct opt_row job_rows[OPT_COUNT] = {
#define OPT(field, name_, aliases_, type_, status_, def_, min_, max_, unit, choices_, category_,   \
	    help_)                                                                                 \
	[OPT_##field] = {                                                                          \
		.name = name_,                                                                     \
		.aliases = aliases_,                                                               \
		.type = OPT_T_##type_,                                                             \
		.status = OPT_##status_,                                                           \
		.at = offsetof(struct job_opts, field),                                            \
		.def = def_,                                                                       \
		.min = min_,                                                                       \
		.max = max_,                                                                       \
		.unit_ns = unit,                                                                   \
		.choices = choices_,                                                               \
		.category = category_,                                                             \
		.help = help_,                                                                     \
	},
#include "conf/options.def"
#undef OPT
};

static const struct conf_foreign foreigns[] = {
#define FOREIGN(owners_, name_, aliases_, help_)                                                   \
	{.owners = owners_, .name = name_, .aliases = aliases_, .help = help_},
#include "conf/foreign.def"
#undef FOREIGN
};

int schema_job_option(const char *name)
{
	assert(name);
	for (int i = 0; i < OPT_COUNT; i++)
		if (opt_row_named(&job_rows[i], name))
			return i;
	return -1;
}

const struct conf_engine *schema_engine(const struct conf_schema *s, const char *name)
{
	for (unsigned i = 0; i < s->n; i++)
		if (strcmp(s->engines[i].name, name) == 0)
			return &s->engines[i];
	return NULL;
}

const struct opt_row *schema_engine_row(const struct conf_engine *e, const char *name)
{
	assert(e && name);
	for (unsigned i = 0; i < e->n; i++)
		if (opt_row_named(&e->rows[i], name))
			return &e->rows[i];
	return NULL;
}

const struct conf_engine *schema_engine_with(const struct conf_schema *s, const char *name)
{
	for (unsigned i = 0; i < s->n; i++)
		if (schema_engine_row(&s->engines[i], name))
			return &s->engines[i];
	return NULL;
}

void schema_engines_with(const struct conf_schema *s, const char *name, char *buf, size_t size)
{
	size_t len = 0;

	if (size)
		buf[0] = '\0';
	for (unsigned i = 0; i < s->n; i++) {
		if (!schema_engine_row(&s->engines[i], name) || len + 1 >= size)
			continue;
		int n = snprintf(buf + len, size - len, "%s%s", len ? ", " : "",
				 s->engines[i].name);
		len = n < 0 || len + (size_t)n >= size ? size - 1 : len + (size_t)n;
	}
}

/* Is word one of the members of a comma list? */
static bool schema_listed(const char *list, const char *word)
{
	const struct opt_row row = {.name = "", .aliases = list};

	return opt_row_named(&row, word);
}

const struct conf_foreign *schema_foreign(const char *name, const char *owner)
{
	for (unsigned i = 0; i < sizeof(foreigns) / sizeof(foreigns[0]); i++) {
		const struct conf_foreign *f = &foreigns[i];
		if ((strcmp(f->name, name) == 0 || schema_listed(f->aliases, name)) &&
		    (!owner || schema_listed(f->owners, owner)))
			return f;
	}
	return NULL;
}

#define NAMES_MAX  1024
#define NAMES_TEXT 16384

/* All names in one list; aliases are cut into `text`. */
struct names {
	const char *v[NAMES_MAX];
	size_t n;
	char text[NAMES_TEXT];
	size_t used;
};

static void schema_names_add(struct names *l, const char *name, const char *aliases)
{
	assert(l && name);
	if (l->n < NAMES_MAX)
		l->v[l->n++] = name;
	for (const char *p = aliases; *p;) {
		size_t len = strcspn(p, ",");
		if (l->n < NAMES_MAX && l->used + len + 1 <= NAMES_TEXT) {
			char *copy = l->text + l->used;
			memcpy(copy, p, len);
			copy[len] = '\0';
			l->used += len + 1;
			l->v[l->n++] = copy;
		}
		p += len + (p[len] == ',');
	}
}

const char *schema_nearest(const struct conf_schema *s, const char *word)
{
	struct names all = {.n = 0};
	int best, near;

	for (int i = 0; i < OPT_COUNT; i++)
		schema_names_add(&all, job_rows[i].name, job_rows[i].aliases);
	for (unsigned e = 0; e < s->n; e++)
		for (unsigned i = 0; i < s->engines[e].n; i++)
			schema_names_add(&all, s->engines[e].rows[i].name,
					 s->engines[e].rows[i].aliases);
	best = names_nearest(word, all.v, all.n);
	if (best < 0)
		return NULL;
	/* an alias stands for its option: say the name that help and reports use */
	near = schema_job_option(all.v[best]);
	if (near >= 0)
		return job_rows[near].name;
	for (unsigned e = 0; e < s->n; e++) {
		const struct opt_row *row = schema_engine_row(&s->engines[e], all.v[best]);
		if (row)
			return row->name;
	}
	return NULL;
}
