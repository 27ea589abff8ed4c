/* Job files: no text breaks the parser, every mistake becomes a message, and what is right prints
 * and reads back. */
#include "conf/jobfile.h"
#include "schema.h"
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_schema s;
	struct cmdline cmdline = {.program = "fathom"};
	struct job_list jobs = {0};
	struct arena arena;
	struct diag diag;
	struct build b;

	fuzz_schema_init(&s);
	arena_init(&arena, 64 << 20);
	diag_init(&diag);
	if (!build_init(&b, &s.schema, &cmdline, &jobs, &arena, &diag)) {
		/* A folder that does not exist, so that includes find nothing by chance. */
		jobfile_parse(&b, "nowhere/fuzz.fio", (const char *)data, size, 0);
		build_finish(&b);
	}
	for (unsigned i = 0; !diag.errors && i < jobs.n; i++)
		fuzz_check_options(&jobs.jobs[i], &arena);
	diag_release(&diag);
	arena_release(&arena);
	return 0;
}
