/* Inside of plan: names and probes. */
#ifndef FATHOM_PLAN_FILES_LIST_H
#define FATHOM_PLAN_FILES_LIST_H

#include "plan/build.h"

/* names and probes. files_name fills pj->files with targets; false after an error. */
bool files_name(struct draft *d, struct plan_job *pj);

#endif
