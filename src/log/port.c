#include "log/port.h"
#include "base/direction.h"
#include <assert.h>
#include <errno.h>

/* Slots of the rings. A worker writes a line of a window or a histogram a few times a second at
 * most, lines of the iolog as fast as it does I/Os. */
enum { WINDOW_LINES = 1024, IOLOG_LINES = 16384, HIST_LINES = 16 };

int log_port_open(struct log_port *p, unsigned job, unsigned kinds, unsigned windows,
		  unsigned workers)
{
	unsigned iolog = kinds & 1u << LOGK_IOLOG, hist = kinds & 1u << LOGK_HIST;
	unsigned singles = kinds & ~(windows | iolog | hist);
	struct log_port fresh = {0};
	bool failed = false;

	assert((windows & ~kinds) == 0);
	if (windows || iolog) {
		fresh.lines =
			ring_new(job, iolog ? IOLOG_LINES : WINDOW_LINES, sizeof(struct log_rec));
		failed |= !fresh.lines;
	}
	if (hist) {
		fresh.hists = ring_new(job, HIST_LINES, sizeof(struct log_hist));
		failed |= !fresh.hists;
	}
	if (singles) {
		fresh.ios = pack_new(job, workers, &p->stall_ns);
		failed |= !fresh.ios;
	}
	if (failed) {
		log_port_close(&fresh);
		return -ENOMEM;
	}
	*p = fresh;
	return 0;
}

void log_port_close(struct log_port *p)
{
	ring_free(p->lines);
	ring_free(p->hists);
	pack_free(p->ios);
	p->lines = p->hists = NULL;
	p->ios = NULL;
}

void log_port_line(struct log_port *p, const struct log_rec *rec)
{
	assert(p->lines && (rec->kind == LOGK_IOLOG || rec->dir < DIRS));
	ring_push(p->lines, rec, &p->stall_ns);
}

void log_port_hist(struct log_port *p, uint64_t time_ns, unsigned dir, uint32_t bs,
		   const struct hist *now, const struct hist *before)
{
	assert(dir < DIRS);
	struct log_hist *line = ring_next(p->hists, &p->stall_ns);

	line->time_ns = time_ns;
	line->dir = dir;
	line->bs = bs;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		line->bucket[i] = now->bucket[i] - before->bucket[i];
	ring_done(p->hists);
}
