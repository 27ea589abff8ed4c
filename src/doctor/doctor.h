/* Is this machine fit to measure on? Looks at the machine, the device and the job before a run;
 * reads, never changes.
 *
 * Every check is one function, one row in the table of its file (check_*.c) and one in
 * base/findings.def. What cannot be read is `unknown`, never a guess. All memory comes from the
 * arena given. Not thread safe. docs/doctor.md explains each code.
 */
#ifndef FATHOM_DOCTOR_DOCTOR_H
#define FATHOM_DOCTOR_DOCTOR_H

#include "base/arena.h"
#include "base/finding.h"
#include "base/must_check.h"
#include "host/host.h"
#include "plan/plan.h"

/* What fixes a finding and can be undone: a attribute and its setting. */
struct doctor_setting {
	const char *path; /* without the root: "/sys/class/block/sda/queue/nomerges" */
	const char *want;
};
/* What fixes it from the next load of a driver on: a line of modprobe's. */
struct doctor_module {
	const char *module; /* NULL: nothing */
	const char *line;   /* "options nvme poll_queues=4" */
};

struct doctor_finding {
	struct finding f; /* subject: name of the device or job, "" for the machine */
	const struct doctor_setting *attribute; /* of notes and worse only */
	unsigned settings;
	struct doctor_module module;
};

struct doctor_report {
	struct doctor_finding *v; /* machine first, then devices, then jobs */
	unsigned n;
	unsigned count[FINDING_SEVERITIES]; /* by severity */
};

struct doctor_input {
	const struct host *host;
	const char *device;	  /* kernel name of a device, or NULL */
	const char *path;	  /* a file or folder, or NULL */
	const struct plan *plan;  /* jobs, or NULL */
	bool measure;		  /* also say what goes on now: doctor_end comes a while later */
	const char *const *codes; /* only these checks, up to a NULL; NULL: all */
	/* Without jobs: advise for any that may come: at random, polled, with buffered writes, on
	 * the CPUs of the device's node. */
	bool any_job;
};

struct doctor;
/* Find what is to be checked and take a first look at what goes on. The input is kept. -ENODEV when
 * the device is not known here, -ENOMEM. */
MUST_CHECK int doctor_begin(const struct doctor_input *in, struct arena *arena,
			    struct doctor **out);
/* Check everything. span_ns: the time since doctor_begin; used only when measuring. */
MUST_CHECK int doctor_end(struct doctor *d, uint64_t span_ns, struct doctor_report *out);

/* The codes of the table, in order; NULL beyond the last. */
const char *doctor_code(unsigned i);

#endif
