/* Any bytes as a job file: no crash, no leak, values that print and read back, messages that agree
 * with the result. */
#include "conf/jobfile.h"
#include "conf_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cmdline c = {.program = "fathom"};
	struct job_list jobs;
	struct arena arena;
	struct build b;
	struct diag diag;

	if (size > 65536)
		return 0;
	arena_init(&arena, 0);
	diag_init(&diag);
	if (build_init(&b, &fuzz_schema, &c, &jobs, &arena, &diag) == 0) {
		jobfile_parse(&b, "fuzz.fio", (const char *)data, size, 0);
		build_finish(&b);
		fuzz_check(&c, &jobs, &arena, &diag, diag.errors ? -1 : 0);
	}
	arena_release(&arena);
	diag_release(&diag);
	return 0;
}
