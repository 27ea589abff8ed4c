/* The state of a worker: changed by its own thread, or while that is not there; read by others
 * through `shared`. */
#ifndef FATHOM_WORKER_STATE_H
#define FATHOM_WORKER_STATE_H

#include "result/result.h"

struct worker;

enum worker_state {
	WORKER_NONE,   /* not started */
	WORKER_SETUP,  /* opening files, filling buffers */
	WORKER_READY,  /* waiting for the start */
	WORKER_RUN,    /* the loop */
	WORKER_DRAIN,  /* no new I/O, waiting for those in flight */
	WORKER_FLUSH,  /* end_fsync and closing */
	WORKER_DONE,   /* result is final */
	WORKER_CRASHED /* a signal hit its thread */
};

/* How a worker ended, and its errors. */
struct worker_outcome {
	uint64_t total_err;
	uint64_t errors[DIRS]; /* of total_err */
	int first_error;
	int error;
	enum err_class error_class;
	const char *error_text;
	enum end_reason end;
};

/* Also sets the letter of the status line. */
void worker_set_state(struct worker *w, enum worker_state s);
/* End the run of a worker: no new I/O from now on. The first reason counts. */
void worker_stop(struct worker *w, enum end_reason why);
/* The job fails: the first error counts, and the worker drains. text NULL: it was said already. */
void worker_fail(struct worker *w, int error, enum err_class cls, const char *text);
/* The engine cannot collect completions (a positive errno): the job fails, and gives up what is in
 * flight when that happens once more. */
void worker_reap_failed(struct worker *w, int error);

#endif
