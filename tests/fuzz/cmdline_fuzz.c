/* Any bytes as arguments, one a line. Words that would be read as files are left out: a target
 * touches nothing. */
#include "conf_fuzz.h"

#define ARGS_MAX 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[ARGS_MAX + 1] = {(char *)"fathom"}, *text;
	struct cmdline c;
	struct job_list jobs;
	struct arena arena;
	struct diag diag;
	int argc = 1;

	if (size > 65536)
		return 0;
	text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *p = text, *end = text + size; p < end && argc < ARGS_MAX;) {
		char *eol = memchr(p, '\n', (size_t)(end - p));
		if (eol)
			*eol = '\0';
		/* "--" and words without a dash would open files, unless they are values */
		if (*p == '-' && p[1] && strcmp(p, "--") != 0)
			argv[argc++] = p;
		else if (argc > 1 && argv[argc - 1][0] == '-' && !strchr(argv[argc - 1], '='))
			argv[argc++] = (char *)"1";
		p = eol ? eol + 1 : end;
	}
	argv[argc] = NULL;
	arena_init(&arena, 0);
	diag_init(&diag);
	int rc = conf_parse(argc, argv, &fuzz_schema, &c, &jobs, &arena, &diag);
	fuzz_check(&c, &jobs, &arena, &diag, rc);
	arena_release(&arena);
	diag_release(&diag);
	free(text);
	return 0;
}
