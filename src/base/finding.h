/* What can be found wrong with a measurement: the codes and their words, of plan, doctor and
 * verdict. Pure, thread safe. The rows stand in findings.def.
 */
#ifndef FATHOM_BASE_FINDING_H
#define FATHOM_BASE_FINDING_H

struct finding_row {
	const char *code;   /* a stable word: "governor" */
	const char *title;  /* "CPU governor" */
	const char *effect; /* what it does to a measurement, and roughly how much */
};

/* NULL: no such code. */
const struct finding_row *finding_row(const char *code);

#endif
