/* What can be wrong with a measurement, in the words of plan, doctor and verdict alike: the codes
 * of all messages and findings with their titles, effects and remedies. The rows are in
 * findings.def. Pure, thread safe.
 */
#ifndef FATHOM_BASE_FINDING_H
#define FATHOM_BASE_FINDING_H

#include <stdbool.h>

/* Doctor says ok, unknown, note, warn, bad before a run; a run is disturbed from WARN on and
 * invalid from BAD on. */
enum finding_severity { FINDING_OK, FINDING_UNKNOWN, FINDING_NOTE, FINDING_WARN, FINDING_BAD };
#define FINDING_SEVERITIES 5

enum finding_subject { FINDING_MACHINE, FINDING_DEVICE, FINDING_DISK, FINDING_JOB };

struct finding_row {
	const char *code;  /* a stable word: "governor" */
	const char *title; /* "CPU governor" */
	enum finding_subject subject;
	enum finding_severity severity;
	const char *before; /* what doctor reads; "": doctor has no such check */
	const char *after;  /* when a run has it; "": no finding of a run */
	const char *effect; /* what it does to a measurement, and roughly how much */
	const char *remedy;
};

struct finding {
	const char *code;
	const char *title;
	const char *subject; /* name of the device, file or job; "" for the machine */
	enum finding_severity severity;
	const char *evidence; /* what was read or seen, with numbers, one line */
	const char *effect;
	bool general;	     /* the effect is that of the table, not one measured here */
	const char *seconds; /* "3, 7-9" of the run's clock; "" not tied to seconds */
	const char *remedy;  /* lines; "" when there is none */
};

/* How many kinds of finding a run can have: the sum of the rows with an `after`. */
enum {
	FINDING_KINDS_OF_RUN = 0
#define FINDING(code, title, subject, severity, before, after, effect, remedy) +(sizeof(after) > 1)
#define MESSAGE(code, level, meaning)
#include "base/findings.def"
#undef FINDING
#undef MESSAGE
};

/* A finding with the title, effect and severity of its row; no evidence and no remedy yet. The code
 * has a row. The texts are static; subject is kept. */
struct finding finding_of(const char *code, const char *subject);
/* NULL: no finding has this code. */
const struct finding_row *finding_row(const char *code);
/* "ok", "unknown", "note", "warn", "bad": of a check before a run. */
const char *finding_word(enum finding_severity s);
/* "note", "disturbed", "invalid": of a finding of a run. */
const char *finding_run_word(enum finding_severity s);

#endif
