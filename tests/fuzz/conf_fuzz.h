/* What the fuzz targets of conf share: engines with one option of every type, and checks of what
 * came out. */
#ifndef FATHOM_TESTS_FUZZ_CONF_H
#define FATHOM_TESTS_FUZZ_CONF_H

#include "conf/engine_opts.h"
#include "conf/help.h"
#include "conf/showcmd.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz_engine {
	bool hipri;
	double share;
	uint64_t bytes;
	const char *text;
};

static const struct opt_row fuzz_rows[] = {
	{.name = "hipri", .aliases = "", .type = OPT_T_FLAG, .help = "h"},
	{.name = "hipri_percentage",
	 .aliases = "hipri_share",
	 .type = OPT_T_PERCENT,
	 .at = offsetof(struct fuzz_engine, share),
	 .def = "100",
	 .help = "h"},
	{.name = "window_size",
	 .aliases = "",
	 .type = OPT_T_SIZE,
	 .status = OPT_PENDING,
	 .at = offsetof(struct fuzz_engine, bytes),
	 .help = "h"},
	{.name = "uri",
	 .aliases = "",
	 .type = OPT_T_STR,
	 .at = offsetof(struct fuzz_engine, text),
	 .help = "h"},
};
static const struct conf_engine fuzz_engines[] = {
	{"psync", NULL, 0, 0},
	{"pvsync2", fuzz_rows, 4, sizeof(struct fuzz_engine)},
	{"null", NULL, 0, 0},
};
static const struct conf_schema fuzz_schema = {.engines = fuzz_engines, .n = 3};

static inline void fuzz_fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	abort();
}

/* A value must print to a text that reads back equal (when it fits the buffer). */
static inline void fuzz_check_job(const struct job *job, struct arena *arena, struct diag *diag)
{
	static char text[32768];
	void *out;

	for (int i = 0; i < OPT_COUNT; i++) {
		const struct opt_row *row = &job_rows[i];
		const char *field = (const char *)&job->o + row->at;
		struct opt_context ctx = {.arena = arena, .kb_base = (unsigned)job->o.kb_base};
		_Alignas(16) char again[512];
		opt_print(row, field, text, sizeof(text));
		if (!*text || strlen(text) > OPT_TEXT_MAX)
			continue;
		memset(again, 0, sizeof(again));
		if (job_given(job, (enum job_opt)i) &&
		    (opt_parse(row, text, &ctx, again, NULL) || !opt_equal(row, field, again))) {
			fprintf(stderr, "%s=%s: ", row->name, text);
			fuzz_fail("does not read back");
		}
	}
	for (unsigned e = 0; e < fuzz_schema.n; e++)
		if (strcmp(fuzz_engines[e].name, job->o.ioengine) == 0)
			IGNORE_RESULT(engine_opts_typed(job, &fuzz_engines[e], arena, &out, diag));
}

static inline void fuzz_check(const struct cmdline *c, const struct job_list *jobs,
			      struct arena *arena, struct diag *diag, int rc)
{
	struct str out;
	char line[4096];

	if ((rc == 0) != (diag->errors == 0))
		fuzz_fail("the result and the messages disagree");
	for (size_t i = 0; i < diag->n; i++)
		diag_format(&diag->items[i], line, sizeof(line));
	for (unsigned i = 0; i < jobs->n && i < 64; i++)
		fuzz_check_job(&jobs->jobs[i], arena, diag);
	str_init(&out, 4 << 20);
	showcmd(c, jobs, &out);
	str_release(&out);
}

#endif
