/* A picture of a running run for the live status line (compatibility 19). */
#ifndef FATHOM_RESULT_PROGRESS_H
#define FATHOM_RESULT_PROGRESS_H

#include "base/direction.h"
#include <stdbool.h>
#include <stdint.h>

struct progress {
	unsigned running, open_files;
	uint64_t now_ns;    /* since the start of the run */
	const char *states; /* one letter per worker, P C I p / R r W w M m D d F V f E _ X K */
	unsigned states_n;
	const unsigned *entries;	 /* [states_n] report entry of each worker */
	uint64_t bytes[DIRS], ios[DIRS]; /* cumulative, ramp included */
	double done;			 /* 0..1, < 0 unknown */
	uint64_t eta_ns;		 /* UINT64_MAX unknown */
	uint64_t rate_min, rate_max;	 /* sums over running workers, bytes/s; 0: no rate given */
	uint64_t rate_iops_min, rate_iops_max;
};

/* The letters of the workers of one report entry: that of the first at or behind worker *at, which
 * moves on; '\0' when there is none. Needs entries. */
char progress_letter(const struct progress *p, unsigned entry, unsigned *at);
bool progress_running(char letter); /* does I/O, or ends it */
bool progress_ended(char letter);

#endif
