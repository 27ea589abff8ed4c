/* What workers have to say goes into the messages of the run. */
#include "worker/messages.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <errno.h>
#include <string.h>

void worker_job_error(struct worker *w, int error, enum err_class cls, const char *text)
{
	const struct place *at = &w->pj->job->at;

	if (text)
		diag_add(w->env->diag, DIAG_ERROR, cls, cls == ERR_LIMIT ? "limit" : "job-error",
			 at, (int)w->pj->number, "", "%s: %s (%s)", w->pj->name, text,
			 strerror(error));
}

void worker_io_error(struct worker *w, int error, bool go_on, const char *remedy, const char *fmt,
		     ...)
{
	char text[400];
	va_list ap;

	assert(error > 0 && fmt);
	(void)error;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag_add(w->env->diag, go_on ? DIAG_WARNING : DIAG_ERROR, ERR_IO, "io-error", NULL,
		 (int)w->pj->number, remedy, "%s: %s", w->pj->name, text);
}

void worker_setup_error(struct worker *w, const struct err *err)
{
	assert(err);
	w->outcome.error = err->sys ? err->sys : EINVAL;
	w->outcome.error_class = err->cls ? err->cls : ERR_SETUP;
	w->outcome.error_text = NULL;
	w->outcome.end = END_ERROR;
	diag_add_err(w->env->diag, "setup", (int)w->pj->number, err);
}
