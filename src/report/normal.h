/* Inside of the normal format (compatibility 18): the parts of a job block. Each prints whole
 * lines; figures come from result_figures(), times and sizes are scaled here to the unit that fits.
 */
#ifndef FATHOM_REPORT_NORMAL_H
#define FATHOM_REPORT_NORMAL_H

#include "base/must_check.h"
#include "result/result.h"
#include <stdio.h>

/* "    clat (usec): min=..": one line in the unit that fits. `name` is padded by the caller.
 * Nothing without samples. */
void normal_latency(const char *name, const struct runstat *m, FILE *to);
/* The percentile table of a histogram under the title "<name> percentiles". */
void normal_percentiles(const char *name, const struct hist *h, const struct runstat *m,
			const struct result_style *s, FILE *to);
/* The lines of one direction (DIRS: mixed); nothing when it moved no bytes. */
MUST_CHECK int normal_direction(const struct result *r, const struct result_job *j, unsigned dir,
				FILE *to);
/* Fathom's own lines at the end of a job block. */
void normal_own(const struct result_job *j, FILE *to);
/* The verdict and its findings, after them. */
void normal_verdict(const struct result *r, const struct result_job *j, FILE *to);
/* A rate in both families, kb_base deciding which is first: "21.1MiB/s", "22.1MB/s". */
void normal_rate(uint64_t bytes_per_s, unsigned kb_base, unsigned unit_base, unsigned digits,
		 char first[32], char second[32]);
void normal_size(uint64_t bytes, unsigned kb_base, unsigned digits, char first[32],
		 char second[32]);

#endif
