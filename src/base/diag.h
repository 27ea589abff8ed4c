/* The messages of a run: everything said to the user on standard error, kept for the JSON document.
 *
 * Thread safe (one mutex; never used in the loop of a worker). Items live as long as the diag.
 */
#ifndef FATHOM_BASE_DIAG_H
#define FATHOM_BASE_DIAG_H

#include "base/err.h"
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum diag_level { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

struct diag_item {
	enum diag_level level;
	enum err_class cls;  /* of errors */
	const char *code;    /* stable word such as "depth-unreached"; static string */
	struct place at;     /* may be empty */
	int job;	     /* global job number from 0, -1: not about one job */
	char *text, *remedy; /* remedy may be "" */
	uint32_t hash;	     /* of the text */
};

struct diag {
	pthread_mutex_t lock;
	struct diag_item *items;
	size_t n, room;
	size_t errors, warnings; /* all of them, also those beyond the limit */
	enum err_class worst;	 /* highest class among the errors */
	bool warnings_fatal; /* --warnings-fatal: warnings are stored as errors of class ERR_USAGE
			      */
	/* Called once an item as it is added, with the lock held; NULL: keep silent. */
	void (*sink)(void *ctx, const struct diag_item *item);
	void *sink_ctx;
};

void diag_init(struct diag *d);
void diag_release(struct diag *d);
/* At most 10,000 items are kept; later ones are counted only. One that says again what is kept
 * already (same level, code, job, place and text) is dropped. The text is cut at 1023 bytes; remedy
 * and place are copied. */
void diag_add(struct diag *d, enum diag_level level, enum err_class cls, const char *code,
	      const struct place *at, int job, const char *remedy, const char *fmt, ...)
	__attribute__((format(printf, 8, 9)));
void diag_add_err(struct diag *d, const char *code, int job, const struct err *e);
/* Highest class among the errors, ERR_NONE without. */
enum err_class diag_class(const struct diag *d);
/* "file:line:col: error: text; remedy" without newline, at most size bytes; for the command line
 * "command line, argument 3: error: ...", without a place "error: ...". */
void diag_format(const struct diag_item *item, char *buf, size_t size);

#endif
