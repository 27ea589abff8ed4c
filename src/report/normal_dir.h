/* Inside of the normal format (compatibility 18): directions. Whole lines; figures come from
 * result_figures(), times and sizes are scaled to the unit that fits. */
#ifndef FATHOM_REPORT_NORMAL_DIR_H
#define FATHOM_REPORT_NORMAL_DIR_H

#include "base/must_check.h"
#include "result/result.h"
#include <stdio.h>

/* The lines of one direction (DIRS: mixed); nothing when it moved no bytes. */
MUST_CHECK int normal_direction(const struct result *r, const struct result_job *j, unsigned dir,
				FILE *to);
void normal_size(uint64_t bytes, unsigned kb_base, unsigned digits, char first[32],
		 char second[32]);
/* A rate in both families, kb_base deciding which is first: "21.1MiB/s", "22.1MB/s". */
void normal_rate(uint64_t bytes_per_s, unsigned kb_base, unsigned unit_base, unsigned digits,
		 char first[32], char second[32]);

#endif
