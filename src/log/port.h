/* The logs of one worker on their way to the writer (log/writer.h): filled by the worker's thread,
 * drained by the writer. Everything is allocated before the worker starts.
 */
#ifndef FATHOM_LOG_PORT_H
#define FATHOM_LOG_PORT_H

#include "base/must_check.h"
#include "log/pack.h"
#include "log/ring.h"
#include "result/logrec.h"

struct log_port {
	struct ring *lines; /* of struct log_rec: windows, the iolog; NULL: none */
	struct pack *ios;   /* single I/Os; NULL: none */
	struct ring *hists; /* of struct log_hist; NULL: none */
	uint64_t stall_ns;  /* the worker waited for room, in all */
};

/* kinds: what is logged, bits 1 << LOGK_*; windows: those of them that are averaged over windows.
 * workers: how many share the memory of such logs. -ENOMEM, and nothing is allocated. */
MUST_CHECK int log_port_open(struct log_port *p, unsigned job, unsigned kinds, unsigned windows,
			     unsigned workers);
void log_port_close(struct log_port *p);
/* By the worker: waits for room when a ring is full, which is counted. */
void log_port_line(struct log_port *p, const struct log_rec *rec);
/* A line of the histogram log: buckets that grew from `before` to `now`. */
void log_port_hist(struct log_port *p, uint64_t time_ns, unsigned dir, uint32_t bs,
		   const struct hist *now, const struct hist *before);

#endif
