/* Command lines, one argument a line: no argument breaks the parser, and what is right prints and
 * reads back. */
#include "schema.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARGUMENTS = 64 };

/* Files are named by nobody here: an argument that is no option would be one. */
static int split(char *text, char **argv)
{
	int n = 1;

	argv[0] = "fathom";
	for (char *at = text; n < ARGUMENTS; n++) {
		char *end = strchr(at, '\n');

		if (end)
			*end = 0;
		if (at[0] != '-' || !at[1])
			break;
		argv[n] = at;
		if (!end)
			return n + 1;
		at = end + 1;
	}
	argv[n] = NULL;
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_schema s;
	struct cmdline cmdline = {0};
	struct job_list jobs = {0};
	struct arena arena;
	struct diag diag;
	char *argv[ARGUMENTS + 1] = {NULL};
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	fuzz_schema_init(&s);
	arena_init(&arena, 64 << 20);
	diag_init(&diag);
	if (!conf_parse(split(text, argv), argv, &s.schema, &cmdline, &jobs, &arena, &diag)) {
		for (unsigned i = 0; i < jobs.n; i++)
			fuzz_check_options(&jobs.jobs[i], &arena);
	}
	diag_release(&diag);
	arena_release(&arena);
	free(text);
	return 0;
}
