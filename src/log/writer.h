/* From the ports of the workers to the log files: one writer thread, or, on the virtual clock, in
 * place. Log files themselves are the caller's (hooks).
 */
#ifndef FATHOM_LOG_WRITER_H
#define FATHOM_LOG_WRITER_H

#include "base/must_check.h"
#include "log/port.h"
#include "result/logblock.h"

/* Any may be NULL. Never two at once; from the writer's thread, but for lines given to
 * log_writer_lines(). 0 or -errno. */
struct log_hooks {
	void *ctx;
	int (*lines)(void *ctx, unsigned job, const struct log_rec *recs, unsigned n);
	/* Single I/Os; hurry: the worker will soon have to wait. */
	int (*ios)(void *ctx, unsigned job, const struct log_block *blocks, unsigned n, bool hurry);
	int (*hists)(void *ctx, unsigned job, const struct log_hist *hists, unsigned n);
	/* Nothing is waiting: the time to do what was put off. False when nothing was. */
	bool (*idle)(void *ctx);
};

struct log_writer;

/* For up to `ports_max` ports. in_place: no thread, a full ring is drained by its worker. NULL
 * without memory. */
MUST_CHECK struct log_writer *log_writer_new(const struct log_hooks *hooks, unsigned ports_max,
					     bool in_place);
void log_writer_free(struct log_writer *w);
/* Before the start. The port must outlive the writer. */
void log_writer_add(struct log_writer *w, struct log_port *port);
/* Start the thread when any port has something to write. -errno. */
MUST_CHECK int log_writer_start(struct log_writer *w);
/* Write what is left. 0 or the first error of a hook, -errno. */
MUST_CHECK int log_writer_stop(struct log_writer *w);
/* Lines that belong to no worker, by any thread but the workers'. */
void log_writer_lines(struct log_writer *w, unsigned job, const struct log_rec *recs, unsigned n);

#endif
