/* What the tests of conf share: a folder of their own, two engines with options, and a parse with
 * its messages. */
#ifndef FATHOM_TESTS_CONF_FIXTURE_H
#define FATHOM_TESTS_CONF_FIXTURE_H

#include "conf/conf.h"
#include "conf/engine_opts.h"
#include "conf/opt_describe.h"
#include "conf/opt_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fake_options {
	bool hipri;
	double hipri_percentage;
	uint64_t md_per_io_size;
};

static const struct opt_row fake_rows[] = {
	{.name = "hipri",
	 .aliases = "",
	 .type = OPT_T_FLAG,
	 .at = offsetof(struct fake_options, hipri),
	 .category = "engine",
	 .help = "Polls."},
	{.name = "hipri_percentage",
	 .aliases = "hipri_share",
	 .type = OPT_T_PERCENT,
	 .at = offsetof(struct fake_options, hipri_percentage),
	 .def = "100",
	 .category = "engine",
	 .help = "Share that polls."},
	{.name = "md_per_io_size",
	 .aliases = "",
	 .type = OPT_T_SIZE,
	 .status = OPT_PENDING,
	 .at = offsetof(struct fake_options, md_per_io_size),
	 .category = "engine",
	 .help = "Metadata."},
};

static const struct conf_engine fake_engines[] = {
	{"psync", NULL, 0, 0},
	{"null", NULL, 0, 0},
	{"pvsync2", fake_rows, 3, sizeof(struct fake_options)},
	{"io_uring", fake_rows, 1, sizeof(struct fake_options)},
};
static const struct conf_schema fake_schema = {.engines = fake_engines, .n = 4};

struct fixture {
	char folder[64];
	struct arena arena;
	struct diag diag;
	struct cmdline cl;
	struct job_list list;
};

static inline int fixture_setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	snprintf(f->folder, sizeof(f->folder), "/tmp/fathom-conf-XXXXXX");
	if (!mkdtemp(f->folder) || chdir(f->folder) < 0)
		return -1;
	arena_init(&f->arena, 0);
	diag_init(&f->diag);
	*state = f;
	return 0;
}

static inline int fixture_teardown(void **state)
{
	struct fixture *f = *state;
	char command[128];

	arena_release(&f->arena);
	diag_release(&f->diag);
	snprintf(command, sizeof(command), "rm -rf '%s'", f->folder);
	if (chdir("/") < 0 || system(command) != 0)
		return -1;
	free(f);
	return 0;
}

static inline void write_file(const char *name, const char *text)
{
	FILE *out = fopen(name, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

/* Parse "fathom" and these words, up to NULL; a fresh arena and diag each time. */
static inline int parse(struct fixture *f, ...)
{
	char *argv[64] = {(char *)"fathom"};
	int argc = 1;
	va_list ap;

	va_start(ap, f);
	while ((argv[argc] = va_arg(ap, char *)))
		argc++;
	va_end(ap);
	arena_release(&f->arena);
	diag_release(&f->diag);
	arena_init(&f->arena, 0);
	diag_init(&f->diag);
	return conf_parse(argc, argv, &fake_schema, &f->cl, &f->list, &f->arena, &f->diag);
}

/* Parse a job file of this text, named j.fio. */
static inline int parse_file(struct fixture *f, const char *text)
{
	write_file("j.fio", text);
	return parse(f, "j.fio", NULL);
}

/* The message number i, whole. */
static inline const char *message(struct fixture *f, unsigned i)
{
	static char text[4][2048];
	char *buf = text[i % 4];

	if (i >= f->diag.n)
		return "(none)";
	diag_format(&f->diag.items[i], buf, sizeof(text[0]));
	return buf;
}

static inline void assert_starts(const char *text, const char *start)
{
	if (strncmp(text, start, strlen(start)) != 0)
		fail_msg("'%s' does not start with '%s'", text, start);
}

static inline void assert_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' does not contain '%s'", text, part);
}

#endif
