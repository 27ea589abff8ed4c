/* What the doctor found, as text and as JSON. */
#ifndef FATHOM_REPORT_DOCTOR_REPORT_H
#define FATHOM_REPORT_DOCTOR_REPORT_H

#include "base/must_check.h"
#include "doctor/doctor.h"
#include <stdio.h>

/* One line a check, aligned; then the details of all that is worth mending; then the counts. wide:
 * details of notes too. Returns 0 or -EIO. */
MUST_CHECK int doctor_print_text(FILE *to, const struct doctor_report *r, bool wide);
/* {"version", "kernel", "counts", "findings": [as report/json_finding.h]}; kernel may be "". */
MUST_CHECK int doctor_print_json(FILE *to, const struct doctor_report *r, const char *version,
				 const char *kernel);

#endif
