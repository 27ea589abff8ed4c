/* Which file comes next, and which are through. Inside of workload. */
#ifndef FATHOM_WORKLOAD_FILES_H
#define FATHOM_WORKLOAD_FILES_H

#include "base/must_check.h"
#include "workload/inner.h"

enum files_pick { FILES_OK, FILES_SWAP, FILES_NONE };
MUST_CHECK int files_init(struct workload *l, const struct plan_job *pj, struct arena *arena,
			  struct err *err);
void files_begin_pass(struct workload *l);
enum files_pick files_pick(struct workload *l, uint16_t *file);
/* Nothing more of it fits in this pass. */
void files_done(struct workload *l, uint16_t file);
void files_swapped(struct workload *l);

#endif
