/* Inside of doctor: facts of a job that several checks ask for. */
#ifndef FATHOM_DOCTOR_CHECK_JOB_H
#define FATHOM_DOCTOR_CHECK_JOB_H

#include "doctor/check.h"

bool check_job_polls(const struct plan_job *pj);

#endif
