/* The option tables of this build and the check of what was parsed, for fuzz targets. */
#ifndef FATHOM_FUZZ_SCHEMA_H
#define FATHOM_FUZZ_SCHEMA_H

#include "conf/conf.h"
#include "engine/registry.h"
#include <stdlib.h>

enum { SCHEMA_ENGINES = 64 };

struct fuzz_schema {
	struct conf_engine engines[SCHEMA_ENGINES];
	struct conf_schema schema;
};

static inline void fuzz_schema_init(struct fuzz_schema *s)
{
	unsigned n;
	const struct engine_ops *const *list = engine_list(&n);

	if (n > SCHEMA_ENGINES)
		abort();
	for (unsigned i = 0; i < n; i++) {
		s->engines[i].name = list[i]->name;
		s->engines[i].rows = list[i]->rows;
		s->engines[i].n = list[i]->rows_n;
		s->engines[i].size = list[i]->options_size;
	}
	s->schema.engines = s->engines;
	s->schema.n = n;
}

/* What opt_print writes, opt_parse reads back to an equal value: for every option that was given.
 */
static inline void fuzz_check_options(const struct job *job, struct arena *arena)
{
	static char text[1 << 17];

	for (unsigned i = 0; i < OPT_COUNT; i++) {
		const struct opt_row *row = &job_rows[i];
		const void *field = (const char *)&job->o + row->at;
		struct opt_context ctx = {.arena = arena, .kb_base = 1024};
		_Alignas(16) char again[4096] = {0};
		struct err err = {0};

		if (!job_given(job, (enum job_opt)i) || opt_field_size(row->type) > sizeof(again))
			continue;
		opt_print(row, field, text, sizeof(text));
		if (opt_parse(row, text, &ctx, again, &err) || !opt_equal(row, field, again))
			abort();
	}
}

#endif
